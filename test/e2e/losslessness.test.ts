import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { idText, jsonText, objectText, metaText, plainText } from '../support/arbitraryJson.ts';
import { conversations, type Lane } from '../support/conversations.ts';
import { expectRequest, filledIn, GAP } from '../support/crossing.ts';
import { openMemoryBridge, type MemoryBridge } from '../support/memoryBridge.ts';
import { envelope, type Envelope } from '../support/rawEnvelope.ts';

// Nothing to decide, nothing touched: beside the id, the progress token and the protocol's own keys of `_meta`, every
// byte that one end writes is a byte that the other end reads.

const LANES: readonly Lane[] = [
  { era: 'legacy', revision: '2024-11-05' },
  { era: 'legacy', revision: '2025-03-26' },
  { era: 'legacy', revision: '2025-06-18' },
  { era: 'legacy', revision: '2025-11-25' },
  { era: 'modern', revision: '2024-11-05' },
  { era: 'modern', revision: '2025-11-25' },
];

/** Once a check has failed, the two ends are no longer in step, and a smaller example would prove nothing. */
const holds = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, check), { numRuns: 200, endOnFailure: true });

describe.each(LANES)('a client of $revision and a server of the $era era', (lane) => {
  let bridge: MemoryBridge;
  beforeEach(async () => {
    bridge = await openMemoryBridge(lane.era, lane.revision);
  });
  afterEach(() => bridge.close());

  /** Sends a request as the client, and gives the id under which the server has it. */
  async function ask(shape: Envelope, id: string, method: string, params: string): Promise<string> {
    const line = (as: string): string => shape({ id: as, method: `"${method}"`, params });
    bridge.client.write(line(id).replace(GAP, ''));
    return expectRequest(await bridge.server.next(), line);
  }

  /** Writes the server's answer and holds what the client reads against it. */
  async function answer(shape: Envelope, outcome: object, at: string, id: string): Promise<void> {
    bridge.server.write(shape({ id: at, ...outcome }));
    expect(await bridge.client.next()).toBe(shape({ id, ...outcome }));
  }

  test('a request and its result cross', () =>
    holds(
      fc.tuple(envelope, envelope, idText, conversations(lane)),
      async ([there, back, id, { method, params, result }]) => {
        await answer(back, { result }, await ask(there, id, method, `{${params}${GAP}}`), id);
      },
    ));

  test('params by position, which the protocol does not know, are for the server to judge', () =>
    holds(
      fc.tuple(envelope, idText, fc.array(jsonText), plainText),
      async ([shape, id, items, message]) => {
        const at = await ask(shape, id, 'x-vendor/anything', `[${items.join(' ,')}]`);
        await answer(shape, { error: `{"code":-32602,"message":${message}}` }, at, id);
      },
    ));

  test('what the client has in `_meta` crosses beside what the bridge puts there', () =>
    holds(
      fc.tuple(envelope, idText, metaText, metaText, jsonText),
      async ([shape, id, meta, resultMeta, value]) => {
        const open = meta.replace(/\s*\}$/, `${GAP}}`);
        const params = `{"_meta": ${open} ,"name":"echo","arguments":{"a":${value}}}`;
        const at = await ask(shape, id, 'tools/call', params);
        const done = lane.era === 'modern' ? '"resultType":"complete",' : '';
        const result = `{${done}"content":[],"_meta":${resultMeta}}`;
        await answer(shape, { result }, at, id);
      },
    ));

  test('an error crosses in the words of the server', () =>
    holds(
      fc.tuple(envelope, idText, plainText, jsonText, jsonText),
      async ([shape, id, message, data, own]) => {
        const at = await ask(shape, id, 'x-vendor/fails', `{"a":1${GAP}}`);
        const error = `{"code":-32000, "message":${message},"data":${data},"x-own":${own}}`;
        await answer(shape, { error }, at, id);
      },
    ));

  test('a notification that nobody knows crosses, either way', () =>
    holds(fc.tuple(envelope, envelope, jsonText, jsonText), async ([there, back, one, other]) => {
      const up = there({ method: '"notifications/x\\u002dup"', params: `{"a":${one}}` });
      bridge.client.write(up);
      expect(await bridge.server.next()).toBe(up);
      const down = back({ method: '"notifications/x-down"', params: `{"b":${other}}` });
      bridge.server.write(down);
      expect(await bridge.client.next()).toBe(down);
      const bare = back({ method: '"notifications/x-bare"' });
      bridge.server.write(bare);
      expect(await bridge.client.next()).toBe(bare);
    }));

  test('a progress token comes back as the client spelled it, with all that was said under it', () =>
    holds(fc.tuple(envelope, idText, idText, jsonText), async ([shape, id, token, own]) => {
      const line = (as: string, given: string): string =>
        shape({
          id: as,
          method: '"tools/call"',
          params: `{"name":"echo","_meta":{"x-own":${own},"progressToken": ${given}}}`,
        });
      bridge.client.write(line(id, token));
      const received = await bridge.server.next();
      const { id: at } = JSON.parse(received) as { id: number };
      const filled = filledIn(received, line(String(at), GAP));
      const { progressToken } = JSON.parse(`{"progressToken":${filled}}`) as {
        progressToken: number;
      };
      const progress = (as: string): string =>
        shape({
          method: '"notifications/progress"',
          params: `{"progress":1.0,"progressToken":${as}, "x-own":${own}}`,
        });
      bridge.server.write(progress(String(progressToken)));
      expect(await bridge.client.next()).toBe(progress(token));
      const done = lane.era === 'modern' ? '"resultType":"complete",' : '';
      await answer(shape, { result: `{${done}"content":[]}` }, String(at), id);
    }));

  test('a text of 1 MB crosses, there and back', async () => {
    const piece = '\\ud800\\/\u2028\\u0000😀"'.slice(0, -1);
    const text = `"${piece.repeat(Math.ceil(1_048_576 / Buffer.byteLength(piece)))}"`;
    const shape: Envelope = ({ id, method, params, result }) =>
      method === undefined
        ? `{"result":${result ?? ''},"id":${id ?? ''},"jsonrpc":"2.0"}`
        : `{"jsonrpc":"2.0","id":${id ?? ''},"method":${method},"params":${params ?? ''}}`;
    const params = `{"name":"echo","arguments":{"text":${text}}${GAP}}`;
    const at = await ask(shape, '"big"', 'tools/call', params);
    const done = lane.era === 'modern' ? '"resultType":"complete",' : '';
    const result = `{${done}"content":[{"type":"text","text":${text}}]}`;
    await answer(shape, { result }, at, '"big"');
  });
});

