import { fileURLToPath } from 'node:url';

import type { CommandLine } from './childProcess.ts';

/** The command that starts a server of `test/fixtures`. */
export function fixtureCommand(folder: string, entry: 'stdio' | 'http'): CommandLine {
  const path = fileURLToPath(new URL(`../fixtures/${folder}/${entry}.ts`, import.meta.url));
  return { command: process.execPath, args: [path] };
}
