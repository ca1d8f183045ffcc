import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLineFile, type LineFile } from '../../../src/base/lineFile.ts';

function open(
  path: string,
  beginning?: 'append' | 'replace',
): { file: LineFile; failures: string[] } {
  const failures: string[] = [];
  const tell = (message: string): unknown => failures.push(message);
  const opened = openLineFile(path, 'report file', tell, beginning);
  if (opened.kind === 'failed') throw new Error(opened.message);
  return { file: opened.file, failures };
}

test('runs follow each other in one file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'report.jsonl');
  for (let run = 0; run < 2; run++) {
    const { file, failures } = open(path);
    file.write('a', 'b');
    file.write();
    file.close();
    expect(failures).toEqual([]);
  }
  expect(readFileSync(path, 'utf8')).toBe('a\nb\na\nb\n');
});

test.each([
  ['a\nb', 'a\nb\nc\n'],
  ['a\n', 'a\nc\n'],
  ['', 'c\n'],
])('a line that was cut off as its writer ended stays one of its own: %j', (before, after) => {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'report.jsonl');
  writeFileSync(path, before);
  const { file } = open(path);
  file.write('c');
  file.close();
  expect(readFileSync(path, 'utf8')).toBe(after);
});

test('a file that is replaced belongs to its owner alone, whoever could read it before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'report.jsonl');
  writeFileSync(path, 'before\n', { mode: 0o644 });
  const { file } = open(path, 'replace');
  file.write('a');
  file.close();
  expect(readFileSync(path, 'utf8')).toBe('a\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that cannot be opened says why', () => {
  const opened = openLineFile('/no-such-folder/report.jsonl', 'report file', () => undefined);
  if (opened.kind === 'open') throw new Error('It was opened.');
  expect(opened.message).toMatch(/^Cannot write the report file .*: its folder does not exist\.$/);
});

test('a disk that is full is told of once, and throws nothing', () => {
  const { file, failures } = open('/dev/full');
  file.write('a');
  file.write('b');
  file.close();
  expect(failures).toEqual([
    expect.stringMatching(/^Cannot go on with the report file: the disk is full\.$/),
  ]);
});
