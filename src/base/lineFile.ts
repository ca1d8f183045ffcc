import {
  appendFileSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readSync,
} from 'node:fs';
import { fileProblem } from './fileProblem.ts';

/** A file that lines are written to, one after the other. It never throws. */
export interface LineFile {
  write(...lines: readonly string[]): void;
  close(): void;
}

/**
 * Opens a file of lines for its owner alone, or says why it cannot be written; one that fails later is told of once, and
 * left as it is. `name` is what messages call it. What stands in it already stays, so that runs follow each other, unless
 * it is to be replaced.
 */
export function openLineFile(
  path: string,
  name: string,
  onFailed: (message: string) => void,
  beginning: 'append' | 'replace' = 'append',
): { kind: 'open'; file: LineFile } | { kind: 'failed'; message: string } {
  let descriptor: number;
  try {
    const isCut = beginning === 'append' && endsWithin(path);
    descriptor = openSync(path, beginning === 'append' ? 'a' : 'w', 0o600);
    if (isCut) appendFileSync(descriptor, '\n');
    // A file that was there has kept the mode that it had.
    if (beginning === 'replace') fchmodSync(descriptor, 0o600);
  } catch (error) {
    return {
      kind: 'failed',
      message: `Cannot write the ${name} ${path}: ${fileProblem(error, 'write')}`,
    };
  }
  let failed = false;
  const attempt = (action: () => void): void => {
    if (failed) return;
    try {
      action();
    } catch (error) {
      // A disk that is full, for one; the conversation goes on without it.
      failed = true;
      onFailed(`Cannot go on with the ${name}: ${fileProblem(error, 'write')}`);
    }
  };
  return {
    kind: 'open',
    file: {
      write: (...lines) => {
        if (lines.length > 0) attempt(() => appendFileSync(descriptor, `${lines.join('\n')}\n`));
      },
      close: () => attempt(() => closeSync(descriptor)),
    },
  };
}

/** Whether a file ends in the middle of a line, since its writer was ended there. */
function endsWithin(path: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // Not there, or not to be read; opening it to write says what is wrong.
    return false;
  }
  try {
    const file = fstatSync(descriptor);
    if (!file.isFile() || file.size === 0) return false;
    const last = Buffer.alloc(1);
    readSync(descriptor, last, 0, 1, file.size - 1);
    return last.toString('latin1') !== '\n';
  } finally {
    closeSync(descriptor);
  }
}
