import type { Node } from 'jsonc-parser';
import { valueOf } from '../jsonTree.ts';
import { parseConfig } from '../parseConfig.ts';
import { quote } from '../quote.ts';
import { inputIdsOf } from '../variables.ts';
import { Converter, isObject, type Members } from './converter.ts';
import type { ForeignEntry } from './foreignFile.ts';
import type { ForeignContext } from './foreignVariables.ts';
import { shapeEntry } from './shape.ts';

/** A question of a file, as it was written there. */
export interface Input {
  readonly id: string;
  readonly value: unknown;
}

/** A server as it can stand in `mcp-rosetta.json`, with the inputs that it refers to. */
export interface TakenServer {
  readonly name: string;
  readonly entry: Members;
  readonly inputs: readonly Input[];
  /** How the entry is written, where that is worth keeping: indented from its first column, with plain line feeds. */
  readonly raw?: string;
}

/** What became of an entry: `notes` name what of it was changed or has no place, `reason` is a clause. */
export type TakeOver =
  | { readonly kind: 'taken'; readonly server: TakenServer; readonly notes: readonly string[] }
  | { readonly kind: 'left'; readonly reason: string };

/** The inputs of a file, as far as they have an id. */
export function inputsOf(nodes: readonly Node[]): Input[] {
  return nodes.map(valueOf).flatMap((value) => {
    return isObject(value) && typeof value['id'] === 'string' ? [{ id: value['id'], value }] : [];
  });
}

/** Puts a server of another program into the shape of `mcp-rosetta.json`, or says why that cannot be. */
export function takeOver(
  { name, member }: ForeignEntry,
  inputs: readonly Input[],
  context: ForeignContext,
): TakeOver {
  const value = valueOf(member.value);
  if (!isObject(value)) return { kind: 'left', reason: 'it is no object' };
  const converter = new Converter(context);
  const shaped = shapeEntry(value, converter);
  if (shaped.kind === 'left') return shaped;
  if (converter.problem !== undefined) return { kind: 'left', reason: converter.problem };
  const { entry, lost } = shaped;
  const used = check(name, entry, inputs).servers.flatMap((server) => inputIdsOf(server.entry));
  const needed = inputs.filter(({ id }) => used.includes(id));
  // Judged with its own inputs alone: a bad one elsewhere in the file is no matter of this server.
  const [problem] = check(name, entry, needed).problems;
  if (problem !== undefined) return { kind: 'left', reason: problem.message.replace(/\.$/, '') };
  return {
    kind: 'taken',
    server: { name, entry, inputs: needed },
    notes: [...converter.notes, ...lost.map((key) => `${quote(key)} is left out`)],
  };
}

function check(name: string, entry: Members, inputs: readonly Input[]) {
  const servers = Object.fromEntries([[name, entry]]);
  return parseConfig(JSON.stringify({ servers, inputs: inputs.map(({ value }) => value) }));
}
