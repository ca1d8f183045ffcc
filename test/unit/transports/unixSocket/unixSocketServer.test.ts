import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answer, notify } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import {
  listenUnixSocket,
  type SocketListening,
  type UnixSocketServerOptions,
} from '../../../../src/transports/unixSocket/unixSocketServer.ts';
import { respond, ScriptedSession, silent, type Handler } from '../streamableHttp/endpoint.ts';
import { INITIALIZE, until } from '../streamableHttp/peers.ts';
import { connectRaw, freshPath } from './support.ts';

type Started = Extract<SocketListening, { kind: 'listening' }> & {
  readonly sessions: ScriptedSession[];
};

async function listen(
  path: string,
  handlers: Readonly<Record<string, Handler>> = {},
  options: Partial<UnixSocketServerOptions> = {},
): Promise<Started | Extract<SocketListening, { kind: 'failed' }>> {
  const sessions: ScriptedSession[] = [];
  const listening = await listenUnixSocket({
    path,
    accept: (channel) => {
      const session = new ScriptedSession(channel, { ping: respond({}), ...handlers });
      sessions.push(session);
      return session;
    },
    ...options,
  });
  if (listening.kind === 'failed') return listening;
  onTestFinished(() => listening.transport.close());
  return { ...listening, sessions };
}

async function start(...args: Parameters<typeof listen>): Promise<Started> {
  const listening = await listen(...args);
  if (listening.kind === 'failed') throw new Error(listening.message);
  return listening;
}

/** Leaves a socket behind as a program does that is killed. */
function leaveStale(path: string): void {
  const code = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', code]);
  if (!statSync(path).isSocket()) throw new Error('No socket was left behind.');
}

/** The same without a process of its own, as if it had been there for long. */
async function leaveOld(path: string): Promise<void> {
  const server = createServer().listen(`${path}.first`);
  await once(server, 'listening');
  renameSync(`${path}.first`, path);
  utimesSync(path, 1, 1);
  server.close();
  await once(server, 'close');
}

const ping = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;

describe('the socket', () => {
  test('lets nobody in but its owner, and goes with the listener', async () => {
    const path = freshPath();
    const mask = process.umask();
    const { transport } = await start(path);
    expect(transport.address).toBe(path);
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect(process.umask()).toBe(mask);
    await transport.close();
    expect(existsSync(path)).toBe(false);
  });

  test('takes the place of one that was left behind', async () => {
    const path = freshPath();
    leaveStale(path);
    await start(path);
    const { socket, lines } = connectRaw(path);
    socket.write(ping(1));
    await until(() => lines().length === 1);
  });

  test('is taken over by one of several that start at the same time, whom its clients reach', async () => {
    for (let round = 0; round < 20; round++) {
      const path = freshPath();
      await leaveOld(path);
      const all = await Promise.all(Array.from({ length: 3 }, () => listen(path)));
      const listening = all.filter((one) => one.kind === 'listening');
      expect(listening).toHaveLength(1);
      const { socket, lines } = connectRaw(path);
      socket.write(ping(1));
      await until(() => lines().length === 1);
      for (const { transport } of listening) await transport.close();
      expect(readdirSync(dirname(path))).toEqual([]);
    }
  });

  test('does not take the place of one that is in use, whose clients notice nothing', async () => {
    const path = freshPath();
    await start(path);
    const { socket, lines } = connectRaw(path);
    expect(await listen(path)).toEqual({
      kind: 'failed',
      message: `Something listens at ${path} already.`,
    });
    socket.write(ping(1));
    await until(() => lines().length === 1);
  });

  test('does not take the place of a file', async () => {
    const path = freshPath();
    writeFileSync(path, 'precious');
    expect(await listen(path)).toEqual({
      kind: 'failed',
      message: `${path} exists and is no socket. Remove it, or choose another path.`,
    });
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });

  test.each([
    ['in no folder', 'none/s.sock', 'does not exist. Make it.'],
    ['with a long path', 'x'.repeat(200), 'the system refuses the path; it may be too long'],
  ])('%s cannot be', async (_what, name, why) => {
    const path = join(dirname(freshPath()), name);
    expect(await listen(path)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining(why) as string,
    });
  });
});

