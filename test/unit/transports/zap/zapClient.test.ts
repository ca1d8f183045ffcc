import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { notify, request, type Frame } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import type { TransportFailure } from '../../../../src/transports/transport.ts';
import { ZapClientTransport } from '../../../../src/transports/zap/zapClient.ts';
import { framed, payload, textOf } from '../../../fixtures/zapPeer/socket.ts';
import { PeerServer, type Handler } from '../../../fixtures/zapPeer/server.ts';
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

async function serve(handler: Handler): Promise<PeerServer> {
  const server = await PeerServer.listen(path, handler);
  cleanups.push(() => server.close());
  return server;
}

const nobody = (): undefined => undefined;
const ok = (): { result: Uint8Array } => ({ result: payload({}) });

class Client {
  readonly frames: Frame[] = [];
  readonly failures = new Map<string, TransportFailure>();
  readonly reports: string[] = [];
  closed: TransportFailure | undefined;
  readonly transport: ZapClientTransport;

  constructor(connectMs?: number) {
    this.transport = new ZapClientTransport({
      address: { kind: 'unix', path },
      report: (message) => this.reports.push(message),
      ...(connectMs !== undefined && { connectMs }),
    });
    this.transport.start({
      onFrame: (frame) => this.frames.push(frame),
      onRequestFailed: (id, failure) => this.failures.set(id, failure),
      onNoise: () => undefined,
      onOversized: () => undefined,
      onClose: (failure) => {
        this.closed = failure;
      },
    });
    cleanups.push(() => this.transport.close());
  }

  async failureOf(frame: Frame & { id: string }): Promise<TransportFailure> {
    this.transport.send(frame);
    return until(() => this.failures.get(frame.id));
  }

  async answered(count: number): Promise<void> {
    await until(() => this.frames.length === count);
  }
}

const ping = (id: string): Frame & { id: string; kind: 'request' } => request(id, 'ping');

describe('connections', () => {
  test('requests that follow each other share one', async () => {
    const server = await serve(ok);
    const client = new Client();
    for (let i = 1; i <= 3; i++) {
      client.transport.send(ping(String(i)));
      await client.answered(i);
    }
    expect(server.accepted).toBe(1);
    expect(client.frames.map((frame) => 'id' in frame && frame.id)).toEqual(['1', '2', '3']);
  });

  test('requests at once have one each, of which 32 are kept and the last one is taken first', async () => {
    const open: (() => void)[] = [];
    const sockets: unknown[] = [];
    const server = await serve((_, socket) => {
      sockets.push(socket);
      if (open.length >= 40) return ok();
      return new Promise((resolve) => open.push(() => resolve(ok())));
    });
    const client = new Client();
    for (let i = 0; i < 40; i++) client.transport.send(ping(String(i)));
    await until(() => open.length === 40);
    expect(server.accepted).toBe(40);
    for (const answer of open.slice(0, 31)) answer();
    await client.answered(31);
    open[39]?.();
    await client.answered(32);
    const hottest = sockets[39];
    client.transport.send(ping('"again"'));
    await client.answered(33);
    expect(sockets.at(-1)).toBe(hottest);
    for (const answer of open.slice(31, 39)) answer();
    await client.answered(41);
    await until(() => server.sockets.size === 32);
    expect(server.accepted).toBe(40);
  });

  test('a notification waits for nothing and is not overtaken', async () => {
    const server = await serve(ok);
    const client = new Client();
    client.transport.send(notify('notifications/initialized'));
    client.transport.send(ping('1'));
    await client.answered(1);
    expect(server.received.map(({ method }) => method)).toEqual([
      'notifications/initialized',
      'ping',
    ]);
    expect(server.accepted).toBe(1);
  });

  test('one whose request was abandoned is closed, and its answer is nobody’s', async () => {
    const server = await serve((frame) => (frame.id === '1' ? undefined : ok()));
    const client = new Client();
    client.transport.send(ping('1'));
    await until(() => server.received.length === 1);
    client.transport.abandon('1');
    await until(() => server.sockets.size === 0);
    client.transport.send(ping('2'));
    await client.answered(1);
    expect(client.failures.size).toBe(0);
  });

  test('all are closed in the end', async () => {
    const server = await serve(ok);
    const client = new Client();
    client.transport.send(ping('1'));
    await client.answered(1);
    await client.transport.close();
    await until(() => server.sockets.size === 0);
    expect(client.closed?.kind).toBe('closed');
  });
});

