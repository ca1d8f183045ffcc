import { basename } from 'node:path';
import type { Program } from './program.ts';

/** What the variables of another program are replaced with. */
export interface ForeignContext {
  readonly program: Program | undefined;
  /** The folder that the other program's file belongs to; undefined for a user's own. */
  readonly project: string | undefined;
  /** The folder that the configuration made from it will belong to. */
  readonly target: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The text with the variables that this bridge knows; `note` is what became of one that it does not. */
export type Converted =
  | { readonly kind: 'text'; readonly text: string; readonly notes: readonly string[] }
  | { readonly kind: 'problem'; readonly message: string };

const VARIABLE = /\$\{([^}]*)\}/g;
const ENVIRONMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** The programs that replace `${env:NAME}` and the names of folders; of an unknown one both spellings are taken. */
const EDITORS: ReadonlySet<Program | undefined> = new Set(['vscode', 'cursor', undefined]);
/** Those that replace `${NAME}` and `${NAME:-default}`. */
const SHELL_LIKE: ReadonlySet<Program | undefined> = new Set(['claude-code', undefined]);
const WITH_ENV: ReadonlySet<Program | undefined> = new Set([...EDITORS, 'windsurf']);
/** Those that replace nothing: what looks like a variable is meant as it stands. */
const LITERAL: ReadonlySet<Program | undefined> = new Set(['claude-desktop', 'zed']);

type Replacement =
  { readonly text: string; readonly note?: string } | { readonly problem: string } | undefined;

function ofFolder(inner: string, { program, project, target }: ForeignContext): Replacement {
  if (!EDITORS.has(program)) return undefined;
  const isElsewhere = project !== undefined && project !== target;
  switch (inner) {
    case 'userHome':
    case 'pathSeparator':
    case '/':
      return { text: `\${${inner}}` };
    case 'workspaceFolder':
      return { text: isElsewhere ? project : '${workspaceFolder}' };
    case 'workspaceFolderBasename':
      return project === undefined ? undefined : { text: basename(project) };
    default:
      return undefined;
  }
}

function ofEnvironment(inner: string, context: ForeignContext): Replacement {
  if (WITH_ENV.has(context.program) && /^env:./.test(inner)) return { text: `\${${inner}}` };
  const [, name, fallback] = ENVIRONMENT.exec(inner) ?? [];
  if (name === undefined || !SHELL_LIKE.has(context.program)) return undefined;
  if (name === 'CLAUDE_PROJECT_DIR') {
    return { text: context.project ?? '${workspaceFolder}' };
  }
  if (fallback === undefined) return { text: `\${env:${name}}` };
  const isSet = context.env[name] !== undefined && context.env[name] !== '';
  return isSet
    ? { text: `\${env:${name}}`, note: `the default of \${${name}:-…} is gone, as ${name} is set` }
    : { text: fallback, note: `\${${name}:-…} is its default now, as ${name} is not set` };
}

function replacementOf(inner: string, context: ForeignContext): Replacement {
  const { program } = context;
  if (LITERAL.has(program)) {
    return { problem: `it holds \${${inner}} as a text, which MCP Rosetta would replace` };
  }
  if (/^input:./.test(inner) && (program === 'vscode' || program === undefined)) {
    return { text: `\${${inner}}` };
  }
  return ofFolder(inner, context) ?? ofEnvironment(inner, context);
}

/** Puts the variables of another program's text into this bridge's spelling. */
export function convertVariables(text: string, context: ForeignContext): Converted {
  const notes: string[] = [];
  let result = '';
  let end = 0;
  for (const match of text.matchAll(VARIABLE)) {
    const inner = match[1] ?? '';
    const found = replacementOf(inner, context);
    if (found === undefined || 'problem' in found) {
      const message = found?.problem ?? `it uses \${${inner}}, which MCP Rosetta does not know`;
      return { kind: 'problem', message };
    }
    if (found.note !== undefined) notes.push(found.note);
    result += text.slice(end, match.index) + found.text;
    end = match.index + match[0].length;
  }
  return { kind: 'text', text: result + text.slice(end), notes };
}
