import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** What a server is reached over. */
export const TRANSPORTS = ['stdio', 'http', 'sse', 'socket', 'zap'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** A server on the SDK of a revision, as the target of a bridge; all of them have the same tools, as far as they can. */
export async function serverTarget(
  revision: Revision,
  transport: TransportName,
  log?: LineLog,
): Promise<{ readonly target: Target; readonly stop: () => Promise<void> }> {
  const modern = eraOf(revision) === 'modern';
  const file = `../fixtures/${modern ? 'everythingModern' : 'olderServers'}/${transport}.ts`;
  const path = fileURLToPath(new URL(file, import.meta.url));
  const args = modern ? [path] : [path, revision];
  const command = (...more: string[]): CommandLine => ({
    command: process.execPath,
    args: [...args, ...more],
  });
  if (transport === 'stdio') return { target: command(), stop: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'mcp-rosetta-server-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  const hasSocket = transport === 'socket' || transport === 'zap';
  try {
    const server = await startListening(
      hasSocket ? command(join(folder, 'server.sock')) : command(),
      {},
      log,
    );
    const stop = async (): Promise<void> => {
      await server.stop();
      removeFolder();
    };
    return { target: { url: server.url }, stop };
  } catch (error) {
    removeFolder();
    throw error;
  }
}
