import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments.ts';

const folder = mkdtempSync(join(tmpdir(), 'rosetta-written-'));
const at = (...parts: string[]): string => `${folder}/${parts.join('/')}`;

beforeAll(() => {
  mkdirSync(at('sub'));
  writeFileSync(at('there'), '');
  writeFileSync(at('other'), '');
  linkSync(at('there'), at('second-name'));
  symlinkSync('there', at('link'));
  symlinkSync('sub/../new', at('dangling'));
  symlinkSync('dangling', at('to-dangling'));
  symlinkSync('circle', at('circle'));
  symlinkSync(at('sub'), at('folder-link'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const server = ['--', 'node', 's.js'];

test.each([
  ['new', 'new'],
  ['there', 'there'],
  ['new', 'sub/../new'],
  ['new', './/new'],
  ['there', 'second-name'],
  ['link', 'there'],
  ['new', 'dangling'],
  ['to-dangling', 'dangling'],
  ['sub/new', 'folder-link/new'],
  ['missing/new', 'missing/./new'],
  ['circle', 'circle'],
])('flags that write one file, %s and %s, are refused', (one, other) => {
  for (const [record, report] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const command of ['stdio', 'serve', 'tools']) {
      const argv = [command, '--record', at(record), '--report', at(report), ...server];
      const parsed = parseArguments(argv, {});
      expect(parsed).toMatchObject({ kind: 'usage' });
      expect(JSON.stringify(parsed)).toMatch(
        /--record and --report name one file, .*; name another for one of them\./,
      );
    }
  }
});

test.each([
  ['there', 'other'],
  ['new', 'newer'],
  ['link', 'other'],
  ['sub/new', 'new'],
])('%s and %s are two files', (one, other) => {
  const argv = ['stdio', '--record', at(one), '--report', at(other), ...server];
  expect(parseArguments(argv, {})).toMatchObject({ kind: 'stdio' });
});

test('what is thrown away may be thrown away twice', () => {
  const argv = ['stdio', '--record', devNull, '--report', devNull, ...server];
  expect(parseArguments(argv, {})).toMatchObject({ kind: 'stdio' });
});

test.each<[string, string[], RegExp]>([
  [
    'a socket',
    ['serve', '--socket', at('s'), '--report', at('s'), ...server],
    /--report and --soc/,
  ],
  [
    'a socket of ZAP',
    ['serve', '--zap', `zap+unix://${at('s')}`, '--record', at('s'), ...server],
    /--record and --zap/,
  ],
  ['wrap', ['wrap', at('there'), '--record', at('x'), '--report', at('x')], /--record and --rep/],
])('whatever writes it: %s', (_name, argv, message) => {
  const parsed = parseArguments(argv, {});
  expect(parsed).toMatchObject({ kind: 'usage' });
  expect(JSON.stringify(parsed)).toMatch(message);
});
