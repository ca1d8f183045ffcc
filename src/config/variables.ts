import { posix, win32 } from 'node:path';
import { nearestName } from './nearestName.ts';
import type { InputDefinition } from './schema.ts';
import type { ServerEntry } from './serverEntry.ts';

/** What variables are replaced with. */
export interface VariableContext {
  /** The folder the file belongs to; undefined where no folder is open. */
  readonly workspaceFolder: string | undefined;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inputs: readonly InputDefinition[];
  /** Asks the user; undefined where the user will not answer. Called for one input at a time. */
  readonly resolveInput: (id: string) => Promise<string | undefined>;
  readonly platform: NodeJS.Platform;
}

/** One variable as it stands in a text. */
export type Variable =
  | { readonly kind: 'workspaceFolder' | 'userHome' | 'pathSeparator' }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'input'; readonly id: string }
  | { readonly kind: 'unknown'; readonly message: string };

/** What became of the variables of one text. */
export type Substitution =
  | { readonly kind: 'text'; readonly text: string; readonly unset: readonly string[] }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'cancelled'; readonly input: string };

const VARIABLE = /\$\{([^}]*)\}/g;

const PLAIN = {
  workspaceFolder: 'workspaceFolder',
  userHome: 'userHome',
  pathSeparator: 'pathSeparator',
  '/': 'pathSeparator',
} as const;

const KNOWN = [...Object.keys(PLAIN), 'env:NAME', 'input:ID'].map((name) => `\${${name}}`);

function unknown(message: string): Variable {
  return { kind: 'unknown', message };
}

function readVariable(inner: string): Variable {
  if (Object.hasOwn(PLAIN, inner)) return { kind: PLAIN[inner as keyof typeof PLAIN] };
  const colon = inner.indexOf(':');
  const word = colon < 0 ? inner : inner.slice(0, colon);
  const argument = colon < 0 ? '' : inner.slice(colon + 1);
  if (word === 'env' || word === 'input') {
    if (argument === '') {
      const example = word === 'env' ? '${env:HOME}' : '${input:api-key}';
      return unknown(`\${${inner}} names nothing; write it like ${example}.`);
    }
    return word === 'env' ? { kind: 'env', name: argument } : { kind: 'input', id: argument };
  }
  if (/^[A-Z][A-Z0-9_]*$/.test(inner)) {
    return unknown(`Unknown variable \${${inner}}; for the environment write \${env:${inner}}.`);
  }
  const nearest = nearestName(word, Object.keys(PLAIN));
  return unknown(
    nearest === undefined
      ? `Unknown variable \${${inner}}; there are ${KNOWN.join(', ')}.`
      : `Unknown variable \${${inner}}; did you mean \${${nearest}}?`,
  );
}

/** The variables of one text, in the order in which they stand. */
export function variablesIn(text: string): Variable[] {
  return [...text.matchAll(VARIABLE)].map((match) => readVariable(match[1] ?? ''));
}

/** The message about an input that the file does not define. */
export function undefinedInput(id: string, ids: readonly string[]): string {
  const nearest = nearestName(id, ids);
  return nearest === undefined
    ? `\${input:${id}} is not defined; add { "id": "${id}", "type": "promptString" } to "inputs".`
    : `\${input:${id}} is not defined; did you mean \${input:${nearest}}?`;
}

function environmentValue(name: string, context: VariableContext): string | undefined {
  if (context.platform !== 'win32') return context.env[name];
  // Names of environment variables have no case on Windows.
  const found = Object.keys(context.env).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : context.env[found];
}

async function valueOfVariable(
  variable: Variable,
  context: VariableContext,
): Promise<Substitution> {
  const found = (text: string): Substitution => ({ kind: 'text', text, unset: [] });
  switch (variable.kind) {
    case 'workspaceFolder':
      if (context.workspaceFolder !== undefined) return found(context.workspaceFolder);
      return {
        kind: 'problem',
        message: '${workspaceFolder} stands for nothing: no folder is open. Write the whole path.',
      };
    case 'userHome':
      return found(context.userHome);
    case 'pathSeparator':
      return found(context.platform === 'win32' ? win32.sep : posix.sep);
    case 'env': {
      // Empty where it is not set, as in VS Code and in shells; the caller can warn.
      const value = environmentValue(variable.name, context);
      return { kind: 'text', text: value ?? '', unset: value === undefined ? [variable.name] : [] };
    }
    case 'input': {
      const { id } = variable;
      const ids = context.inputs.map((input) => input.id);
      if (!ids.includes(id)) return { kind: 'problem', message: undefinedInput(id, ids) };
      const answer = await context.resolveInput(id);
      return answer === undefined ? { kind: 'cancelled', input: id } : found(answer);
    }
    case 'unknown':
      return { kind: 'problem', message: variable.message };
  }
}

/** Replaces the variables of one text. What takes their place is not looked at again: it may hold `${`. */
export async function substitute(text: string, context: VariableContext): Promise<Substitution> {
  const unset: string[] = [];
  let result = '';
  let end = 0;
  for (const match of text.matchAll(VARIABLE)) {
    const value = await valueOfVariable(readVariable(match[1] ?? ''), context);
    if (value.kind !== 'text') return value;
    unset.push(...value.unset);
    result += text.slice(end, match.index) + value.text;
    end = match.index + match[0].length;
  }
  return { kind: 'text', text: result + text.slice(end), unset };
}

function textsOf(entry: ServerEntry): string[] {
  if (entry.kind === 'socket') return [entry.url];
  if (entry.kind !== 'stdio') {
    const settings = Object.values(entry.oauth ?? {}).filter((value) => typeof value === 'string');
    return [entry.url, ...Object.values(entry.headers), ...settings];
  }
  const { command, args, env, envFile = '', cwd = '' } = entry;
  const values = Object.values(env).filter((value) => typeof value === 'string');
  return [command, ...args, ...values, envFile, cwd];
}

/** The inputs an entry needs, each once, in the order in which they stand. */
export function inputIdsOf(entry: ServerEntry): string[] {
  const ids = textsOf(entry).flatMap((text) =>
    variablesIn(text).flatMap((variable) => (variable.kind === 'input' ? [variable.id] : [])),
  );
  return [...new Set(ids)];
}

/** Whether an entry can only be started after the user has answered something. */
export function needsInput(entry: ServerEntry): boolean {
  return inputIdsOf(entry).length > 0;
}
