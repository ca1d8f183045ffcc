import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often whoever waits looks again. */
const LOOK_MS = 100;
/** How often a lock's owner shows that it is alive, and how long one may be silent. */
const BEAT_MS = 2_000;
const SILENCE_MS = 15_000;
/** Most locks are let go of before anybody needs to be told that there is one. */
const LOOKS_UNTOLD = 20;

/**
 * Does a piece of work while nobody else holds the lock of this file. The lock of a program that ended without letting go
 * is taken over. Rejects where `signal` aborts before it is had, or as the work does. `onWaiting` is called once where
 * somebody has it for longer.
 */
export async function withLock<T>(
  file: string,
  work: () => Promise<T>,
  signal: AbortSignal,
  onWaiting?: () => void,
): Promise<T> {
  const mine = ownMark();
  for (let looks = 0; !(await take(file, mine)); looks++) {
    if (looks === LOOKS_UNTOLD) onWaiting?.();
    await removeLeft(file);
    await sleep(LOOK_MS, undefined, { signal });
  }
  const beat = setInterval(() => {
    const now = new Date();
    // A lock that somebody took over is no longer ours to keep.
    void utimes(file, now, now).catch(() => undefined);
  }, BEAT_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    // Nor to let go.
    if ((await contentOf(file)) === mine) await rm(file, { force: true });
  }
}

/** Says whose a lock is: the process means something on its own machine only, and a home may be shared by several. */
function ownMark(): string {
  return `${process.pid} ${hostname()} ${randomUUID()}\n`;
}

async function take(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock that its owner has left. Of those who find it, one at a time looks and removes: between the two, another
 * one could remove it as well, a third one take the lock anew, and the removal hit that one.
 */
async function removeLeft(file: string): Promise<void> {
  if (!(await isLeft(file))) return;
  const removal = `${file}.removal`;
  if (await take(removal, ownMark())) {
    if (await isLeft(file)) await rm(file, { force: true });
    await rm(removal, { force: true });
  } else if (await isLeft(removal)) {
    await rm(removal, { force: true });
  }
}

async function isLeft(file: string): Promise<boolean> {
  try {
    const [{ mtimeMs }, content] = await Promise.all([stat(file), readFile(file, 'utf8')]);
    const [pid, host] = content.trimEnd().split(' ');
    const isSilent = Date.now() - mtimeMs > SILENCE_MS;
    return isSilent || (host === hostname() && !isAlive(Number(pid)));
  } catch {
    // It is gone already.
    return false;
  }
}

async function contentOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

function isAlive(pid: number): boolean {
  // A file that is being written has no number in it yet.
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
