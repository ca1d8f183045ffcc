import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';

/** What reading a file of environment variables came to. */
export type EnvFile =
  | { readonly kind: 'env'; readonly env: Readonly<Record<string, string>> }
  | { readonly kind: 'problem'; readonly message: string };

/** The variables of a text of `NAME=value` lines; lines that are none are passed over. */
export function parseEnvText(text: string): Record<string, string> {
  const entries = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')));
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']));
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'reading it is not permitted';
    case 'EISDIR':
      return 'it is a folder';
    default:
      return typeof code === 'string' ? code : String(error);
  }
}

/** Reads a file of environment variables; never throws. */
export async function readEnvFile(path: string): Promise<EnvFile> {
  try {
    return { kind: 'env', env: parseEnvText(await readFile(path, 'utf8')) };
  } catch (error) {
    // Whatever the file system says about a path from the file is for its author to read.
    return { kind: 'problem', message: `The file ${path} cannot be read: ${reasonOf(error)}.` };
  }
}