describe('provenance', () => {
  test('is carried, and made up for what has none', async () => {
    const server = await serve(ok);
    const client = new Client();
    const provenance = { session: 's', seq: 9n, subject: 'me', sig: Buffer.from([1, 2]) };
    client.transport.send({ ...ping('1'), provenance });
    client.transport.send(ping('2'));
    client.transport.send(ping('3'));
    await client.answered(3);
    const [first, second, third] = [...server.received].sort((a, b) =>
      (a.id ?? '').localeCompare(b.id ?? ''),
    );
    expect(first).toMatchObject({ session: 's', seq: 9n, subject: 'me' });
    expect(first?.sig).toEqual(new Uint8Array([1, 2]));
    expect(second?.session).not.toBe('');
    expect(third).toMatchObject({ session: second?.session, seq: 2n, subject: '' });
  });

  test('of a handshake holds for what the bridge says afterwards', async () => {
    const server = await serve(ok);
    const client = new Client();
    const provenance = { session: 's', seq: 1n, subject: '', sig: Buffer.alloc(0) };
    client.transport.send({ ...request('1', 'initialize'), provenance });
    await client.answered(1);
    client.transport.negotiated();
    client.transport.send(ping('2'));
    await client.answered(2);
    expect(server.received.map(({ session }) => session)).toEqual(['s', 's']);
  });

  test('two transports are two sessions', async () => {
    const server = await serve(ok);
    for (const client of [new Client(), new Client()]) {
      client.transport.send(ping('1'));
      await client.answered(1);
    }
    expect(new Set(server.received.map(({ session }) => session)).size).toBe(2);
  });
});

describe('a request fails, and says why', () => {
  test('where there is no socket', async () => {
    const { kind, message } = await new Client().failureOf(ping('1'));
    expect(kind).toBe('network');
    expect(message).toBe(
      `There is no socket at zap+unix://${path}. Start the server, or correct the path.`,
    );
  });

  test('where nobody listens', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    const transport = new ZapClientTransport({ address: { kind: 'tcp', host: '127.0.0.1', port } });
    cleanups.push(() => transport.close());
    const failure = await new Promise<TransportFailure>((resolve) => {
      transport.start({
        onFrame: nobody,
        onRequestFailed: (_, reason) => resolve(reason),
        onNoise: nobody,
        onOversized: nobody,
        onClose: nobody,
      });
      transport.send(ping('1'));
    });
    expect(failure.message).toContain(`Nothing listens at zap+tcp://127.0.0.1:${port}.`);
  });

  test('where the server goes away', async () => {
    await serve((_, socket) => void socket.destroy());
    const { kind, message } = await new Client().failureOf(ping('1'));
    expect(kind).toBe('network');
    expect(message).toBe('The server closed the connection without an answer.');
  });

  test('where the message is too large', async () => {
    const server = await serve(ok);
    const client = new Client();
    const params = toRaw('x'.repeat(64 * 1024 * 1024));
    const failure = await client.failureOf({ ...ping('1'), params });
    expect(failure.kind).toBe('too-large');
    expect(failure.message).toMatch(/^The message is 6710\d{4} bytes long, beyond the 67108864/);
    expect(server.received).toHaveLength(0);
  });

  test.each<[string, Handler, RegExp]>([
    [
      'where the server asks',
      (_, socket) => {
        socket.write(framed({ kind: 'request', id: '7', method: 'sampling/createMessage' }));
        return undefined;
      },
      /^The server asked sampling\/createMessage, and over ZAP a question has no way to the client\.$/,
    ],
    [
      'where the answer is binary',
      () => ({ codec: 1, result: new Uint8Array([1, 2]) }),
      /binary \(codec 1\)/,
    ],
    [
      'where the answer is another request’s',
      () => ({ id: '99', result: payload({}) }),
      /^The server answered another request \(99\)\.$/,
    ],
    [
      'where the payload is no JSON',
      () => ({ result: Buffer.from('{') }),
      /payload that is not JSON/,
    ],
    [
      'where it is no ZAP',
      (_, socket) => void socket.write(Buffer.from('\0\0\0\x14HTTP/1.1 400 Bad Req')),
      /does not begin like a message of ZAP/,
    ],
    [
      'where a length is zero',
      (_, socket) => void socket.write(Buffer.alloc(4)),
      /^The server's message has a length of zero\.$/,
    ],
    [
      'where a length is beyond the limit',
      (_, socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
      /^The server's message is 1213486160 bytes long/,
    ],
  ])('%s', async (_, handler, message) => {
    let broken = true;
    const server = await serve((frame, socket) => (broken ? handler(frame, socket) : ok()));
    const client = new Client();
    expect((await client.failureOf(ping('1'))).message).toMatch(message);
    await until(() => server.sockets.size === 0);
    broken = false;
    client.transport.send(ping('2'));
    await client.answered(1);
    expect(client.frames).toMatchObject([{ kind: 'response', id: '2' }]);
  });
});

