import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  answer,
  notify,
  request,
  type Frame,
  type RequestFrame,
} from '../../../../src/protocol/frame.ts';
import { parseZapAddress, type ZapAddress } from '../../../../src/protocol/zap/address.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import type { ServerChannel } from '../../../../src/transports/transport.ts';
import { listenZap } from '../../../../src/transports/zap/zapServer.ts';
import { PeerClient } from '../../../fixtures/zapPeer/client.ts';
import { framed, payload, textOf } from '../../../fixtures/zapPeer/socket.ts';
import { encodePeer } from '../../../fixtures/zapPeer/wire.ts';
import { until } from '../../../support/until.ts';

let folder: string;
let path: string;
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zap-'));
  path = join(folder, 's');
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  rmSync(folder, { recursive: true, force: true });
});

/** What serves a conversation, as the test sees it. */
interface Served {
  readonly channel: ServerChannel;
  readonly frames: Frame[];
  readonly abandoned: string[];
  readonly undeliverable: string[];
  closed: boolean;
}

interface Host {
  readonly served: Served[];
  readonly reports: string[];
  address: string;
  close: () => Promise<void>;
}

type Script = (frame: RequestFrame, channel: ServerChannel) => void;

const echo: Script = (frame, channel) => channel.send(answer(frame, frame.params ?? toRaw({})));

async function listen(
  script: Script = echo,
  idleMs?: number,
  address: ZapAddress = { kind: 'unix', path },
): Promise<Host> {
  const host: Host = { served: [], reports: [], address: '', close: () => Promise.resolve() };
  const listening = await listenZap({
    address,
    accept: (channel) => {
      const one: Served = { channel, frames: [], abandoned: [], undeliverable: [], closed: false };
      host.served.push(one);
      return {
        onFrame: (frame) => {
          one.frames.push(frame);
          if (frame.kind === 'request') script(frame, channel);
        },
        onBatch: () => undefined,
        onAbandoned: (id) => one.abandoned.push(id),
        onUndeliverable: (id) => one.undeliverable.push(id),
        onNoise: () => undefined,
        onClose: () => {
          one.closed = true;
        },
      };
    },
    report: (message) => host.reports.push(message),
    ...(idleMs !== undefined && { idleMs }),
  });
  if (listening.kind === 'failed') throw new Error(listening.message);
  const { transport } = listening;
  cleanups.push(() => transport.close());
  host.address = transport.address;
  host.close = transport.close;
  return host;
}

async function open(session = ''): Promise<PeerClient> {
  const client = await PeerClient.open({ path }, session);
  cleanups.push(() => client.close());
  return client;
}

describe('an exchange', () => {
  test('is one request and its answer, with its session and number', async () => {
    await listen();
    const client = await open('s');
    const more = { id: '"a"', seq: 7n, subject: 'me', sig: new Uint8Array([1]) };
    expect(await client.ask('ping', { a: 1 }, more)).toEqual({
      kind: 'response',
      id: '"a"',
      session: 's',
      seq: 7n,
      codec: 0,
      subject: '',
      sig: new Uint8Array(),
      method: '',
      params: new Uint8Array(),
      result: payload({ a: 1 }),
    });
  });

  test('a notification is followed by nothing', async () => {
    const host = await listen();
    const client = await open('s');
    await client.call('ping');
    client.notify('notifications/initialized');
    await client.call('ping');
    expect(host.served).toHaveLength(1);
    expect(host.served[0]?.frames.map(({ kind }) => kind)).toEqual([
      'request',
      'notify',
      'request',
    ]);
    expect(client.received).toEqual([]);
  });

  test('a request sent before the answer to another waits for that answer', async () => {
    const open_: (() => void)[] = [];
    await listen((frame, channel) => {
      open_.push(() => echo(frame, channel));
    });
    const client = await open('s');
    const answers = [client.ask('a'), client.ask('b'), client.ask('c')];
    for (let i = 0; i < 3; i++) {
      await until(() => open_.length === i + 1);
      open_[i]?.();
      expect((await answers[i])?.id).toBe(String(i + 1));
    }
  });

  test('what comes behind a message that is none is not carried out', async () => {
    const held: (() => void)[] = [];
    const host = await listen((frame, channel) => {
      held.push(() => echo(frame, channel));
    });
    const client = await open('s');
    const first = client.ask('first');
    await until(() => held.length === 1);
    const broken = framed({ kind: 'request', session: 's', id: '2', method: 'broken' });
    broken.fill(0xff, 4, 8);
    const behind = framed({ kind: 'request', session: 's', id: '3', method: 'behind' });
    // Heard at once, it tells that all three have been read.
    const heard = framed({ kind: 'notify', session: 's', method: 'notifications/heard' });
    client.socket.write(Buffer.concat([heard, broken, behind]));
    await until(() => host.served[0]?.frames.length === 2);
    held[0]?.();
    expect((await first)?.id).toBe('1');
    expect(await client.next()).toBeUndefined();
    await until(() => host.reports.length > 0);
    expect(host.served[0]?.frames.map(({ kind }) => kind)).toEqual(['request', 'notify']);
  });

  test('a notification is heard while a request is open', async () => {
    const host = await listen(() => undefined);
    const client = await open('s');
    void client.ask('slow');
    client.notify('notifications/cancelled', { requestId: 1 });
    await until(() => host.served[0]?.frames.length === 2);
  });

  test('an answer beyond the limit becomes an error', async () => {
    await listen((frame, channel) =>
      channel.send(answer(frame, toRaw('x'.repeat(64 * 1024 * 1024)))),
    );
    const frame = await (await open()).ask('big');
    expect(frame).toMatchObject({ id: '1', seq: 1n, error: { code: -32603 } });
    expect(frame?.error?.message).toMatch(/^The answer is 6710\d{4} bytes long/);
  });
});

