import { isDeepStrictEqual } from 'node:util';
import { applyEdits } from 'jsonc-parser';
import { readTree, valueOf } from '../jsonTree.ts';
import type { ForeignEntry, ForeignFile } from './foreignFile.ts';
import type { TextEdit } from './rawEntry.ts';
import { unwrapEntry } from './unwrapEntry.ts';
import { isWrapped, wrapEntry, type Wrapper } from './wrapEntry.ts';

/** One entry as it was, and as it was made: both are the bytes of the file. */
export interface WrapRecord {
  readonly path: readonly string[];
  readonly original: string;
  readonly wrapped: string;
}

/** What became of one entry; `reason` is a clause. `rebuilt`: unwrapped from its arguments alone. */
export type EntryOutcome =
  | { readonly kind: 'wrapped' | 'already' | 'unwrapped' | 'rebuilt'; readonly name: string }
  | { readonly kind: 'left'; readonly name: string; readonly reason: string };

/** The text afterwards, and what is to be remembered of it. */
export interface Rewritten {
  readonly text: string;
  readonly outcomes: readonly EntryOutcome[];
  readonly records: readonly WrapRecord[];
}

/** Puts the bridge before every server of a file; `earlier` is what is remembered of the file. */
export function wrapFile(
  text: string,
  { entries }: ForeignFile,
  wrapper: Wrapper,
  earlier: readonly WrapRecord[],
): Rewritten {
  const edits: TextEdit[] = [];
  const outcomes: EntryOutcome[] = [];
  const records: WrapRecord[] = [];
  const recall = recorder(earlier);
  for (const entry of entries) {
    const { name, path, member } = entry;
    const { offset, length } = member.value;
    const wrapping = wrapEntry(text, member.value, wrapper);
    switch (wrapping.kind) {
      case 'left':
        records.push(...remembered(entry, earlier, recall));
        outcomes.push({ kind: 'left', name, reason: wrapping.reason });
        break;
      case 'already':
        records.push(...remembered(entry, earlier, recall));
        outcomes.push({ kind: 'already', name });
        break;
      case 'wrapped':
        edits.push({ offset, length, content: wrapping.raw });
        records.push({
          path,
          original: text.slice(offset, offset + length),
          wrapped: wrapping.raw,
        });
        outcomes.push({ kind: 'wrapped', name });
    }
  }
  return { text: applyEdits(text, edits), outcomes, records };
}

/**
 * Takes the bridge out again. An entry that still says what was written gets the bytes that it had, wherever in the file
 * it has gone; of one that has changed since, or of which nothing is remembered, its arguments say what it was.
 */
export function unwrapFile(
  text: string,
  { entries, program }: ForeignFile,
  earlier: readonly WrapRecord[],
): Rewritten {
  const edits: TextEdit[] = [];
  const outcomes: EntryOutcome[] = [];
  const records: WrapRecord[] = [];
  const recall = recorder(earlier);
  for (const entry of entries) {
    const { name, path, member } = entry;
    const { offset, length } = member.value;
    const record = recall(entry);
    if (record !== undefined) {
      edits.push({ offset, length, content: record.original });
      outcomes.push({ kind: 'unwrapped', name });
      continue;
    }
    if (member.value.type !== 'object' || !isWrapped(member.value)) continue;
    const unwrapping = unwrapEntry(text, member.value, program);
    if (unwrapping.kind === 'left') {
      outcomes.push({ kind: 'left', name, reason: unwrapping.reason });
      records.push(...earlier.filter((each) => isDeepStrictEqual(each.path, path)));
      continue;
    }
    edits.push({ offset, length, content: unwrapping.raw });
    outcomes.push({ kind: 'rebuilt', name });
  }
  return { text: applyEdits(text, edits), outcomes, records };
}

/** What stays remembered of an entry that is not wrapped now; of one that has been changed since, it may be changed back. */
function remembered(
  entry: ForeignEntry,
  earlier: readonly WrapRecord[],
  recall: (entry: ForeignEntry) => WrapRecord | undefined,
): readonly WrapRecord[] {
  const record = recall(entry);
  if (record !== undefined) return [{ ...record, path: entry.path }];
  return earlier.filter((each) => isDeepStrictEqual(each.path, entry.path));
}

/** Finds what is remembered of an entry, each record once: of this place first, else of one that said the same. */
function recorder(records: readonly WrapRecord[]): (entry: ForeignEntry) => WrapRecord | undefined {
  const unused = new Map(records.map((record) => [record, parse(record.wrapped)]));
  return ({ path, member }) => {
    const value = valueOf(member.value);
    const same = [...unused].flatMap(([record, wrapped]) =>
      isDeepStrictEqual(wrapped, value) ? [record] : [],
    );
    const found = same.find((record) => isDeepStrictEqual(record.path, path)) ?? same[0];
    if (found !== undefined) unused.delete(found);
    return found;
  };
}

function parse(raw: string): unknown {
  const { root } = readTree(raw);
  return root && valueOf(root);
}
