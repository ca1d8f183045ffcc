import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeEvent } from '../../../../src/transports/http/encodeEvent.ts';
import { SseParser } from '../../../../src/transports/http/sse.ts';

interface Parsed {
  events: { type: string; data: string }[];
  lastEventId: string | undefined;
  retryMs: number | undefined;
  tooLarge: number;
}

function parse(chunks: readonly Buffer[], limit = 1_000_000): Parsed {
  const events: Parsed['events'] = [];
  let tooLarge = 0;
  const parser = new SseParser(
    {
      onEvent: (type, data) => events.push({ type, data: data.toString('latin1') }),
      onTooLarge: () => tooLarge++,
    },
    limit,
  );
  for (const chunk of chunks) parser.feed(chunk);
  return { events, lastEventId: parser.lastEventId, retryMs: parser.retryMs, tooLarge };
}

const parseText = (text: string): Parsed => parse([Buffer.from(text)]);
const dataOf = (text: string): string[] => parseText(text).events.map(({ data }) => data);

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length];
  sorted.sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

function inChunks(bytes: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

describe('SseParser', () => {
  test.each([
    ['LF', 'data: a\n\n', ['a']],
    ['CRLF', 'data: a\r\n\r\n', ['a']],
    ['lone CR', 'data: a\r\r', ['a']],
    ['mixed line ends', 'data: a\rdata: b\r\ndata: c\n\r\n', ['a\nb\nc']],
    ['several data lines', 'data: a\ndata:b\ndata\n\n', ['a\nb\n']],
    ['one space taken, no more', 'data:  a \n\n', [' a ']],
    ['comments', ': ping\n\n:\n\ndata: a\n: in between\n\n', ['a']],
    ['empty data, but not the lack of it', 'id: 0\nretry: 3000\ndata:\n\nevent: x\n\n', ['']],
    ['unknown fields', 'data: a\nfoo: bar\ndatax: b\n data: c\n\n', ['a']],
    ['an event that is not complete', 'data: a\n\ndata: b\n', ['a']],
    ['a byte order mark at the start', '\ufeffdata: a\n\n', ['a']],
    ['no line ends within JSON', 'data: {"a":"x"}\n\n', ['{"a":"x"}']],
  ])('reads %s', (_name, text, expected) => {
    expect(dataOf(text)).toEqual(expected);
  });

  test('keeps the bytes of a line that a text reader would split or repair', () => {
    const payload = Buffer.from('{"a":"\u2028\u2029\u0085\u000b\u000c ä 😀"}');
    const bytes = Buffer.concat([payload, Buffer.from([0xff, 0xc3])]);
    const stream = Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')]);
    expect(parse([stream]).events).toEqual([{ type: 'message', data: bytes.toString('latin1') }]);
  });

  test('tells the type, the last id and the retry time', () => {
    const text = 'event: ping\nid: 7\ndata: {}\n\nretry: 250\nretry: soon\n\nid: 8\ndata: a\n\n';
    expect(parseText(text)).toEqual({
      events: [
        { type: 'ping', data: '{}' },
        { type: 'message', data: 'a' },
      ],
      lastEventId: '8',
      retryMs: 250,
      tooLarge: 0,
    });
  });

  test('takes the id of an empty event, and none of an incomplete one', () => {
    expect(parseText('id: 1\ndata:\n\nid: 2\n').lastEventId).toBe('1');
    expect(parseText('id: 1\0\ndata: a\n\n').lastEventId).toBeUndefined();
  });

  test('hands over an event with its last byte', () => {
    const seen: string[] = [];
    const parser = new SseParser(
      { onEvent: (_type, data) => seen.push(data.toString()), onTooLarge: () => undefined },
      1000,
    );
    parser.feed(Buffer.from('data: a\r\n\r'));
    expect(seen).toEqual(['a']);
    parser.feed(Buffer.from('\ndata: b\r'));
    parser.feed(Buffer.from('\r'));
    expect(seen).toEqual(['a', 'b']);
  });

  const line = fc.oneof(
    fc.constantFrom('data: {"a":1}', 'data:', 'data', 'data:x', ': c', 'event: ping', 'event'),
    fc.constantFrom('event: message', 'id: 5', 'id', 'retry: 10', 'foo: bar', '', '', '', ':'),
    fc.string({ unit: 'binary', maxLength: 12 }).map((text) => `data: ${text}`),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 })
    .map((lines) => Buffer.from(lines.map(([text, end]) => text + end).join('')));

  test('reads the same however the bytes are cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), (bytes, places) => {
        expect(parse(cut(bytes, places))).toEqual(parse([bytes]));
        expect(parse(inChunks(bytes, 1))).toEqual(parse([bytes]));
      }),
    );
  });

  test('agrees with another parser on whole streams', () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        const theirs: Parsed['events'] = [];
        const parser = createParser({
          onEvent: ({ event = 'message', data }) => theirs.push({ type: event, data }),
        });
        // It holds back an event that ends with a lone CR until something follows.
        parser.feed(`${bytes.toString('latin1')}:\n`);
        expect(parse([bytes]).events).toEqual(theirs);
      }),
    );
  });

  test('stops at the limit, once, wherever the chunks end', () => {
    const bytes = Buffer.from(`data: ${'x'.repeat(200)}\n\ndata: a\n\n`);
    for (const size of [1, 7, 100, 1000]) {
      expect(parse(inChunks(bytes, size), 100)).toMatchObject({ events: [], tooLarge: 1 });
      expect(parse(inChunks(bytes, size), 300)).toMatchObject({ tooLarge: 0 });
    }
    const many = Buffer.from(`data: ${'x'.repeat(20)}\n`.repeat(20));
    expect(parse([many], 300).tooLarge).toBe(1);
    // What is no data does not add up.
    expect(parse([Buffer.from(': keep-alive\n'.repeat(100))], 300).tooLarge).toBe(0);
  });

  test('needs time in proportion to what it reads', () => {
    const seconds = (bytes: Buffer, size: number): number => {
      const chunks = inChunks(bytes, size);
      const start = performance.now();
      parse(chunks, Infinity);
      return (performance.now() - start) / 1000;
    };
    const oneLine = Buffer.from(`data: ${'x'.repeat(10_000_000)}\n\n`);
    const manyLines = Buffer.from('data: x\r'.repeat(1_000_000));
    const longAndShort = Buffer.concat([Buffer.from('\n'.repeat(1_000_000)), oneLine]);
    parse(inChunks(oneLine, 16_384), Infinity);
    // A quadratic reader needs minutes for each of these.
    expect(seconds(oneLine, 16_384)).toBeLessThan(2);
    expect(seconds(oneLine, 256)).toBeLessThan(2);
    expect(seconds(manyLines, 8_000_000)).toBeLessThan(5);
    expect(seconds(longAndShort, 65_536)).toBeLessThan(5);
  });
});

describe('encodeEvent', () => {
  const encode = (...chunks: string[]): string =>
    Buffer.concat(encodeEvent(chunks.map((chunk) => Buffer.from(chunk)))).toString('utf8');

  test('writes one data line', () => {
    expect(encode('{"a":', '1}')).toBe('event: message\ndata: {"a":1}\n\n');
  });

  test.each(['\n', '\r\n', '\r'])('starts a data line at each %j between tokens', (end) => {
    const text = encode(`{${end}"a":${end}`, `"ä"}`);
    expect(text).toBe('event: message\ndata: {\ndata: "a":\ndata: "ä"}\n\n');
    expect(Buffer.from(dataOf(text)[0] ?? '', 'latin1').toString()).toBe('{\n"a":\n"ä"}');
  });

  test('is read back as the same JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2, '\t'), (text, space) => {
        const written = JSON.stringify(JSON.parse(text), null, space);
        const [data = ''] = dataOf(encode(written));
        expect(Buffer.from(data, 'latin1').toString()).toBe(written);
      }),
    );
  });
});