describe.each(LANES.filter(({ era }) => era === 'legacy'))(
  'a server of the legacy era that asks a client of $revision',
  ({ era, revision }) => {
    let bridge: MemoryBridge;
    beforeEach(async () => {
      bridge = await openMemoryBridge(era, revision);
    });
    afterEach(() => bridge.close());

    const question = fc.oneof(
      fc.tuple(jsonText, jsonText).map(([one, other]) => ({
        method: '"x-vendor/ask"',
        params: `{"__proto__":${one},"a":[${other}]}`,
      })),
      fc.tuple(plainText, objectText, metaText).map(([text, other, meta]) => ({
        method: '"sampling/createMessage"',
        params: `{"messages":[{"role":"user","content":{"type":"text","text":${text}}}],"maxTokens":1e2,"metadata":${other},"_meta":${meta}}`,
      })),
    );
    const outcome = fc.oneof(
      jsonText.map((value) => ({ result: `{"a":${value}}` })),
      fc.tuple(plainText, jsonText).map(([message, data]) => ({
        error: `{"code":-1,"message":${message},"data":${data}}`,
      })),
    );

    test('gets its answer as the client wrote it, under its own id', () =>
      holds(
        fc.tuple(envelope, envelope, idText, question, outcome),
        async ([there, back, id, asked, answered]) => {
          bridge.server.write(there({ id, ...asked }));
          const received = await bridge.client.next();
          const { id: at } = JSON.parse(received) as { id: string };
          expect(received).toBe(there({ id: JSON.stringify(at), ...asked }));
          bridge.client.write(back({ id: JSON.stringify(at), ...answered }));
          expect(await bridge.server.next()).toBe(back({ id, ...answered }));
        },
      ));
  },
);
