import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createText, readTextFile, replaceText, type TextFile } from '../../../src/cli/textFile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rosetta-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

async function read(path: string): Promise<TextFile> {
  const reading = await readTextFile(path);
  if (reading.kind !== 'file') throw new Error(reading.message);
  return reading.file;
}

test('a file is replaced behind its link, with its mode, and nothing is left beside it', async () => {
  const real = join(folder, 'real.json');
  const link = join(folder, 'link.json');
  writeFileSync(real, '\uFEFFa\r\n');
  chmodSync(real, 0o640);
  symlinkSync('real.json', link);
  const file = await read(link);
  expect(file.text).toBe('\uFEFFa\r\n');
  expect(await replaceText(file, '\uFEFFb\r\n')).toBeUndefined();
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toBe('\uFEFFb\r\n');
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder).toSorted()).toEqual(['link.json', 'real.json']);
});

test('a file that somebody has written meanwhile is left to them', async () => {
  const path = join(folder, 'a.json');
  writeFileSync(path, 'a');
  const file = await read(path);
  writeFileSync(path, 'theirs');
  expect(await replaceText(file, 'b')).toContain('has changed meanwhile');
  expect(readFileSync(path, 'utf8')).toBe('theirs');
});

test('a file that may not be written is not replaced either', async () => {
  const path = join(folder, 'a.json');
  writeFileSync(path, 'a');
  chmodSync(path, 0o444);
  const file = await read(path);
  expect(await withoutPrivileges(() => replaceText(file, 'b'))).toBe(
    `Cannot write ${path}: you may not.`,
  );
  expect(readFileSync(path, 'utf8')).toBe('a');
  expect(readdirSync(folder)).toEqual(['a.json']);
});

/** Does a piece of work as somebody to whom modes apply, who has the folder and all that is in it. */
async function withoutPrivileges<T>(work: () => Promise<T>): Promise<T> {
  const nobody = 65_534;
  if (process.geteuid?.() !== 0) return work();
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
    chownSync(path, nobody, nobody);
  }
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

test('a new file has the mode that was asked for, whatever the mask', async () => {
  const path = join(folder, 'new', 'a.json');
  expect(await createText(path, 'a', 0o600)).toBeUndefined();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each([
  ['missing.json', 'missing', 'There is no file'],
  ['.', 'failed', 'Cannot read'],
  ['latin1.json', 'failed', 'is not written in UTF-8'],
])('%s cannot be read, and the message says why', async (name, kind, message) => {
  writeFileSync(join(folder, 'latin1.json'), Buffer.from([0x22, 0xe9, 0x22]));
  const reading = await readTextFile(join(folder, name));
  expect(reading).toEqual({ kind, message: expect.stringContaining(message) as string });
});

test('what cannot be written is a message', async () => {
  writeFileSync(join(folder, 'file'), '');
  expect(await createText(join(folder, 'file', 'a.json'), 'a', 0o600)).toContain('Cannot write');
});
