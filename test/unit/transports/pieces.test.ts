import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReplyReader } from '../../../src/transports/http/reply.ts';
import { SseParser } from '../../../src/transports/http/sse.ts';
import { LineReader } from '../../../src/transports/lines/lineReader.ts';
import { Pieces } from '../../../src/transports/pieces.ts';

const nothing = (): void => undefined;

test('gives what was put in, in order, and begins anew', () => {
  const sizes = fc.array(fc.oneof(fc.nat(40), fc.integer({ min: 60_000, max: 70_000 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const pieces = new Pieces();
      const all = lengths.map((length, index) => Buffer.alloc(length, index + 1));
      for (const piece of all) pieces.append(piece);
      const whole = Buffer.concat(all);
      expect(pieces.length).toBe(whole.length);
      expect(Buffer.concat(pieces.parts()).equals(whole)).toBe(true);
      expect(pieces.take().equals(whole)).toBe(true);
      expect(pieces.length).toBe(0);
      pieces.append(Buffer.from('next'));
      expect(pieces.take().toString()).toBe('next');
    }),
    { numRuns: 200 },
  );
});

test('copies nothing that comes in one piece', () => {
  const pieces = new Pieces();
  const piece = Buffer.from('alone');
  pieces.append(piece);
  expect(pieces.take()).toBe(piece);
});

test('keeps alive no more than twice the bytes and a block, whatever they were cut from', () => {
  const CHUNK = 64 * 1024;
  const cut = fc.record({
    length: fc.constantFrom(1, 100, 4096, 5000, 20_000, CHUNK),
    isAll: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(cut, { minLength: 1, maxLength: 60 }), (cuts) => {
      const pieces = new Pieces();
      for (const { length, isAll } of cuts) {
        const chunk = Buffer.allocUnsafeSlow(isAll ? length : CHUNK);
        pieces.append(chunk.subarray(0, length));
      }
      const held = new Set(pieces.parts().map((part) => part.buffer));
      const bytes = [...held].reduce((sum, { byteLength }) => sum + byteLength, 0);
      expect(bytes).toBeLessThanOrEqual(2 * pieces.length + CHUNK);
    }),
    { numRuns: 200 },
  );
});

test('copies no piece of a large message that came as a chunk of its own', () => {
  const pieces = new Pieces();
  const chunks = [65_436, 8192, 65_536, 30_000].map((size) => Buffer.allocUnsafeSlow(size));
  for (const chunk of chunks) pieces.append(chunk);
  expect(pieces.parts()).toHaveLength(chunks.length);
  for (const [index, part] of pieces.parts().entries()) expect(part).toBe(chunks[index]);
});

/** What each reader of a peer's bytes does with a message of a million small parts that has not come to its end. */
const READERS: readonly (readonly [
  name: string,
  piece: string,
  feed: () => (chunk: Buffer) => void,
])[] = [
  [
    'a line',
    'x',
    (): ((chunk: Buffer) => void) => {
      const reader = new LineReader({
        onLine: nothing,
        onOversized: nothing,
        onTruncated: nothing,
      });
      return (chunk) => reader.push(chunk);
    },
  ],
  [
    'a line of an event',
    'x',
    (): ((chunk: Buffer) => void) => {
      const parser = new SseParser({ onEvent: nothing, onTooLarge: nothing }, 64_000_000);
      return (chunk) => parser.feed(chunk);
    },
  ],
  [
    'an event of many lines',
    'data\n',
    (): ((chunk: Buffer) => void) => {
      const parser = new SseParser({ onEvent: nothing, onTooLarge: nothing }, 64_000_000);
      return (chunk) => parser.feed(chunk);
    },
  ],
  [
    'a body',
    'x',
    (): ((chunk: Buffer) => void) => {
      const listener = { onEvent: nothing, onBody: nothing, onTooLarge: nothing };
      const reader = new ReplyReader(200, { 'content-type': 'application/json' }, listener);
      return (chunk) => reader.feed(chunk);
    },
  ],
];

test.each(READERS)('%s costs by its bytes, not by the parts it comes in', (_name, piece, open) => {
  const feed = open();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  for (let sent = 0; sent < 1_000_000; sent++) feed(Buffer.from(piece));
  const now = process.memoryUsage();
  expect(now.heapUsed - heapUsed + now.arrayBuffers - arrayBuffers).toBeLessThan(50_000_000);
});
