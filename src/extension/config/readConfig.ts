import * as vscode from 'vscode';
import type { ConfigFile } from '../../config/parseConfig.ts';
import type { ConfigSource } from './configSource.ts';

/** A configuration file as it was read last. */
export interface LoadedConfig extends ConfigFile {
  readonly source: ConfigSource;
  readonly text: string;
}

/** Reads a file; undefined where there is none. */
export async function readConfig(source: ConfigSource): Promise<LoadedConfig | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await vscode.workspace.fs.readFile(source.uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The file cannot be read: ${reason}`;
    const problems = [{ message, offset: 0, length: 0 }];
    return { source, text: '', servers: [], inputs: [], problems, isComplete: false };
  }
  const text = new TextDecoder().decode(bytes);
  // Not before there is a file: most workspaces have none.
  const { parseConfig } = await import('../../config/parseConfig.ts');
  return { source, text, ...parseConfig(text) };
}

/** The same file with the servers it had before, where it cannot be read in full: they were not removed. */
export function withServersOf(
  previous: LoadedConfig | undefined,
  next: LoadedConfig,
): LoadedConfig {
  if (previous === undefined || next.isComplete) return next;
  const known = new Set([
    ...next.servers.map(({ name }) => name),
    ...next.problems.map(({ server }) => server),
  ]);
  const kept = previous.servers.filter(({ name }) => !known.has(name));
  const inputs = next.inputs.length > 0 ? next.inputs : previous.inputs;
  return { ...next, servers: [...next.servers, ...kept], inputs };
}
