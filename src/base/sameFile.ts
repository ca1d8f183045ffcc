import { readlinkSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** More links in a row than the system follows. */
const MAX_LINKS = 40;

/** Whether two paths name one file, however they are spelled and whatever links lead there, be it there already or not. */
export function isSameFile(one: string, other: string): boolean {
  return identityOf(one) === identityOf(other);
}

function identityOf(path: string, links = 0): string {
  const number = numberOf(path);
  if (number !== undefined) return number;
  const to = links < MAX_LINKS ? linkAt(path) : undefined;
  if (to !== undefined) return identityOf(resolve(dirname(path), to), links + 1);
  const folder = dirname(resolve(path));
  return `${numberOf(folder) ?? folder}/${foldCase(basename(resolve(path)))}`;
}

/** The number that a file has on this machine; undefined where there is none. */
function numberOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Where a link leads whose file is not there yet. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The file systems of these machines usually take both spellings for one name. */
function foldCase(name: string): string {
  return process.platform === 'win32' || process.platform === 'darwin' ? name.toLowerCase() : name;
}
