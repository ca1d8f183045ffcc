import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../base/lock.ts';
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
 */
export function createGrantStore(folder: string): GrantStore {
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
      await makeFolder(folder);
      const fresh = `${file}.${randomUUID()}`;
      try {
        await writeFile(fresh, JSON.stringify({ server, grants }), { mode: 0o600, flush: true });
        await rename(fresh, file);
      } catch (error) {
        await rm(fresh, { force: true });
        throw error;
      }
    },
    alone: async (server, work, signal) => {
      // Where nothing can be written there is nothing to share either.
      const canLock = await makeFolder(folder).then(
        () => true,
        () => false,
      );
      return canLock ? withLock(`${fileOf(server)}.lock`, work, signal) : work();
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

/** The folder is for its owner alone, also where it was there before. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}
