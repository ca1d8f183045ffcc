import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { answer, makeError, notify, request } from '../../../../src/protocol/frame.ts';
import { readMessage } from '../../../../src/protocol/jsonRpc.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { MessageWriter } from '../../../../src/transports/lines/messageWriter.ts';
import { until } from '../stdio/support.ts';

function recording(): { stream: Writable; writes: string[]; times: number[] } {
  const writes: string[] = [];
  const times: number[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (chunk.length > 0) {
        writes.push(chunk.toString());
        times.push(performance.now());
      }
      done();
    },
  });
  return { stream, writes, times };
}

const one = request('1', 'one');
const two = request('2', 'two');

test('writes what is sent in one turn at once', async () => {
  const { stream, writes } = recording();
  const writer = new MessageWriter(stream);
  writer.send(one);
  writer.send(notify('n'));
  writer.send(answer(two, toRaw({})));
  await writer.drained();
  expect(writes).toEqual([
    '{"jsonrpc":"2.0","id":1,"method":"one"}\n{"jsonrpc":"2.0","method":"n"}\n{"jsonrpc":"2.0","id":2,"result":{}}\n',
  ]);
});

test('keeps an answer apart from a notification before it, and everything in order', async () => {
  const { stream, writes, times } = recording();
  const writer = new MessageWriter(stream, 20);
  writer.send(answer(one, toRaw('a')));
  writer.send(notify('n'));
  writer.send(one);
  writer.send(answer(two, toRaw('b')));
  writer.send(notify('m'));
  await until(() => writes.length > 0);
  writer.send(two);
  writer.send(answer(one, toRaw('c')));
  await writer.drained();
  const order = writes.map((text) => text.match(/"(?:result|method)":"\w+"/g));
  expect(order).toEqual([
    ['"result":"a"', '"method":"n"', '"method":"one"'],
    ['"result":"b"', '"method":"m"', '"method":"two"'],
    ['"result":"c"'],
  ]);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(15);
});

test('an answer that comes long after a notification does not wait', async () => {
  const { stream, writes } = recording();
  const writer = new MessageWriter(stream, 1);
  writer.send(notify('n'));
  await until(() => writes.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  writer.send(answer(one, toRaw({})));
  writer.flush();
  expect(writes).toHaveLength(2);
});

test('turns line breaks between tokens into spaces and copies nothing else', async () => {
  const { stream, writes } = recording();
  const writer = new MessageWriter(stream);
  const pretty = readMessage(Buffer.from('{\r\n "jsonrpc": "2.0",\n "method": "n\\n"\n}'));
  if (pretty.kind !== 'frame') throw new Error('not a frame');
  writer.send(pretty.frame);
  await writer.drained();
  expect(writes).toEqual(['{   "jsonrpc": "2.0",  "method": "n\\n" }\n']);
});

test('writes a batch as one array', async () => {
  const { stream, writes } = recording();
  const writer = new MessageWriter(stream);
  const error = makeError(-32600, 'no');
  writer.sendBatch([]);
  writer.sendBatch([answer(one, toRaw({})), { kind: 'response', id: undefined, error }]);
  await writer.drained();
  expect(writes).toEqual([
    '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}]\n',
  ]);
});

test('hands over large messages in order', async () => {
  const stream = new PassThrough();
  const writer = new MessageWriter(stream);
  const big = 'x'.repeat(300_000);
  writer.send(answer(one, toRaw(big)));
  writer.send(one);
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await writer.drained();
  await until(() => text.endsWith('"one"}\n'));
  const first = `{"jsonrpc":"2.0","id":1,"result":"${big}"}\n`;
  expect(text === `${first}{"jsonrpc":"2.0","id":1,"method":"one"}\n`).toBe(true);
});

test('a stream that is gone takes nothing and throws nothing', async () => {
  const { stream } = recording();
  const writer = new MessageWriter(stream, 1);
  stream.destroy(new Error('EPIPE'));
  writer.send(notify('n'));
  writer.send(answer(one, toRaw({})));
  await writer.drained();
});
