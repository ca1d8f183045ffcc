import { expect, test } from 'vitest';
import { StderrLog } from '../../../../src/transports/stdio/stderrLog.ts';
import { visibleText } from '../../../../src/transports/stdio/visibleText.ts';

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

test('takes terminal sequences out and spells other control characters', () => {
  const text = '\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07 a\x07b\u202ec\tend\r';
  expect(visibleText(Buffer.from(text), 1000)).toBe('red link a\\u0007b\\u202ec\tend\\u000d');
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

test('is not slowed down by hostile terminal sequences', () => {
  const started = performance.now();
  for (const unit of ['\x1b[', '\x1b]', ';', '\x1b[;', '\x9b1;', '\x1b]8;;a:'])
    visibleText(Buffer.from(`\x1b[${unit.repeat(4096)}`), 4096);
  expect(performance.now() - started).toBeLessThan(1000);
});