describe('a connection', () => {
  test('is a conversation of its own', async () => {
    const path = freshPath();
    const { sessions } = await start(path, { initialize: respond({}) });
    const [first, second] = [connectRaw(path), connectRaw(path)];
    first.socket.write(`${JSON.stringify(INITIALIZE)}\n${ping(2)}`);
    second.socket.write(ping(1));
    await until(() => first.lines().length === 2 && second.lines().length === 1);
    expect(first.lines()).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":2,"result":{}}',
    ]);
    expect(sessions).toHaveLength(2);
    first.socket.destroy();
    await until(() => sessions.some(({ closes }) => closes === 1));
    second.socket.write(ping(2));
    await until(() => second.lines().length === 2);
  });

  test('loses nothing in a burst, either way', async () => {
    const path = freshPath();
    const payload = 'ä'.repeat(1000);
    const { sessions } = await start(path, {
      echo: (request, channel) => channel.send(answer(request, request.params ?? toRaw({}))),
    });
    const { socket, lines } = connectRaw(path);
    const params = { payload };
    const all = Array.from(
      { length: 2000 },
      (_, id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'echo', params })}\n`,
    );
    for (const line of all) socket.write(line);
    await until(() => lines().length === all.length);
    const result = JSON.stringify(params);
    expect(lines()).toEqual(all.map((_, id) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`));
    expect(sessions[0]?.noise).toEqual([]);
  });

  test('is read no further while its client leaves much unread, and loses nothing by it', async () => {
    const path = freshPath();
    const large = toRaw({ text: 'x'.repeat(8 * 1024 * 1024) });
    const { sessions } = await start(path, {
      large: (request, channel) => channel.send(answer(request, large)),
    });
    const socket = connect(path);
    onTestFinished(() => void socket.destroy());
    let answers = 0;
    socket.pause().on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 0x0a) answers++;
    });
    const received = (): number => sessions[0]?.received.length ?? 0;
    let sent = 0;
    const ask = (): void => {
      // More than any buffer of the system holds, so that what is not read here cannot hide there.
      const params = { filler: 'x'.repeat(1024 * 1024) };
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: sent, method: 'large', params })}\n`);
      sent++;
    };
    await until(() => {
      if (sent < 40) ask();
      return sent === 40 && socket.writableLength > 10 * 1024 * 1024;
    });
    expect(received()).toBeLessThan(20);
    socket.resume();
    await until(() => answers === sent);
    expect(received()).toBe(sent);
  });

  test('goes on where its client is only slow, however much waits for it', async () => {
    const path = freshPath();
    const stalledMs = 500;
    const { sessions } = await start(path, {}, { stalledMs });
    const socket = connect(path);
    onTestFinished(() => void socket.destroy());
    let lines = 0;
    socket.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++;
    });
    socket.write(ping(1));
    await until(() => lines === 1);
    const filler = toRaw({ text: 'x'.repeat(1024 * 1024) });
    const large = 300;
    for (let sent = 0; sent < large; sent++) sessions[0]?.channel.send(notify('n', filler));
    let said = 0;
    // It reads for longer than it may take nothing, and meanwhile more is said.
    const end = performance.now() + 3 * stalledMs;
    while (performance.now() < end && sessions[0]?.closes === 0) {
      socket.resume();
      await once(socket, 'data');
      socket.pause();
      await delay(0);
      sessions[0].channel.send(notify('n'));
      said++;
    }
    socket.resume();
    await until(() => lines === 1 + large + said);
    expect(sessions[0]?.closes).toBe(0);
  });

  test('is cut off where its client reads nothing of all that it is told', async () => {
    const path = freshPath();
    const reports: string[] = [];
    const report = (message: string): void => void reports.push(message);
    const { sessions } = await start(path, {}, { report, stalledMs: 100 });
    const socket = connect(path);
    onTestFinished(() => void socket.destroy());
    socket.pause().write(ping(1));
    await until(() => sessions.length === 1);
    const filler = toRaw({ text: 'x'.repeat(8 * 1024 * 1024) });
    // Past the limit small messages do, which come until it has been silent for too long.
    let sent = 0;
    await until(() => {
      sent++;
      const message = sent < 40 ? notify('notifications/x', filler) : notify('notifications/y');
      if (reports.length === 0) sessions[0]?.channel.send(message);
      return reports.length > 0;
    });
    expect(reports).toEqual(['A client does not read what it is sent; it was cut off.']);
    expect(sessions[0]?.closes).toBe(1);
    const other = connectRaw(path);
    other.socket.write(ping(2));
    await until(() => other.lines().length === 1);
  });

  test('whose client has said all it wants still gets the answers', async () => {
    const path = freshPath();
    let respondLater: (() => void) | undefined;
    await start(path, {
      later: (request, channel) => {
        respondLater = () => channel.send(answer(request, toRaw({ late: true })));
      },
    });
    const { socket, lines } = connectRaw(path);
    let ended = false;
    socket.on('end', () => (ended = true));
    socket.end('{"jsonrpc":"2.0","id":1,"method":"later"}\n');
    await until(() => respondLater !== undefined && socket.writableFinished);
    respondLater?.();
    await until(() => ended);
    expect(lines()).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"late":true}}']);
  });

  test('whose client goes in the middle of a call is over', async () => {
    const path = freshPath();
    const unanswered: number[] = [];
    const { sessions } = await start(
      path,
      { call: silent },
      { lastAnswersMs: 10, onUnanswered: (requests) => unanswered.push(requests) },
    );
    const { socket } = connectRaw(path);
    socket.write('{"jsonrpc":"2.0","id":1,"method":"call"}\n');
    await until(() => sessions[0]?.received.length === 1);
    socket.destroy();
    await until(() => sessions[0]?.closes === 1);
    expect(unanswered).toEqual([1]);
  });

  test('ends with the listener, which says what it has to say first', async () => {
    const path = freshPath();
    const { sessions, transport } = await start(path, { call: silent });
    const { socket, lines } = connectRaw(path);
    let closed = false;
    socket.on('close', () => (closed = true));
    socket.write('{"jsonrpc":"2.0","id":1,"method":"call"}\n');
    await until(() => sessions[0]?.received.length === 1);
    sessions[0]?.channel.send({ kind: 'response', id: '1', result: toRaw({ last: 'word' }) });
    await transport.close();
    await until(() => closed);
    expect(lines()).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"last":"word"}}']);
    expect(sessions[0]?.closes).toBe(1);
  });

  test('of garbage is told what is wrong with it', async () => {
    const path = freshPath();
    await start(path);
    const { socket, lines } = connectRaw(path);
    socket.write('hello\n');
    await until(() => lines().length === 1);
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ id: null, error: { code: -32700 } });
  });
});
