import type { Node } from 'jsonc-parser';
import type { ConfigProblem } from './configProblem.ts';
import { explainIssues } from './explainIssue.ts';
import { nodeAt, rangeOf, valueOf } from './jsonTree.ts';
import { promptStringInput, pickStringInput, type InputDefinition } from './schema.ts';
import { quote } from './quote.ts';

/** What `inputs` came to. */
export interface Inputs {
  readonly inputs: readonly InputDefinition[];
  /** Every id that is written down, those of bad inputs too: they are not missing. */
  readonly ids: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

function typeMessage(type: unknown): string {
  return type === 'command'
    ? '"type": "command" is not supported, because it runs a command of the editor; use "promptString" or "pickString".'
    : '"type" must be "promptString" (an answer to type) or "pickString" (a choice from "options").';
}

function parseInput(node: Node): InputDefinition | ConfigProblem[] {
  if (node.type !== 'object') {
    const message = 'An input must be an object, such as { "id": "key", "type": "promptString" }.';
    return [{ message, ...rangeOf(node) }];
  }
  const id = nodeAt(node, ['id']);
  const type = nodeAt(node, ['type']);
  const schema = { promptString: promptStringInput, pickString: pickStringInput };
  const kind: unknown = type?.value;
  if (kind !== 'promptString' && kind !== 'pickString') {
    return [{ message: typeMessage(kind), ...rangeOf(type ?? id ?? node) }];
  }
  const parsed = schema[kind].safeParse(valueOf(node));
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema[kind].shape);
  return explainIssues(parsed.error.issues, {
    node,
    subject: typeof id?.value === 'string' ? `Input ${quote(id.value)}` : 'This input',
    fallback: rangeOf(type ?? node),
    known: () => known,
    adviceOn: (name) =>
      name === 'options' || name === 'password'
        ? `"${name}" is for inputs of type "${kind === 'pickString' ? 'promptString' : 'pickString'}".`
        : undefined,
  });
}

/** Reads `inputs`; a bad one never takes the others. */
export function parseInputs(node: Node | undefined): Inputs {
  if (node === undefined) return { inputs: [], ids: [], problems: [] };
  if (node.type !== 'array') {
    const message = '"inputs" must be a list: [ { "id": "key", "type": "promptString" } ].';
    return { inputs: [], ids: [], problems: [{ message, ...rangeOf(node) }] };
  }
  const inputs: InputDefinition[] = [];
  const problems: ConfigProblem[] = [];
  const ids = new Set<string>();
  for (const item of node.children ?? []) {
    const parsed = parseInput(item);
    const id = item.type === 'object' ? nodeAt(item, ['id']) : undefined;
    if (Array.isArray(parsed)) problems.push(...parsed);
    else if (!inputs.some((input) => input.id === parsed.id)) inputs.push(parsed);
    else if (id !== undefined) {
      const message = `There is already an input with the id ${quote(parsed.id)}; this one is not used.`;
      problems.push({ message, ...rangeOf(id) });
    }
    if (typeof id?.value === 'string') ids.add(id.value);
  }
  return { inputs, ids: [...ids], problems };
}
