import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often whoever waits looks again. */
const LOOK_MS = 100;
/** How often a lock's owner shows that it is alive, and how long one may be silent. */
const BEAT_MS = 2_000;
const SILENCE_MS = 15_000;

/**
 * Does a piece of work while nobody else holds the lock of this file. The lock of a program that ended without letting go
 * is taken over. Rejects where `signal` aborts before it is had, or as the work does.
 */
export async function withLock<T>(
  file: string,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const mine = `${process.pid}\n`;
  while (!(await take(file, mine))) {
    await removeStale(file);
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
    await rm(file, { force: true });
  }
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

async function removeStale(file: string): Promise<void> {
  try {
    const [{ mtimeMs }, content] = await Promise.all([stat(file), readFile(file, 'utf8')]);
    const isSilent = Date.now() - mtimeMs > SILENCE_MS;
    if (isSilent || !isAlive(Number(content))) await rm(file, { force: true });
  } catch {
    // It is gone already.
  }
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
