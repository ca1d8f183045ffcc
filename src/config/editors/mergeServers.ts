import { isDeepStrictEqual } from 'node:util';
import { membersOf, nodeAt, readTree, valueOf } from '../jsonTree.ts';
import { quote } from '../quote.ts';
import { withoutMark } from './foreignFile.ts';
import { insertItem, type NewItem } from './insertItem.ts';
import { inputsOf, type TakenServer } from './takeOver.ts';

/** What became of one server that was to be added; `reason` is a clause. */
export type MergeOutcome =
  | { readonly kind: 'added' | 'same'; readonly name: string }
  | { readonly kind: 'conflict'; readonly name: string; readonly reason: string };

/** The text of `mcp-rosetta.json` with the servers added, and what became of each. */
export interface Merged {
  readonly text: string;
  readonly outcomes: readonly MergeOutcome[];
}

/**
 * Adds servers to the text of an `mcp-rosetta.json` that has no syntax errors, comments and all; undefined is a file that
 * is not there yet. What the file has already stays: a server or an input that says something else under the same name
 * keeps the new one out.
 */
export function mergeServers(text: string | undefined, servers: readonly TakenServer[]): Merged {
  let merged = text === undefined || text.trim() === '' ? '{}' : text;
  const outcomes: MergeOutcome[] = [];
  for (const server of servers) {
    const { name } = server;
    const raw = server.raw === undefined ? {} : { raw: server.raw };
    const found = look(merged, server);
    if (found.kind !== 'absent') {
      outcomes.push({ ...found, name });
      continue;
    }
    merged = add(merged, 'servers', name, { value: server.entry, ...raw });
    for (const input of found.inputs) merged = add(merged, 'inputs', undefined, { value: input });
    outcomes.push({ kind: 'added', name });
  }
  const isNew = merged !== text && (text ?? '').trim() === '';
  return { text: isNew ? `${merged}\n` : merged, outcomes };
}

type Look =
  | { readonly kind: 'absent'; readonly inputs: readonly unknown[] }
  | { readonly kind: 'same' }
  | { readonly kind: 'conflict'; readonly reason: string };

function look(text: string, { name, entry, inputs }: TakenServer): Look {
  const { root } = readTree(withoutMark(text));
  if (root?.type !== 'object') return { kind: 'conflict', reason: 'the file holds no object' };
  const servers = nodeAt(root, ['servers']);
  if (servers !== undefined && servers.type !== 'object') {
    return { kind: 'conflict', reason: 'its "servers" are no object' };
  }
  const own = servers && membersOf(servers).findLast(({ key }) => key === name);
  if (own !== undefined) {
    return isDeepStrictEqual(valueOf(own.value), entry)
      ? { kind: 'same' }
      : { kind: 'conflict', reason: 'there is another server of this name' };
  }
  const list = nodeAt(root, ['inputs']);
  if (list !== undefined && list.type !== 'array') {
    return { kind: 'conflict', reason: 'its "inputs" are no list' };
  }
  const known = new Map(inputsOf(list?.children ?? []).map(({ id, value }) => [id, value]));
  const other = inputs.find(({ id, value }) => {
    return known.has(id) && !isDeepStrictEqual(known.get(id), value);
  });
  if (other !== undefined) {
    return { kind: 'conflict', reason: `there is another input ${quote(other.id)}` };
  }
  const missing = inputs.filter(({ id }) => !known.has(id));
  return { kind: 'absent', inputs: missing.map(({ value }) => value) };
}

/** Adds to a member of the root, which is made where it is missing. */
function add(
  text: string,
  key: 'servers' | 'inputs',
  name: string | undefined,
  item: NewItem,
): string {
  const { root } = readTree(withoutMark(text));
  // Whoever calls has looked at it.
  if (root === undefined) return text;
  const container = nodeAt(root, [key]);
  if (container !== undefined) return insertItem(text, container, name, item);
  const empty = name === undefined ? [] : {};
  // First the place, then what goes there, which may have a spelling of its own.
  return add(insertItem(text, root, key, { value: empty }), key, name, item);
}
