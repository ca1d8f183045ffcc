import { createServer, type Socket } from 'node:net';
import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { UnixSocketClient } from '../../../../src/transports/unixSocket/unixSocketClient.ts';
import { NOTE, until } from '../streamableHttp/peers.ts';
import { call, RecordingListener, result } from '../streamableHttp/upstream.ts';
import { freshPath } from './support.ts';

interface Stage {
  readonly path: string;
  readonly client: UnixSocketClient;
  readonly listener: RecordingListener;
  /** What the server has read so far. */
  readonly read: () => string;
  readonly peer: () => Socket;
}

/** A client of ours and a server that only listens. */
async function start(): Promise<Stage> {
  const path = freshPath();
  const peers: Socket[] = [];
  let text = '';
  const server = createServer((socket) => {
    peers.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of peers) socket.destroy();
  });
  const stage = connect(path);
  await until(() => peers.length === 1);
  return { path, ...stage, read: () => text, peer: () => peers[0] as Socket };
}

function connect(path: string): Pick<Stage, 'client' | 'listener'> {
  const client = new UnixSocketClient({ path });
  const listener = new RecordingListener();
  client.start(listener);
  onTestFinished(() => client.close());
  return { client, listener };
}

test('messages go as lines, whatever was sent before the connection stood, and come as lines', async () => {
  const path = freshPath();
  const client = new UnixSocketClient({ path });
  client.send(call());
  const listener = new RecordingListener();
  const server = createServer((socket) => {
    socket.on('data', () =>
      socket.write(`${JSON.stringify(NOTE)}\r\n${JSON.stringify(result())}\n`),
    );
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => client.close());
  client.start(listener);
  await until(() => listener.frames.length === 2);
  expect(listener.frames).toEqual([
    { frame: NOTE, stream: undefined },
    { frame: result(), stream: undefined },
  ]);
});

test('a burst arrives whole and in order', async () => {
  const { client, read, peer, listener } = await start();
  const count = 2000;
  for (let id = 0; id < count; id++) client.send(call(String(id)));
  await until(() => read().split('\n').length === count + 1);
  const ids = [...read().matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: count }, (_, id) => id));
  peer().write(ids.map((id) => `${JSON.stringify(result(id))}\n`).join(''));
  await until(() => listener.frames.length === count);
});

test('a request to a server that does not read is refused once much waits for it, and taken again later', async () => {
  const { client, listener, peer } = await start();
  peer().pause();
  const params = toRaw({ text: 'x'.repeat(8 * 1024 * 1024) });
  let sent = 0;
  await until(() => {
    if (listener.failures.length === 0) client.send(request(String(++sent), 'large', params));
    return listener.failures.length > 0;
  });
  expect(sent).toBeLessThan(20);
  expect(listener.failures).toMatchObject([{ id: String(sent), failure: { kind: 'network' } }]);
  expect(listener.failures[0]?.failure.message).toContain('does not read');
  let lines = 0;
  peer().on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 0x0a) lines++;
  });
  peer().resume();
  await until(() => lines === sent - 1);
  client.send(request('again', 'ping'));
  await until(() => lines === sent);
});

test('what is sent last leaves before the connection is closed', async () => {
  const { client, read, peer, listener } = await start();
  let ended = false;
  peer().on('end', () => (ended = true));
  client.send(notify('notifications/x'));
  await client.close();
  await until(() => ended);
  expect(read()).toBe('{"jsonrpc":"2.0","method":"notifications/x"}\n');
  expect(listener.closes).toEqual([
    { kind: 'closed', message: 'The connection to the server was closed.' },
  ]);
});

describe('the connection is over', () => {
  test.each([
    ['', 'The server closed the connection.'],
    ['{"jsonrpc":"2.0","id":1,', 'The server closed the connection in the middle of a message.'],
  ])('when the server ends it behind %j', async (rest, message) => {
    const { client, listener, peer } = await start();
    client.send(request('1', 'x', toRaw({})));
    peer().end(rest);
    await until(() => listener.closes.length === 1);
    expect(listener.closes).toEqual([{ kind: 'exited', message }]);
    client.send(call('2'));
    await client.close();
    expect(listener.closes).toHaveLength(1);
  });

  test.each([
    ['nothing', 'there is nothing at this path'],
    ['a file', 'nobody listens there any more'],
  ])('when there is %s', async (what, why) => {
    const path = freshPath();
    if (what === 'a file') writeFileSync(path, '');
    const { listener } = connect(path);
    await until(() => listener.closes.length === 1);
    expect(listener.closes[0]?.kind).toBe('network');
    expect(listener.closes[0]?.message).toContain(`Cannot connect to the socket ${path}: ${why}`);
  });
});
