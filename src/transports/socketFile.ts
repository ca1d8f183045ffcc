import { randomBytes } from 'node:crypto';
import { existsSync, type BigIntStats } from 'node:fs';
import { lstat, rename, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { dirname } from 'node:path';

/** How long somebody who listens may take to be noticed. */
const PROBE_MS = 1000;

/** Nobody but the owner may connect. */
const PRIVATE_UMASK = 0o177;

/**
 * Removes the socket that a process left behind which ended without doing so; says what stands in the way where it is
 * alive, or is no socket.
 */
export async function makeWay(path: string): Promise<string | undefined> {
  try {
    const found = await lstat(path, { bigint: true });
    if (!found.isSocket()) {
      return `${path} exists and is no socket. Remove it, or choose another path.`;
    }
    const code = await probe(path);
    if (code === undefined) return inUse(path);
    return code === 'ECONNREFUSED' ? await remove(path, found) : undefined;
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
 * Removes a socket that nobody listened on when it was looked at. Another process that starts at the same time may have
 * put its own in that place since: what is moved aside can be looked at again while nobody can replace it.
 */
async function remove(path: string, stale: BigIntStats): Promise<string | undefined> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  await rename(path, aside);
  const { ino, mtimeNs } = await lstat(aside, { bigint: true });
  if (ino !== stale.ino || mtimeNs !== stale.mtimeNs) {
    await rename(aside, path);
    return inUse(path);
  }
  await unlink(aside);
  return undefined;
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