test('an answer without an id, or with one of another type, is that of its connection', async () => {
  await serve((frame) => ({ ...ok(), id: frame.id === '1' ? '' : `"${frame.id}"` }));
  const client = new Client();
  client.transport.send(ping('1'));
  await client.answered(1);
  client.transport.send(ping('2'));
  await client.answered(2);
  expect(client.frames).toMatchObject([{ id: '1' }, { id: '"2"' }]);
});

test('what the server says unasked is told once it comes, and costs the connection', async () => {
  const server = await serve((_, socket) => {
    setImmediate(() => socket.write(framed({ kind: 'response', id: '1', ...ok() })));
    return ok();
  });
  const client = new Client();
  client.transport.send(ping('1'));
  await until(() => client.reports.length > 0);
  expect(client.reports).toEqual(['The server answered without having been asked.']);
  await until(() => server.sockets.size === 0);
});

test('a notification in the course of a call is passed on with it', async () => {
  await serve((_, socket) => {
    socket.write(framed({ kind: 'notify', method: 'notifications/progress' }));
    return ok();
  });
  const client = new Client();
  client.transport.send(ping('1'));
  await client.answered(2);
  expect(client.frames).toMatchObject([{ kind: 'notify' }, { kind: 'response' }]);
});

describe('a server that has closed every connection', () => {
  test('ends the transport of a session, which is opened anew', async () => {
    const server = await serve(ok);
    const client = new Client();
    client.transport.send(request('1', 'initialize'));
    await client.answered(1);
    client.transport.negotiated();
    for (const socket of server.sockets) socket.destroy();
    await until(() => client.closed);
    expect(client.closed).toEqual({
      kind: 'network',
      message: `The server at zap+unix://${path} closed its connections.`,
    });
  });

  test('is called again where there is no session', async () => {
    const server = await serve(ok);
    const client = new Client();
    client.transport.send(ping('1'));
    await client.answered(1);
    for (const socket of server.sockets) socket.destroy();
    await until(() => server.sockets.size === 0);
    client.transport.send(ping('2'));
    await client.answered(2);
    expect(client.closed).toBeUndefined();
    expect(textOf(payload({}))).toBe('{}');
  });
});

test('what ZAP has no place for is told', async () => {
  await serve(ok);
  const client = new Client();
  client.transport.send(notify('\ud800'));
  expect(client.reports).toEqual([
    'ZAP has no place for half a character in the name of a method.',
  ]);
});
