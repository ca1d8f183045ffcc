import { isDeepStrictEqual } from 'node:util';
import { membersOf, nodeAt, readTree, valueOf } from '../jsonTree.ts';
import { parseConfig } from '../parseConfig.ts';
import { quote } from '../quote.ts';
import { variablesIn } from '../variables.ts';
import { readForeignFile, withoutMark, type ForeignEntry } from './foreignFile.ts';
import { mergeServers } from './mergeServers.ts';
import { removeItem } from './removeItem.ts';
import { inputsOf, takeOver, type TakenServer } from './takeOver.ts';

/** The texts of VS Code's `mcp.json` and of `mcp-rosetta.json` of one folder. */
export interface FolderFiles {
  readonly folder: string;
  readonly source: string;
  /** Undefined where there is no file yet. */
  readonly target: string | undefined;
}

/** The texts afterwards, and a sentence for each thing that was not done or got lost. */
export interface Moved {
  readonly source: string;
  readonly target: string | undefined;
  readonly moved: readonly string[];
  readonly remarks: readonly string[];
}

/** The names of the servers in a text of `mcp.json`, and where each entry stands; none where it cannot be read. */
export function serversIn(source: string): readonly ForeignEntry[] {
  const reading = readForeignFile(source, 'mcp.json');
  if (reading.kind === 'problem') return [];
  return reading.file.entries.filter(({ path }) => path.length === 2 && path[0] === 'servers');
}

/**
 * Moves servers from VS Code's own file to the bridge's, with the inputs that they refer to; an input that others refer to
 * as well stays where it is, too. What cannot move stays, and is said.
 */
export function moveServers(files: FolderFiles, names: readonly string[]): Moved {
  const { folder, source, target } = files;
  const unmoved = (remark: string): Moved => ({ source, target, moved: [], remarks: [remark] });
  const reading = readForeignFile(source, 'mcp.json');
  if (reading.kind === 'problem') return unmoved(reading.message);
  if (target !== undefined && target.trim() !== '' && !parseConfig(target).isComplete) {
    return unmoved('mcp-rosetta.json has mistakes in its syntax; mend it first.');
  }
  const remarks: string[] = [];
  const context = { program: 'vscode', project: folder, target: folder, env: {} } as const;
  const entries = serversIn(source).filter(({ name }, i, all) => {
    return names.includes(name) && all.findLastIndex((other) => other.name === name) === i;
  });
  const taken = entries.flatMap((entry): TakenServer[] => {
    const outcome = takeOver(entry, inputsOf(reading.file.inputs), context);
    if (outcome.kind === 'left') {
      remarks.push(`${quote(entry.name)} stays: ${outcome.reason}.`);
      return [];
    }
    remarks.push(...outcome.notes.map((note) => `${quote(entry.name)} has moved, but ${note}.`));
    return [withSpelling(outcome.server, entry, source)];
  });
  const merged = mergeServers(target, taken);
  const moved = merged.outcomes.flatMap((outcome) => {
    if (outcome.kind !== 'conflict') return [outcome.name];
    remarks.push(`${quote(outcome.name)} stays: in mcp-rosetta.json, ${outcome.reason}.`);
    return [];
  });
  if (moved.length === 0) return { source, target, moved, remarks };
  const inputs = taken.filter(({ name }) => moved.includes(name)).flatMap((each) => each.inputs);
  return {
    source: withoutInputs(
      withoutServers(source, moved),
      inputs.map(({ id }) => id),
    ),
    target: merged.text,
    moved,
    remarks,
  };
}

/** The server with its comments, where it says there what it says here. */
function withSpelling(server: TakenServer, { member }: ForeignEntry, source: string): TakenServer {
  if (!isDeepStrictEqual(valueOf(member.value), server.entry)) return server;
  const { offset, length } = member.value;
  const line = source.slice(0, member.keyRange.offset).split('\n').at(-1) ?? '';
  const indentation = /^[ \t]*/.exec(line)?.[0] ?? '';
  const raw = source.slice(offset, offset + length).replaceAll('\r\n', '\n');
  return { ...server, raw: raw.replaceAll(`\n${indentation}`, '\n') };
}

function withoutServers(source: string, names: readonly string[]): string {
  let text = source;
  for (const name of names) {
    const servers = nodeIn(text, 'servers');
    const index =
      servers === undefined ? -1 : membersOf(servers).findLastIndex(({ key }) => key === name);
    if (servers !== undefined && index >= 0) text = removeItem(text, servers, index);
  }
  return text;
}

/** The text without these inputs, as far as nothing in it refers to them. */
function withoutInputs(source: string, ids: readonly string[]): string {
  const { root } = readTree(withoutMark(source));
  const rest = JSON.stringify(root && valueOf(root));
  const used = variablesIn(rest).flatMap((each) => (each.kind === 'input' ? [each.id] : []));
  let text = source;
  for (const id of ids.filter((each) => !used.includes(each))) {
    const inputs = nodeIn(text, 'inputs');
    const index = (inputs?.children ?? []).findIndex((node) => nodeAt(node, ['id'])?.value === id);
    if (inputs !== undefined && index >= 0) text = removeItem(text, inputs, index);
  }
  return text;
}

function nodeIn(text: string, key: string) {
  const { root } = readTree(withoutMark(text));
  return root && nodeAt(root, [key]);
}
