import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageReader } from '../../../../src/transports/zap/messageReader.ts';

interface Found {
  readonly messages: string[];
  readonly lost: number[];
}

function reading(): { reader: MessageReader; found: Found } {
  const found: Found = { messages: [], lost: [] };
  const reader = new MessageReader({
    onMessage: (bytes) => found.messages.push(bytes.toString('hex')),
    onLost: (length) => found.lost.push(length),
  });
  return { reader, found };
}

function prefixed(length: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(length);
  return Buffer.concat([prefix, body]);
}

test('messages are found however the stream is cut', () => {
  const bodies = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 });
  fc.assert(
    fc.property(bodies, fc.infiniteStream(fc.integer({ min: 1, max: 20 })), (arrays, sizes) => {
      const { reader, found } = reading();
      const stream = Buffer.concat(
        arrays.map((array) => prefixed(array.length, Buffer.from(array))),
      );
      let at = 0;
      for (const size of sizes) {
        if (at >= stream.length) break;
        reader.push(stream.subarray(at, at + size));
        at += size;
      }
      expect(found).toEqual({
        messages: arrays.map((array) => Buffer.from(array).toString('hex')),
        lost: [],
      });
    }),
  );
});

test.each([
  ['zero', 0],
  ['one byte more than 64 MiB', 64 * 1024 * 1024 + 1],
  ['the greatest number', 0xffffffff],
])('a length of %s is refused, and nothing after it is read', (_, length) => {
  const { reader, found } = reading();
  reader.push(Buffer.concat([prefixed(length), prefixed(1, Buffer.from('a'))]));
  reader.push(prefixed(1, Buffer.from('b')));
  expect(found).toEqual({ messages: [], lost: [length] });
});

test('a message of 64 MiB is read', () => {
  const { reader, found } = reading();
  const body = Buffer.alloc(64 * 1024 * 1024, 0x61);
  const lengths: number[] = [];
  const measuring = new MessageReader({
    onMessage: (bytes) => lengths.push(bytes.length),
    onLost: (length) => found.lost.push(length),
  });
  measuring.push(prefixed(body.length));
  for (let at = 0; at < body.length; at += 1 << 20)
    measuring.push(body.subarray(at, at + (1 << 20)));
  expect(lengths).toEqual([body.length]);
  expect(found.lost).toEqual([]);
  reader.push(prefixed(1, Buffer.from('a')));
  expect(found.messages).toEqual(['61']);
});

test('memory is taken for what has come, not for what was announced', () => {
  const announced = prefixed(64 * 1024 * 1024, Buffer.from('a'));
  const before = process.memoryUsage().arrayBuffers;
  const readers = Array.from({ length: 200 }, () => reading().reader);
  for (const reader of readers) reader.push(announced);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  expect(readers).toHaveLength(200);
});
