import { createHash } from 'node:crypto';
import type { ServerEntry } from './serverEntry.ts';
import { quote } from './quote.ts';

type Values = Readonly<Record<string, string | number | null>>;

/** The members in one order, whatever theirs in the file. */
function sorted(values: Values): [string, string | number | null][] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function partsOf(entry: ServerEntry): readonly unknown[] {
  switch (entry.kind) {
    case 'stdio': {
      const { command, args, env, envFile = null, cwd = null } = entry;
      return [command, args, sorted(env), envFile, cwd];
    }
    case 'http':
    case 'sse':
      return [entry.url, sorted(entry.headers), ...(entry.oauth ? [sorted(entry.oauth)] : [])];
    case 'socket':
      return [entry.url];
  }
}

/**
 * The fingerprint of what the user agrees to run: everything that says what is started or called, as written in the
 * file, and the folder that it is relative to. It holds no name, so that consent does not move with one, and no answer
 * to an input.
 */
export function consentHash(entry: ServerEntry, workspaceFolder: string | undefined): string {
  // As JSON, because it keeps the parts apart and writes lone surrogates as escapes instead of losing them.
  const canonical = JSON.stringify([entry.kind, workspaceFolder ?? null, ...partsOf(entry)]);
  return createHash('sha256').update(canonical).digest('hex');
}

function assignments(title: string, values: Values, separator: string): string[] {
  const lines = sorted(values).map(([name, value]) => {
    if (value === null) return `  ${quote(name)} is removed`;
    return `  ${quote(name)}${separator}${quote(String(value))}`;
  });
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

/**
 * What an entry would run or call, in full and as written in the file, for the question whether it may: every text in
 * quotes, hidden characters as escapes.
 */
export function commandLine(entry: ServerEntry): string {
  if (entry.kind === 'socket') return `Socket: ${quote(entry.url)}`;
  if (entry.kind !== 'stdio') {
    return [
      `Address: ${quote(entry.url)}`,
      ...assignments('Headers', entry.headers, ': '),
      ...assignments('Sign-in', entry.oauth ?? {}, ': '),
    ].join('\n');
  }
  return [
    `Command: ${[entry.command, ...entry.args].map(quote).join(' ')}`,
    ...(entry.cwd === undefined ? [] : [`Folder: ${quote(entry.cwd)}`]),
    ...(entry.envFile === undefined ? [] : [`Environment file: ${quote(entry.envFile)}`]),
    ...assignments('Environment', entry.env, '='),
  ].join('\n');
}
