import { itemsOf, membersOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';

const COMMA = Buffer.from(',');

interface Part {
  readonly start: number;
  readonly end: number;
  /** What stands here from now on; undefined where the part goes. */
  readonly bytes: RawJson | undefined;
}

/** Joins what is left of the parts of a container, with the white space they had. */
function rebuild(raw: RawJson, parts: readonly Part[], added: readonly RawJson[]): RawJson {
  const pieces: Buffer[] = [raw.subarray(0, parts[0]?.start ?? 1)];
  let separator: Buffer | undefined;
  parts.forEach(({ end, bytes }, index) => {
    const next = parts[index + 1];
    if (bytes === undefined) return;
    if (separator !== undefined) pieces.push(separator);
    pieces.push(bytes);
    separator = next === undefined ? COMMA : raw.subarray(end, next.start);
  });
  for (const bytes of added) {
    if (separator !== undefined) pieces.push(COMMA);
    pieces.push(bytes);
    separator = COMMA;
  }
  pieces.push(raw.subarray(parts.at(-1)?.end ?? 1));
  return Buffer.concat(pieces);
}

/**
 * An object with exactly these members: those that are new stand behind the others, those that are not wanted go with
 * all their duplicates, and those whose value is the same keep every byte. The very same object where nothing differs.
 */
export function withMembers(raw: RawJson, wanted: ReadonlyMap<string, RawJson>): RawJson {
  const members = membersOf(raw);
  const last = new Map(members.map(({ key }, index) => [key, index]));
  let changed = false;
  const parts = members.map(({ key, keyStart, valueStart, valueEnd, value }, index): Part => {
    const part = { start: keyStart, end: valueEnd };
    const now = wanted.get(key);
    if (now === undefined) {
      changed = true;
      return { ...part, bytes: undefined };
    }
    if (last.get(key) !== index || isSame(now, value)) {
      return { ...part, bytes: raw.subarray(keyStart, valueEnd) };
    }
    changed = true;
    return { ...part, bytes: Buffer.concat([raw.subarray(keyStart, valueStart), now]) };
  });
  const added = [...wanted].filter(([key]) => !last.has(key));
  if (!changed && added.length === 0) return raw;
  return rebuild(
    raw,
    parts,
    added.map(([key, value]) => Buffer.concat([toRaw(key), Buffer.from(':'), value])),
  );
}

/** An array with these in place of its items, in order; undefined takes an item out. */
export function withItems(raw: RawJson, wanted: readonly (RawJson | undefined)[]): RawJson {
  const items = itemsOf(raw);
  if (items.every((item, index) => isSame(wanted[index], item))) return raw;
  const parts = items.map((item, index): Part => {
    // Views of one memory: the offset of a view tells where it stands in its parent.
    const start = item.byteOffset - raw.byteOffset;
    return { start, end: start + item.length, bytes: wanted[index] };
  });
  return rebuild(raw, parts, []);
}

/** The members of an object by name, of duplicates the last. */
export function memberMap(raw: RawJson): Map<string, RawJson> {
  return new Map(membersOf(raw).map(({ key, value }) => [key, value]));
}

function isSame(a: RawJson | undefined, b: RawJson): boolean {
  return (
    a !== undefined &&
    (a === b || (a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length))
  );
}