describe('a client', () => {
  test('is told by its session, on whatever connections', async () => {
    const host = await listen();
    const [a, b, c] = [await open('s'), await open('s'), await open('t')];
    await Promise.all([a.ask('x', 1, { id: '1' }), b.ask('x', 2, { id: '2' }), c.ask('x', 3)]);
    expect(host.served.map(({ frames }) => frames.length).sort()).toEqual([1, 2]);
    await a.close();
    await b.call('ping');
    expect(host.served).toHaveLength(2);
  });

  test('without a session is its connection', async () => {
    const host = await listen();
    const [a, b] = [await open(), await open()];
    await a.call('x');
    await b.call('x');
    expect(host.served).toHaveLength(2);
    await a.close();
    await until(() => host.served[0]?.closed);
    expect(host.served[1]?.closed).toBe(false);
  });

  test('that comes back in time finds its session, and later another one', async () => {
    const host = await listen(echo, 50);
    const first = await open('s');
    await first.call('x');
    await first.close();
    const second = await open('s');
    await second.call('x');
    expect(host.served).toHaveLength(1);
    await second.close();
    await until(() => host.served[0]?.closed);
    await (await open('s')).call('x');
    expect(host.served).toHaveLength(2);
  });

  test('that goes away before the answer has abandoned its request', async () => {
    const host = await listen(() => undefined);
    const client = await open('s');
    void client.ask('slow');
    await until(() => host.served[0]?.frames.length === 1);
    await client.close();
    await until(() => host.served[0]?.abandoned.length === 1);
    host.served[0]?.channel.send(answer(request('1', 'slow'), toRaw({})));
    expect(host.reports).toEqual(['Nobody is there to read the response to 1; it was dropped.']);
  });

  test('that has cancelled its request finds the connection closed', async () => {
    const host = await listen(() => undefined);
    const client = await open('s');
    const asked = client.ask('slow');
    await until(() => host.served[0]?.frames.length === 1);
    host.served[0]?.channel.drop('1');
    expect(await asked).toBeUndefined();
    expect(host.served[0]?.abandoned).toEqual([]);
  });

  test('that uses an id twice at once is told so where it did', async () => {
    await listen((frame, channel) => {
      if (frame.method === 'fast') echo(frame, channel);
    });
    const [a, b] = [await open('s'), await open('s')];
    void a.ask('slow', {}, { id: '5' });
    const frame = await b.ask('fast', {}, { id: '5', seq: 3n });
    expect(frame).toMatchObject({ id: '5', seq: 3n, error: { code: -32600 } });
    expect(frame?.error?.message).toBe('The id 5 is that of a request still open.');
    expect(a.received).toEqual([]);
  });

  test('is told nothing but answers, which is said once', async () => {
    const host = await listen((frame, channel) => {
      channel.send(notify('notifications/progress'), frame.id);
      channel.send(notify('notifications/message'), frame.id);
      channel.send(request('"q"', 'roots/list'), frame.id);
      echo(frame, channel);
    });
    const client = await open('s');
    await client.call('x');
    expect(client.received).toEqual([]);
    expect(host.served[0]?.undeliverable).toEqual(['"q"']);
    expect(host.reports).toEqual([
      'Over ZAP a client is told nothing but answers: notifications/progress was left out, and what else the server tells or asks will be.',
    ]);
  });

  test('that begins with a notification is not there yet', async () => {
    const host = await listen();
    const client = await open();
    client.notify('notifications/initialized');
    await client.call('x');
    expect(host.reports).toEqual(['A client began with a notification; it was ignored.']);
    expect(host.served[0]?.frames).toHaveLength(1);
  });
});

