import { chmod, chown, mkdir, open, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileProblem } from '../base/fileProblem.ts';
import { replaceFile } from '../base/replaceFile.ts';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** A text file as it was read. */
export interface TextFile {
  /** As it was named, for messages. */
  readonly name: string;
  /** Where it really is: behind every link. */
  readonly path: string;
  readonly mode: number;
  readonly owner: Owner;
  /** With its byte order mark, where it has one. */
  readonly text: string;
}

/** What reading a file came to; `missing`: there is none. */
export type FileReading =
  | { readonly kind: 'file'; readonly file: TextFile }
  | { readonly kind: 'missing' | 'failed'; readonly message: string };

/** Reads a file of UTF-8; never throws. */
export async function readTextFile(name: string): Promise<FileReading> {
  try {
    const path = await realpath(name);
    const [bytes, { mode, uid, gid }] = await Promise.all([readFile(path), stat(path)]);
    const text = decode(bytes);
    if (text === undefined) return { kind: 'failed', message: `${name} is not written in UTF-8.` };
    return { kind: 'file', file: { name, path, mode: mode & 0o777, owner: { uid, gid }, text } };
  } catch (error) {
    const kind = codeOf(error) === 'ENOENT' ? 'missing' : 'failed';
    const message =
      kind === 'missing'
        ? `There is no file ${name}.`
        : `Cannot read ${name}: ${fileProblem(error, 'read')}`;
    return { kind, message };
  }
}

/** Puts a new text in the place of one that was read, in one step and with the same mode; gives what went wrong. */
export async function replaceText(file: TextFile, text: string): Promise<string | undefined> {
  const now = await readTextFile(file.path);
  if (now.kind !== 'file' || now.file.text !== file.text) {
    return `${file.name} has changed meanwhile; nothing was written. Try again.`;
  }
  try {
    // A new file takes its place, for which the right to write into the folder would do.
    await (await open(file.path, 'r+')).close();
  } catch (error) {
    return `Cannot write ${file.name}: ${fileProblem(error, 'write')}`;
  }
  return put(file.name, file.path, text, file.mode, file.owner);
}

/** Makes a new file and the folder that it is in; gives what went wrong. */
export async function createText(
  name: string,
  text: string,
  mode: number,
): Promise<string | undefined> {
  const path = resolve(name);
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    return `Cannot write ${name}: ${fileProblem(error, 'write')}`;
  }
  return put(name, path, text, mode);
}

/** Writes a file, and gives what went wrong. */
async function put(
  name: string,
  path: string,
  text: string,
  mode: number,
  owner?: Owner,
): Promise<string | undefined> {
  try {
    await replaceFile(path, text, mode, async (fresh) => {
      // What the process may not give at once, it may give now.
      await chmod(fresh, mode);
      // Root may write what is another's, and must not take it away.
      const self = process.geteuid?.();
      if (owner !== undefined && self !== undefined && owner.uid !== self) {
        await chown(fresh, owner.uid, owner.gid);
      }
    });
    return undefined;
  } catch (error) {
    return `Cannot write ${name}: ${fileProblem(error, 'write')}`;
  }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
