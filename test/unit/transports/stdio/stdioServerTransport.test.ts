import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Client } from 'sdk-2025-06-18/client/index.js';
import { StdioClientTransport as SdkTransport } from 'sdk-2025-06-18/client/stdio.js';
import { answer, notify, request, type Frame } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import type { EarlyNoise } from '../../../../src/transports/lines/lineServer.ts';
import {
  serveStdio,
  type StdioServerOptions,
} from '../../../../src/transports/stdio/stdioServerTransport.ts';
import type { ServerChannel } from '../../../../src/transports/transport.ts';
import { fixture, until } from './support.ts';

function serve({ silent = false, ...options }: StdioServerOptions & { silent?: boolean } = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const told: string[] = [];
  const early: EarlyNoise[] = [];
  const accepted: string[] = [];
  let channel: ServerChannel | undefined;
  const server = serveStdio(
    (opened, first) => {
      channel = opened;
      accepted.push(first.method);
      return {
        onFrame: (frame) => {
          told.push(frame.kind === 'response' ? 'response' : frame.method);
          if (frame.kind === 'request' && !silent) opened.send(answer(frame, toRaw({})));
        },
        onBatch: (frames, reply) => {
          told.push(`batch of ${frames.length}`);
          reply(
            frames.flatMap((frame): Frame[] =>
              frame.kind === 'request' ? [answer(frame, toRaw({}))] : [],
            ),
          );
        },
        onAbandoned: () => told.push('abandoned'),
        onUndeliverable: (id) => told.push(`undeliverable ${id}`),
        onNoise: (noise) => told.push(noise.reason),
        onClose: () => told.push('closed'),
      };
    },
    { input, output, onEarlyNoise: (noise) => early.push(noise), ...options },
  );
  onTestFinished(() => server.close());
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const written = (): unknown[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  return { input, output, server, told, early, accepted, written, channel: () => channel };
}

const FIRST = '{"jsonrpc":"2.0","id":1,"method":"first"}\n';
const DONE = { jsonrpc: '2.0', id: 1, result: {} };

describe('serveStdio', () => {
  test('accepts a channel with the first request, and delivers that request', async () => {
    const { input, accepted, told, written } = serve();
    input.write(`${FIRST}{"jsonrpc":"2.0","method":"second"}\n`);
    await until(() => written().length === 1);
    expect(accepted).toEqual(['first']);
    expect(told).toEqual(['first', 'second']);
    expect(written()).toEqual([DONE]);
  });

  test('passes over what comes before the first request', async () => {
    const { input, accepted, early, written } = serve();
    input.write('{"jsonrpc":"2.0","method":"early"}\n');
    input.write('{"jsonrpc":"2.0","id":9,"result":{}}\n');
    input.write('[{"jsonrpc":"2.0","method":"early"}]\n');
    input.write(FIRST);
    await until(() => written().length === 1);
    expect(early.map((noise) => noise.reason)).toEqual(['unexpected', 'unexpected', 'unexpected']);
    expect(accepted).toEqual(['first']);
  });

  test.each([
    ['{not json', -32700],
    ['hello', -32700],
    ['{"jsonrpc":"2.0","id":1}x', -32700],
    ['{"hello":1}', -32600],
    ['42', -32600],
    ['[]', -32600],
    ['{"jsonrpc":"2.0","id":true,"method":"m"}', -32600],
    ['{"jsonrpc":"2.0","id":{"a":1},"method":"m"}', -32600],
  ])('answers %j with an error and goes on', async (line, code) => {
    const { input, written } = serve();
    input.write(`${line}\n${FIRST}`);
    await until(() => written().length === 2);
    expect(written()).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code } }, DONE]);
  });

  test('answers invalid UTF-8 with a parse error', async () => {
    const { input, written, told } = serve();
    input.write(FIRST);
    input.write(Buffer.from('{"jsonrpc":"2.0","id":2,"method":"\xff"}\n', 'latin1'));
    await until(() => written().length === 2);
    expect(written()[1]).toMatchObject({ id: 2, error: { code: -32700 } });
    expect(told).toEqual(['first', 'not-utf8']);
  });

  test.each([
    ['{"jsonrpc":"2.0","id":7,"method":"m","params":$DEEP}', 7, -32700],
    ['{"method":"m","params":$DEEP,"id":"a","jsonrpc":"2.0"}', 'a', -32700],
    ['{"jsonrpc":"2.0","id":7,"method":"m","params":{oops}}', 7, -32700],
    ['{"jsonrpc":"2.0","id":7,"method":{}}', 7, -32600],
    ['{"jsonrpc":"2.0","id":7,"result":$DEEP}', null, -32700],
  ])('answers what it cannot read of %j to whom it is for', async (text, id, code) => {
    const { input, written } = serve();
    const deep = '['.repeat(600) + ']'.repeat(600);
    input.write(`${text.replace('$DEEP', deep)}\n${FIRST}`);
    await until(() => written().length === 2);
    expect(written()).toMatchObject([{ jsonrpc: '2.0', id, error: { code } }, DONE]);
  });

  test('answers nothing to a batch whose requests were all cancelled', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const server = serveStdio(
      () => ({
        onFrame: () => undefined,
        onBatch: (_frames, reply) => reply([]),
        onAbandoned: () => undefined,
        onUndeliverable: () => undefined,
        onNoise: () => undefined,
        onClose: () => undefined,
      }),
      { input, output },
    );
    input.write(`[${FIRST.trim()}]\n`);
    await server.close();
    expect(output.read()).toBeNull();
  });

  test('answers the messages of a batch in one array', async () => {
    const { input, accepted, told, written } = serve();
    input.write(`[{"jsonrpc":"2.0","method":"n"},7,${FIRST.trim()}]\n`);
    await until(() => written().length === 1);
    expect(accepted).toEqual(['first']);
    expect(told).toEqual(['batch of 2']);
    expect(written()).toMatchObject([[DONE, { id: null, error: { code: -32600 } }]]);
  });

  test('answers a batch of nothing but rubbish in one array', async () => {
    const { input, written } = serve();
    input.write('[1,2]\n');
    await until(() => written().length === 1);
    expect(written()).toMatchObject([[{ error: { code: -32600 } }, { error: { code: -32600 } }]]);
  });

  test.each([
    ['{"jsonrpc":"2.0","id":5,"method":"m","params":"', '"}', 5],
    ['{"method":"m","params":"', '","jsonrpc":"2.0","id":5}', 5],
    ['{"jsonrpc":"2.0","id":5,"result":"', '"}', null],
    ['', '', null],
  ])('refuses a line over the limit that starts %j', async (front, back, id) => {
    const { input, written } = serve({ maxLineBytes: 100_000 });
    input.write(`${front}${'x'.repeat(200_000)}${back}\n${FIRST}`);
    await until(() => written().length === 2);
    const message = 'The message is longer than the 100000 bytes that are read of one message.';
    expect(written()).toEqual([{ jsonrpc: '2.0', id, error: { code: -32600, message } }, DONE]);
  });

  test('refuses 70 MB without being told to', async () => {
    const { input, written } = serve();
    const part = Buffer.alloc(1_000_000, 'x');
    for (let sent = 0; sent < 70; sent++) input.write(part);
    input.write(`\n${FIRST}`);
    await until(() => written().length === 2);
    expect(written()).toMatchObject([{ id: null, error: { code: -32600 } }, DONE]);
  });

  test('the end of input closes the channel, and answers under way are still written', async () => {
    const { input, told, channel, written } = serve();
    input.end(FIRST.trim());
    await until(() => told.includes('closed'));
    channel()?.send(notify('late'));
    await until(() => written().length === 2);
    expect(told).toEqual(['first', 'closed']);
  });

  test('reads on once its client has taken much that left little by little', async () => {
    const MIB = 1024 * 1024;
    // No write fills it, so that it never has to say that it has drained.
    const output = new PassThrough({ writableHighWaterMark: 48 * MIB });
    output.resume();
    const { input, told, channel } = serve({ silent: true, output, answerGapMs: 1 });
    const ids = ['1', '2', '3'];
    for (const id of ids) input.write(`{"jsonrpc":"2.0","id":${id},"method":"call"}\n`);
    await until(() => told.length === ids.length);
    const result = toRaw('x'.repeat(30 * MIB));
    for (const id of ids) {
      // An answer waits behind the notification before it.
      channel()?.send(notify('notifications/progress'));
      channel()?.send({ kind: 'response', id, result });
    }
    input.write('{"jsonrpc":"2.0","id":4,"method":"last"}\n');
    await until(() => told.includes('last'));
  });

  describe('once the input has ended', () => {
    test('the answers to what was asked are still written, and then it is over', async () => {
      const closes: number[] = [];
      const { input, told, channel, written } = serve({
        silent: true,
        onClose: (unanswered) => closes.push(unanswered),
      });
      input.end(`${FIRST}{"jsonrpc":"2.0","id":2,"method":"second"}\n`);
      await until(() => input.closed && told.length === 2);
      channel()?.send(answer(request('2', ''), toRaw({})));
      await until(() => written().length === 1);
      expect(told).toEqual(['first', 'second']);
      channel()?.send(answer(request('1', ''), toRaw({})));
      await until(() => closes.length === 1);
      await until(() => written().length === 2);
      expect(told).toEqual(['first', 'second', 'closed']);
      expect(closes).toEqual([0]);
    });

    test('a request that is dropped is not waited for', async () => {
      const { input, told, channel } = serve({ silent: true });
      input.end(FIRST);
      await until(() => input.closed);
      channel()?.drop('1');
      await until(() => told.includes('closed'));
    });

    test('a batch is waited for', async () => {
      const { input, told, written } = serve();
      input.end(`[${FIRST.trim()}]\n`);
      await until(() => told.includes('closed') && written().length === 1);
      expect(written()).toEqual([[DONE]]);
    });

    test('an answer is waited for so long only', async () => {
      const closes: number[] = [];
      const { input, told } = serve({
        silent: true,
        lastAnswersMs: 20,
        onClose: (unanswered) => closes.push(unanswered),
      });
      input.end(FIRST);
      await until(() => told.includes('closed'));
      expect(closes).toEqual([1]);
    });

    test('the client cannot be asked', async () => {
      const { input, told, channel, written } = serve({ silent: true });
      input.end(FIRST);
      await until(() => input.closed);
      channel()?.send(request('"q"', 'roots/list'));
      expect(told).toEqual(['first', 'undeliverable "q"']);
      expect(written()).toEqual([]);
    });

    test('it is over where nothing was ever asked', async () => {
      const closes: number[] = [];
      const { input } = serve({ onClose: (unanswered) => closes.push(unanswered) });
      input.end();
      await until(() => closes.length === 1);
      expect(closes).toEqual([0]);
    });
  });

  test('closing writes what was sent, ends the streams and tells it once', async () => {
    const { input, output, told, channel, server } = serve();
    input.write(FIRST);
    await until(() => told.length === 1);
    channel()?.send(notify('n'));
    channel()?.send(notify('last'));
    channel()?.close();
    await server.close();
    await until(() => output.readableEnded);
    expect(input.destroyed).toBe(true);
    expect(told).toEqual(['first', 'closed']);
  });

  test('an output that fails closes the channel', async () => {
    const { input, output, told } = serve();
    input.write(FIRST);
    await until(() => told.length === 1);
    output.destroy(new Error('EPIPE'));
    await until(() => told.includes('closed'));
    expect(told).toEqual(['first', 'closed']);
  });
});

test('a client of the SDK hears progress that came just ahead of the answer', async () => {
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new SdkTransport({ command: process.execPath, args: [fixture('progressServer.ts')] }),
  );
  let heard = 0;
  for (let call = 0; call < 200; call++) {
    await client.callTool({ name: 'x' }, undefined, { onprogress: () => heard++ });
  }
  // A busy system may make a client sleep through any pause; without one, it misses far more.
  expect(heard).toBeGreaterThanOrEqual(190);
});
