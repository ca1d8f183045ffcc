import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../base/lock.ts';
import { makePrivateFolder, replaceFile } from '../base/replaceFile.ts';
import { readGrants, type Grant } from '../transports/authorization/grant.ts';
import type { GrantStore } from '../transports/authorization/signIn.ts';
import { stateFolder } from './stateFolder.ts';

/** The folder where sign-ins are kept. */
export function grantFolder(env: NodeJS.ProcessEnv): string {
  return join(stateFolder(env), 'sign-ins');
}

/**
 * Keeps what servers' authorization servers granted: one file for each server, which only the user can read.
 *
 * Invariants: a file is replaced whole, so that whoever reads it at any moment reads one that is complete; it holds no
 * secret of the configuration.
 *
 * `onWaiting` is told of a server whose sign-in another program is at for longer.
 */
export function createGrantStore(folder: string, onWaiting?: (server: string) => void): GrantStore {
  const fileOf = (server: string): string =>
    join(folder, createHash('sha256').update(server).digest('hex'));
  return {
    read: async (server) => readFrom(`${fileOf(server)}.json`, server),
    write: async (server, grants) => {
      const file = `${fileOf(server)}.json`;
      if (grants.length === 0) {
        await rm(file, { force: true });
        return;
      }
      await makePrivateFolder(folder);
      await replaceFile(file, JSON.stringify({ server, grants }), 0o600);
    },
    alone: async (server, work, signal) => {
      // Where nothing can be written there is nothing to share either.
      const canLock = await makePrivateFolder(folder).then(
        () => true,
        () => false,
      );
      return canLock
        ? withLock(`${fileOf(server)}.lock`, work, signal, () => onWaiting?.(server))
        : work();
    },
  };
}

async function readFrom(file: string, server: string): Promise<readonly Grant[]> {
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    const isOurs = typeof content === 'object' && content !== null && 'server' in content;
    return isOurs && content.server === server && 'grants' in content
      ? readGrants(content.grants)
      : [];
  } catch {
    // Absent or damaged: nothing is kept.
    return [];
  }
}
