import { expect, test } from 'vitest';
import { StderrLog } from '../../../../src/transports/stdio/stderrLog.ts';

function log(text: string): { lines: string[]; last: string | undefined } {
  const lines: string[] = [];
  const stderr = new StderrLog((line) => lines.push(line));
  stderr.push(Buffer.from(text));
  stderr.end();
  return { lines, last: stderr.last };
}

test('passes lines on and remembers the last one that says something', () => {
  expect(log('one\r\ntwo\n\n \x1b[0m\nhalf')).toEqual({
    lines: ['one', 'two', 'half'],
    last: 'half',
  });
});

test('behind a crash of Node remembers the error, not the version that Node writes last', () => {
  const crash =
    'starting\n/a.js:1\nTypeError [ERR_X]: no\n    at f (/a.js:1:1)\n\nNode.js v24.1.0\n';
  expect(log(crash).last).toBe('TypeError [ERR_X]: no');
  expect(log('Node.js v24.1.0\n').last).toBe('Node.js v24.1.0');
  expect(log('Error: a\nshutting down\n').last).toBe('shutting down');
});

test('cuts a long line', () => {
  const { lines } = log(`${'x'.repeat(100_000)}\nnext\n`);
  expect(lines).toEqual([`${'x'.repeat(4096)}…`, 'next']);
});

test('of a flood passes on the first and the last lines', () => {
  const { lines, last } = log(Array.from({ length: 20_000 }, (_, index) => `${index}\n`).join(''));
  expect(lines).toHaveLength(601);
  expect(lines[499]).toBe('499');
  expect(lines[500]).toBe('(19400 lines left out)');
  expect(lines[501]).toBe('19900');
  expect(last).toBe('19999');
});
