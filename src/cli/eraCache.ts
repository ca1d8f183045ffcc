import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EraMemory } from '../bridge/bridgeOptions.ts';
import type { ResolvedServer } from '../config/resolve.ts';
import type { Era } from '../protocol/revision.ts';

/** Where the eras are remembered between runs; it holds hashes and eras, nothing else. */
export function eraCacheFile(env: NodeJS.ProcessEnv): string {
  const folder =
    process.platform === 'win32'
      ? (env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'))
      : (env.XDG_CACHE_HOME ?? join(homedir(), '.cache'));
  return join(folder, 'mcp-rosetta', 'eras.json');
}

/** The memory of one server's era in a cache file; a file that cannot be read or written only costs a probe. */
export function eraMemory(server: ResolvedServer, file: string): EraMemory {
  const key = createHash('sha256')
    .update(JSON.stringify(partsOf(server)))
    .digest('hex');
  let known = read(file).get(key);
  return {
    recall: () => known,
    remember: (era) => {
      if (era === known) return;
      known = era;
      // Read anew: other runs write here too.
      const eras = read(file);
      eras.set(key, era);
      write(file, eras);
    },
  };
}

function partsOf(server: ResolvedServer): readonly string[] {
  switch (server.kind) {
    case 'stdio':
      return [server.command, ...server.args, server.cwd];
    case 'http':
    case 'sse':
    case 'zap':
      return [server.url];
    case 'socket':
      return ['socket', server.path];
  }
}

function read(file: string): Map<string, Era> {
  const eras = new Map<string, Era>();
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof content !== 'object' || content === null) return eras;
    for (const [key, era] of Object.entries(content as Record<string, unknown>)) {
      if (era === 'legacy' || era === 'modern') eras.set(key, era);
    }
  } catch {
    // Absent or damaged: nothing is remembered.
  }
  return eras;
}

function write(file: string, eras: ReadonlyMap<string, Era>): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, JSON.stringify(Object.fromEntries(eras)), { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    // A cache that cannot be kept is no reason to fail.
  }
}
