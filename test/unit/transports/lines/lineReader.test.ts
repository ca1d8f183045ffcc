import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineReader } from '../../../../src/transports/lines/lineReader.ts';

type Found = [kind: 'line' | 'oversized' | 'oversizedEnd' | 'truncated', text: string];

function read(bytes: Buffer, cuts: readonly number[], limit?: number): Found[] {
  const found: Found[] = [];
  const reader = new LineReader(
    {
      onLine: (line) => found.push(['line', line.toString('latin1')]),
      onOversized: (head) => found.push(['oversized', head.toString('latin1')]),
      onOversizedEnd: (tail) => found.push(['oversizedEnd', tail.toString('latin1')]),
      onTruncated: (rest) => found.push(['truncated', rest.toString('latin1')]),
    },
    limit,
    4,
  );
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    reader.push(bytes.subarray(from, cut));
    from = cut;
  }
  reader.push(bytes.subarray(from));
  reader.end();
  return found;
}

describe('LineReader', () => {
  test('cuts at line feeds, strips a carriage return and passes over blank lines', () => {
    expect(read(Buffer.from('a\r\n\n \t\r\nb\u2028c\nd'), [])).toEqual([
      ['line', 'a'],
      ['line', Buffer.from('b\u2028c').toString('latin1')],
      ['truncated', 'd'],
    ]);
  });

  test('finds the same lines wherever the chunks are cut', () => {
    const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\r', '\r\n', ' ', '€'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat(80)),
        fc.integer({ min: 1, max: 12 }),
        (parts, cuts, max) => {
          const bytes = Buffer.from(parts.join(''));
          const inside = cuts.filter((cut) => cut <= bytes.length);
          const everywhere = [...bytes.keys()];
          const whole = read(bytes, [], max).map(([kind]) => kind);
          expect(read(bytes, inside, max).map(([kind]) => kind)).toEqual(whole);
          expect(read(bytes, everywhere, max).map(([kind]) => kind)).toEqual(whole);
          expect(read(bytes, everywhere)).toEqual(read(bytes, []));
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    [
      'abcde\nf\n',
      [
        ['line', 'abcde'],
        ['line', 'f'],
      ],
    ],
    [
      'abcde\r\nf\n',
      [
        ['line', 'abcde'],
        ['line', 'f'],
      ],
    ],
    [
      'abcdef\nf\n',
      [
        ['oversized', 'abcd'],
        ['oversizedEnd', 'abcdef'],
        ['line', 'f'],
      ],
    ],
    ['abcdef', [['oversized', 'abcd']]],
  ])('holds a limit of five bytes on %j', (text, found) => {
    const bytes = Buffer.from(text);
    expect(read(bytes, [], 5)).toEqual(found);
    expect(read(bytes, [6], 5).map(([kind]) => kind)).toEqual(found.map(([kind]) => kind));
  });

  test('reads 12 MB in chunks of 8 KB in linear time', () => {
    const line = Buffer.alloc(12_000_000, 'x');
    let length = 0;
    const reader = new LineReader({
      onLine: (whole) => (length = whole.length),
      onOversized: () => undefined,
      onTruncated: () => undefined,
    });
    const started = performance.now();
    for (let at = 0; at < line.length; at += 8192) reader.push(line.subarray(at, at + 8192));
    reader.push(Buffer.from('\n'));
    expect(length).toBe(line.length);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test('keeps few objects of a line that comes byte by byte', () => {
    const reader = new LineReader({
      onLine: () => undefined,
      onOversized: () => undefined,
      onTruncated: () => undefined,
    });
    const before = process.memoryUsage().heapUsed;
    for (let sent = 0; sent < 1_000_000; sent++) reader.push(Buffer.from('x'));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  });

  test('skips an endless line with bounded memory', () => {
    const found: string[] = [];
    const reader = new LineReader(
      {
        onLine: (line) => found.push(line.toString()),
        onOversized: (head) => found.push(`oversized ${head.length}`),
        onTruncated: () => found.push('truncated'),
      },
      4_000_000,
    );
    let peak = 0;
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 300_000_000; sent += 65_536) {
      reader.push(Buffer.alloc(65_536, 'x'));
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }
    reader.push(Buffer.from('\nnext\n'));
    expect(found).toEqual(['oversized 65536', 'next']);
    expect(peak).toBeLessThan(150_000_000);
  });
});
