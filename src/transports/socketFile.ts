import { existsSync } from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '../base/lock.ts';

/** How long somebody who listens may take to be noticed. */
const PROBE_MS = 1000;

/** A socket is there a moment before somebody listens on it; so long it is given for that. */
const SECOND_LOOK_MS = 50;

/** How long others that look at the same socket are waited for. */
const LOCK_MS = 10_000;

/** Nobody but the owner may connect. */
const PRIVATE_UMASK = 0o177;

/**
 * Removes the socket that a process left behind which ended without doing so; says what stands in the way where it is
 * alive, or is no socket.
 */
export async function makeWay(path: string): Promise<string | undefined> {
  try {
    if (!(await lstat(path)).isSocket()) {
      return `${path} exists and is no socket. Remove it, or choose another path.`;
    }
    const code = await probe(path);
    if (code === undefined) return inUse(path);
    return code === 'ECONNREFUSED' ? await remove(path) : undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return `The socket ${path} cannot be made: ${message}.`;
    return existsSync(dirname(path)) ? undefined : `The folder of ${path} does not exist. Make it.`;
  }
}

function inUse(path: string): string {
  return `Something listens at ${path} already.`;
}

/**
 * Removes a socket that nobody listens on. Several processes may start at the same time and find the same one: each looks
 * again while no other removes anything, so that none removes what another has put there.
 */
function remove(path: string): Promise<string | undefined> {
  const look = async (): Promise<string | undefined> => {
    let code = await probe(path);
    if (code === 'ECONNREFUSED') {
      await sleep(SECOND_LOOK_MS);
      code = await probe(path);
    }
    if (code === undefined) return inUse(path);
    if (code === 'ECONNREFUSED') await unlink(path);
    return undefined;
  };
  return withLock(`${path}.lock`, look, AbortSignal.timeout(LOCK_MS));
}

/** Listens on a socket that only its owner can connect to, from its first moment on. */
export function listenPrivately(server: Server, path: string, listening: () => void): void {
  // The file is made inside `listen`.
  const umask = process.umask(PRIVATE_UMASK);
  try {
    server.listen(path, listening);
  } finally {
    process.umask(umask);
  }
}

/** Why nobody can be reached there; undefined where somebody can. */
function probe(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path, timeout: PROBE_MS });
    const end = (code: string | undefined): void => {
      socket.destroy();
      resolve(code);
    };
    socket.once('connect', () => end(undefined));
    // Too busy to answer is alive.
    socket.once('timeout', () => end(undefined));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code ?? 'unknown'));
  });
}
