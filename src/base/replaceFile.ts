import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Puts a text in the place of whatever a file holds: whoever reads the file at any moment reads one that is complete.
 * `prepare` is given the new file before it takes its place. Rejects where that cannot be done, and leaves nothing.
 */
export async function replaceFile(
  path: string,
  text: string,
  mode: number,
  prepare?: (fresh: string) => Promise<void>,
): Promise<void> {
  const fresh = `${path}.${randomUUID()}`;
  try {
    await writeFile(fresh, text, { mode, flag: 'wx', flush: true });
    await prepare?.(fresh);
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** A folder for its owner alone, also where it was there before. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}
