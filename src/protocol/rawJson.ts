import { skipSpace, skipString, skipValue } from './jsonScanner.ts';

/**
 * The bytes of exactly one JSON value, without white space around it. Reading a part gives a view of the same memory;
 * editing gives new bytes in which everything but the edited part is the original, spelling included.
 */
export type RawJson = Buffer;

/** One member of an object: where its key and its value stand in the object's bytes. */
export interface Member {
  readonly key: string;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly value: RawJson;
}

/** A place inside a value: member names and array indexes, outermost first. */
export type JsonPath = readonly (string | number)[];

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** What kind of value this is, told from its first byte. */
export function kindOf(raw: RawJson): JsonKind {
  switch (raw[0]) {
    case 0x7b:
      return 'object';
    case 0x5b:
      return 'array';
    case 0x22:
      return 'string';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

/** The value whose bytes these are, or undefined where they are not one JSON value. */
export function rawJsonFrom(bytes: Buffer): RawJson | undefined {
  const start = skipSpace(bytes, 0);
  const end = skipValue(bytes, start);
  if (end < 0 || skipSpace(bytes, end) < bytes.length) return undefined;
  return bytes.subarray(start, end);
}

/** Writes a value of our own making. */
export function toRaw(value: unknown): RawJson {
  return Buffer.from(JSON.stringify(value));
}

/**
 * Reads a value into JavaScript; undefined where it cannot be read. For looking, never for writing back: numbers lose
 * their spelling.
 */
export function parseRaw(raw: RawJson): unknown {
  try {
    return JSON.parse(raw.toString('utf8')) as unknown;
  } catch {
    // Scanned values can still hold a bad escape or a control character inside a string.
    return undefined;
  }
}

/** True where the key between these quotes is plain ASCII without escapes, as nearly all are. */
function isPlain(raw: RawJson, start: number, end: number): boolean {
  for (let i = start + 1; i < end - 1; i++) {
    const byte = raw[i] ?? 0;
    if (byte === 0x5c || byte > 0x7e) return false;
  }
  return true;
}

function readKey(raw: RawJson, start: number, end: number): string {
  if (isPlain(raw, start, end)) return raw.toString('latin1', start + 1, end - 1);
  const parsed = parseRaw(raw.subarray(start, end));
  return typeof parsed === 'string' ? parsed : raw.toString('utf8', start + 1, end - 1);
}

function isKey(raw: RawJson, start: number, end: number, key: string): boolean {
  if (!isPlain(raw, start, end)) return readKey(raw, start, end) === key;
  if (end - start - 2 !== key.length) return false;
  for (let i = 0; i < key.length; i++) {
    if (raw[start + 1 + i] !== key.charCodeAt(i)) return false;
  }
  return true;
}

/**
 * Passes over the members of an object in the order in which they stand, duplicates included; none for any other value.
 * Nothing is kept, so that an object of a million members costs time alone; `visit` ends it by returning false.
 */
export function visitMembers(raw: RawJson, visit: (member: Member) => boolean): void {
  if (raw[0] !== 0x7b) return;
  let i = skipSpace(raw, 1);
  while (raw[i] === 0x22) {
    const keyStart = i;
    const keyEnd = skipString(raw, i);
    if (keyEnd < 0) return;
    const valueStart = skipSpace(raw, skipSpace(raw, keyEnd) + 1);
    const valueEnd = skipValue(raw, valueStart);
    if (valueEnd < 0) return;
    const key = readKey(raw, keyStart, keyEnd);
    const value = raw.subarray(valueStart, valueEnd);
    if (!visit({ key, keyStart, valueStart, valueEnd, value })) return;
    i = skipSpace(raw, valueEnd);
    if (raw[i] !== 0x2c) return;
    i = skipSpace(raw, i + 1);
  }
}

/** The members of an object in the order in which they stand, duplicates included; none for any other value. */
export function membersOf(raw: RawJson): Member[] {
  const members: Member[] = [];
  visitMembers(raw, (member) => members.push(member) > 0);
  return members;
}

/** The items of an array in order, the first `limit` of them; none for any other value. */
export function itemsOf(raw: RawJson, limit = Infinity): RawJson[] {
  const items: RawJson[] = [];
  if (raw[0] !== 0x5b) return items;
  let i = skipSpace(raw, 1);
  while (raw[i] !== 0x5d && items.length < limit) {
    const end = skipValue(raw, i);
    if (end < 0) break;
    items.push(raw.subarray(i, end));
    i = skipSpace(raw, end);
    if (raw[i] === 0x2c) i = skipSpace(raw, i + 1);
  }
  return items;
}

/**
 * A member's value; of duplicates the last one, as in every JSON parser of the field. Written out instead of asked of
 * `visitMembers`, because every message passes here several times and nothing need be made for a member passed over.
 */
export function getMember(raw: RawJson, key: string): RawJson | undefined {
  if (raw[0] !== 0x7b) return undefined;
  let foundStart = -1;
  let foundEnd = -1;
  let i = skipSpace(raw, 1);
  while (raw[i] === 0x22) {
    const keyEnd = skipString(raw, i);
    if (keyEnd < 0) break;
    const valueStart = skipSpace(raw, skipSpace(raw, keyEnd) + 1);
    const valueEnd = skipValue(raw, valueStart);
    if (valueEnd < 0) break;
    if (isKey(raw, i, keyEnd, key)) {
      foundStart = valueStart;
      foundEnd = valueEnd;
    }
    i = skipSpace(raw, valueEnd);
    if (raw[i] !== 0x2c) break;
    i = skipSpace(raw, i + 1);
  }
  return foundStart < 0 ? undefined : raw.subarray(foundStart, foundEnd);
}

/** The value at a path, or undefined where the path leads nowhere. */
export function getAt(raw: RawJson, path: JsonPath): RawJson | undefined {
  let value: RawJson | undefined = raw;
  for (const step of path) {
    if (value === undefined) return undefined;
    value = typeof step === 'string' ? getMember(value, step) : itemsOf(value)[step];
  }
  return value;
}

/** The text of a JSON string, or undefined where the value is not one. */
export function stringOf(raw: RawJson | undefined): string | undefined {
  if (raw?.[0] !== 0x22) return undefined;
  const parsed = parseRaw(raw);
  return typeof parsed === 'string' ? parsed : undefined;
}

/** An object as it is; an empty one for anything else. */
export function objectOrEmpty(raw: RawJson | undefined): RawJson {
  return raw !== undefined && kindOf(raw) === 'object' ? raw : toRaw({});
}

export function isNull(raw: RawJson | undefined): boolean {
  return raw?.[0] === 0x6e;
}