describe('what is refused', () => {
  test.each([
    [
      'a length of zero',
      Buffer.alloc(4),
      'A message of a client has a length of zero; it was cut off.',
    ],
    [
      'a length beyond the limit',
      Buffer.from('POST / HTTP/1.1\r\n\r\n'),
      'A message of a client is 1347375956 bytes long, beyond the 67108864 that are read of one message; it was cut off.',
    ],
    [
      'what is no ZAP',
      Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.alloc(20)]),
      'From a client: The message does not begin like a message of ZAP.',
    ],
  ])('%s ends the connection', async (_, bytes, report) => {
    const host = await listen();
    const client = await open();
    client.socket.write(bytes);
    await once(client.socket, 'close');
    expect(host.reports).toEqual([report]);
    expect(host.served).toEqual([]);
    expect(await (await open()).call('ping')).toEqual({});
  });

  test.each([
    [
      'params that are not JSON',
      { params: Buffer.from('{') },
      -32700,
      '1',
      'has a payload that is not JSON',
    ],
    ['binary params', { codec: 1, params: new Uint8Array([1]) }, -32602, '1', 'binary (codec 1)'],
    ['an unknown codec', { codec: 9 }, -32600, '1', 'an encoding that this bridge does not know'],
    ['an id that is no token', { id: 'abc' }, -32600, '', 'has an id that is neither'],
    ['no id', { id: '' }, -32600, '', 'has an id that is neither'],
  ])('%s cost one answer', async (_, more, code, id, message) => {
    await listen();
    const client = await open();
    const frame = await client.ask('x', undefined, more);
    expect(frame).toMatchObject({ id, error: { code } });
    expect(frame?.error?.message).toContain(message);
    expect(await client.call('ping')).toEqual({});
  });

  test('a slot that points outside', async () => {
    await listen();
    const client = await open();
    const bytes = Buffer.from(encodePeer({ kind: 'request', id: '1', method: 'x' }));
    bytes.writeUInt32LE(1000, 16 + 48);
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32BE(bytes.length);
    client.socket.write(Buffer.concat([prefix, bytes]));
    expect((await client.next())?.error?.message).toBe('The message points outside of itself.');
  });

  test('codec 2 says that there are no params', async () => {
    const host = await listen();
    const client = await open();
    expect(await client.ask('x', undefined, { codec: 2 })).toMatchObject({ codec: 0 });
    expect(host.served[0]?.frames[0]).not.toHaveProperty('params');
  });
});

describe('the socket', () => {
  test('is its owner’s alone', async () => {
    const host = await listen();
    expect(host.address).toBe(`zap+unix://${path}`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('goes with the listener, which answers what is open', async () => {
    const host = await listen(() => undefined);
    const client = await open('s');
    const asked = client.ask('slow');
    await until(() => host.served[0]?.frames.length === 1);
    await host.close();
    expect((await asked)?.error?.message).toBe('The session ended before the answer.');
    expect(host.served[0]?.closed).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  test('of a program that was killed is replaced', async () => {
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', script]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(path)).toBe(true);
    await listen();
    expect(await (await open()).call('ping')).toEqual({});
  });

  test('of a program that listens is left alone', async () => {
    await listen();
    const second = await listenZap({ address: { kind: 'unix', path }, accept: never });
    expect(second).toEqual({ kind: 'failed', message: `Something listens at ${path} already.` });
    expect(await (await open()).call('ping')).toEqual({});
  });

  test('never takes the place of another file', async () => {
    writeFileSync(path, 'precious');
    const listening = await listenZap({ address: { kind: 'unix', path }, accept: never });
    expect(listening).toMatchObject({ kind: 'failed' });
    expect(statSync(path).size).toBe(8);
  });

  test('needs a folder', async () => {
    const nowhere = join(folder, 'no', 's');
    const listening = await listenZap({ address: { kind: 'unix', path: nowhere }, accept: never });
    const message = `The folder of ${nowhere} does not exist. Make it.`;
    expect(listening).toEqual({ kind: 'failed', message });
  });

  test('may be a port', async () => {
    const host = await listen(echo, undefined, { kind: 'tcp', host: '127.0.0.1', port: 0 });
    const address = parseZapAddress(host.address);
    if (address.kind !== 'tcp') throw new Error(host.address);
    const client = await PeerClient.open({ host: address.host, port: address.port });
    expect(await client.call('ping')).toEqual({});
    await client.close();
    const taken = await listenZap({ address, accept: never });
    const where = `zap+tcp://127.0.0.1:${address.port}`;
    expect(taken).toEqual({
      kind: 'failed',
      message: `Something listens at ${where} already. Choose another address.`,
    });
  });
});

function never(): never {
  throw new Error('Nobody comes here.');
}

test('bytes of every kind leave the listener standing', async () => {
  const host = await listen();
  const whole = framed({ kind: 'request', id: '1', method: 'x', params: payload({}) });
  for (let at = 0; at < whole.length; at += 3) {
    const client = await open();
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    client.socket.end(bytes);
    await once(client.socket, 'close');
  }
  expect(textOf((await (await open()).ask('ping', { a: 1 }))?.result)).toBe('{"a":1}');
  expect(host.reports.length).toBeGreaterThan(0);
});
