import { fileURLToPath } from 'node:url';

import { eraOf, type Revision } from '../../src/protocol/revision.ts';
import { startListening, type CommandLine, type Listening } from './childProcess.ts';
import type { Target } from './cli.ts';
import { fixtureCommand } from './fixture.ts';
import type { LineLog } from './lineLog.ts';

/** Which of the two everything servers: the one of 2026-07-28 alone, or the one of the revisions before it. */
export type Era = 'modern' | 'legacy';

export type UpstreamTransport = 'stdio' | 'http';

function fixture(era: Era, entry: UpstreamTransport): CommandLine {
  return fixtureCommand(era === 'modern' ? 'everythingModern' : 'everythingLegacy', entry);
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

/** A server on the SDK of a revision, as the target of a bridge; all of them have the same tools, as far as they can. */
export async function serverTarget(
  revision: Revision,
  transport: UpstreamTransport | 'sse',
  log?: LineLog,
): Promise<{ readonly target: Target; readonly stop: () => Promise<void> }> {
  if (eraOf(revision) === 'modern') {
    if (transport === 'sse') throw new Error('HTTP+SSE is of the legacy era alone.');
    return everythingTarget('modern', transport, log);
  }
  const path = fileURLToPath(new URL(`../fixtures/olderServers/${transport}.ts`, import.meta.url));
  const command = { command: process.execPath, args: [path, revision] };
  if (transport === 'stdio') return { target: command, stop: async () => undefined };
  const server = await startListening(command, {}, log);
  return { target: { url: server.url }, stop: server.stop };
}
