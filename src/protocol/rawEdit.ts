import { skipSpace } from './jsonScanner.ts';
import {
  getMember,
  itemsOf,
  membersOf,
  toRaw,
  visitMembers,
  type JsonPath,
  type Member,
  type RawJson,
} from './rawJson.ts';

/**
 * Edits of raw JSON. Every function returns new bytes in which all that was not asked to change stands exactly as it
 * did; none of them reads the values it passes over.
 */

function replaceRange(raw: RawJson, start: number, end: number, by: RawJson): RawJson {
  return Buffer.concat([raw.subarray(0, start), by, raw.subarray(end)]);
}

function lastMember(raw: RawJson, key: string): Member | undefined {
  return membersOf(raw).findLast((member) => member.key === key);
}

/** The offset of the last byte before `end` that is not JSON white space. */
function lastByteBefore(raw: RawJson, end: number): number {
  let i = end - 1;
  while (raw[i] === 0x20 || raw[i] === 0x0a || raw[i] === 0x0d || raw[i] === 0x09) i--;
  return i;
}

/** Sets a member: in place where it exists (the last of duplicates), else behind all others. */
export function setMember(raw: RawJson, key: string, value: RawJson): RawJson {
  const found = getMember(raw, key);
  if (found !== undefined) {
    // Views of one memory: the offset of a view tells where it stands in its parent.
    const start = found.byteOffset - raw.byteOffset;
    return replaceRange(raw, start, start + found.length, value);
  }
  // Behind the last member and before the space that may stand ahead of the brace.
  const at = lastByteBefore(raw, raw.length - 1) + 1;
  const comma = at > 1 ? ',' : '';
  return replaceRange(
    raw,
    at,
    at,
    Buffer.concat([Buffer.from(comma), toRaw(key), Buffer.from(':'), value]),
  );
}

/** Removes a member, every duplicate of it, and one comma each. */
export function removeMember(raw: RawJson, key: string): RawJson {
  let result = raw;
  for (;;) {
    const members = membersOf(result);
    const index = members.findIndex((member) => member.key === key);
    const member = members[index];
    if (member === undefined) return result;
    const next = members[index + 1];
    const before = members[index - 1];
    if (next !== undefined) {
      result = replaceRange(result, member.keyStart, next.keyStart, Buffer.alloc(0));
    } else {
      result = replaceRange(
        result,
        before?.valueEnd ?? member.keyStart,
        member.valueEnd,
        Buffer.alloc(0),
      );
    }
  }
}

/** Rewrites the values of an object's members in one pass; the object itself where none changes. */
export function mapMembers(raw: RawJson, edit: (member: Member) => RawJson): RawJson {
  const parts: Buffer[] = [];
  let copied = 0;
  visitMembers(raw, (member) => {
    const value = edit(member);
    if (value === member.value) return true;
    parts.push(raw.subarray(copied, member.valueStart), value);
    copied = member.valueEnd;
    return true;
  });
  return parts.length === 0 ? raw : Buffer.concat([...parts, raw.subarray(copied)]);
}

/** Appends one item to an array. */
export function appendItem(raw: RawJson, item: RawJson): RawJson {
  const empty = raw[skipSpace(raw, 1)] === 0x5d;
  const comma = Buffer.from(empty ? '' : ',');
  return replaceRange(raw, raw.length - 1, raw.length - 1, Buffer.concat([comma, item]));
}

/** An array of the given items, each with the bytes it has. */
export function arrayOf(items: readonly RawJson[]): RawJson {
  const parts: Buffer[] = [Buffer.from('[')];
  items.forEach((item, index) => {
    if (index > 0) parts.push(Buffer.from(','));
    parts.push(item);
  });
  parts.push(Buffer.from(']'));
  return Buffer.concat(parts);
}

function mapItem(raw: RawJson, index: number, edit: (item: RawJson) => RawJson): RawJson {
  const item = itemsOf(raw)[index];
  if (item === undefined) return raw;
  // Views of one memory: the offset of a view tells where it stands in its parent.
  const start = item.byteOffset - raw.byteOffset;
  const edited = edit(item);
  return edited === item ? raw : replaceRange(raw, start, start + item.length, edited);
}

/** Edits the value at a path; where the path leads nowhere, or the value comes back as it was, `raw` itself. */
export function editAt(raw: RawJson, path: JsonPath, edit: (value: RawJson) => RawJson): RawJson {
  const [step, ...rest] = path;
  if (step === undefined) return edit(raw);
  const inner = (value: RawJson): RawJson => editAt(value, rest, edit);
  if (typeof step === 'number') return mapItem(raw, step, inner);
  const member = lastMember(raw, step);
  if (member === undefined) return raw;
  const edited = inner(member.value);
  return edited === member.value
    ? raw
    : replaceRange(raw, member.valueStart, member.valueEnd, edited);
}

/** Replaces the value at a path; where the path leads nowhere, nothing is changed. */
export function splice(raw: RawJson, path: JsonPath, replacement: RawJson): RawJson {
  return editAt(raw, path, () => replacement);
}
