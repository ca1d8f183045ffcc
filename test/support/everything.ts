import { fileURLToPath } from 'node:url';

import { startListening, type CommandLine, type Listening } from './childProcess.ts';
import type { Target } from './cli.ts';
import type { LineLog } from './lineLog.ts';

/** Which of the two everything servers: the one of 2026-07-28 alone, or the one of the revisions before it. */
export type Era = 'modern' | 'legacy';

export type UpstreamTransport = 'stdio' | 'http';

function fixture(era: Era, entry: UpstreamTransport): CommandLine {
  const folder = era === 'modern' ? 'everythingModern' : 'everythingLegacy';
  const path = fileURLToPath(new URL(`../fixtures/${folder}/${entry}.ts`, import.meta.url));
  return { command: process.execPath, args: [path] };
}

/** An everything server over HTTP, in a process of its own. */
export async function startEverything(era: Era, log?: LineLog): Promise<Listening> {
  return startListening(fixture(era, 'http'), {}, log);
}

/** An everything server as the target of a bridge: a command for it to run, or a server that runs already. */
export async function everythingTarget(
  era: Era,
  transport: UpstreamTransport,
  log?: LineLog,
): Promise<{ readonly target: Target; readonly stop: () => Promise<void> }> {
  if (transport === 'stdio') return { target: fixture(era, 'stdio'), stop: async () => undefined };
  const server = await startEverything(era, log);
  return { target: { url: server.url }, stop: server.stop };
}
