import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answer, notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { ask, CALL, errorOf, respond, silent } from '../streamableHttp/endpoint.ts';
import { INITIALIZE, NOTE, until } from '../streamableHttp/peers.ts';
import { openSse, startSse, type OpenSession } from './stage.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

async function open(port: number): Promise<OpenSession> {
  const session = await openSse(port);
  await session.send(INITIALIZE);
  await until(() => session.messages().length === 1);
  return session;
}

describe('a session', () => {
  test('tells first where messages go, takes them with 202 and answers on its stream', async () => {
    const { port, sessions } = await startSse();
    const session = await openSse(port);
    expect(session.path).toMatch(/^\/sse\/message\?sessionId=[0-9a-f-]{36}$/);
    expect(session.stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
    });
    const reply = await session.send(INITIALIZE);
    expect([reply.status, reply.body]).toEqual([202, '']);
    await until(() => session.messages().length === 1);
    expect(session.messages()).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-11-25' } },
    ]);
    expect((await session.send(NOTE)).status).toBe(202);
    expect(sessions[0]?.received).toEqual([INITIALIZE, NOTE]);
  });

  test('gets what belongs to no request and what belongs to one on the same stream, in order', async () => {
    const { port, sessions } = await startSse({ 'tools/call': silent });
    const session = await open(port);
    await session.send(CALL);
    const channel = sessions[0]?.channel;
    channel?.send(notify('notifications/progress', toRaw({ progress: 1 })), '5');
    channel?.send(request('"q1"', 'roots/list'));
    channel?.send({ kind: 'response', id: '5', result: toRaw({}) });
    await until(() => session.messages().length === 4);
    expect(session.messages().slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } },
      { jsonrpc: '2.0', id: 'q1', method: 'roots/list' },
      { jsonrpc: '2.0', id: 5, result: {} },
    ]);
  });

  test('is its own: two clients share nothing, not even ids', async () => {
    const { port, sessions } = await startSse({ 'tools/call': respond({ ok: true }) });
    const [first, second] = [await open(port), await open(port)];
    expect(first.path).not.toBe(second.path);
    await first.send(CALL);
    await until(() => first.messages().length === 2);
    await second.send(CALL);
    await until(() => second.messages().length === 2);
    expect(sessions.map(({ received }) => received.length)).toEqual([2, 2]);
    expect(first.messages()).toHaveLength(2);
  });

  test('ends with its stream, in the middle of a call too, and is unknown then', async () => {
    const { port, sessions, reports } = await startSse({ 'tools/call': silent });
    const session = await open(port);
    await session.send(CALL);
    session.stream.destroy();
    await until(() => sessions[0]?.closes === 1);
    sessions[0]?.channel.send({ kind: 'response', id: '5', result: toRaw({}) });
    sessions[0]?.channel.close();
    const reply = await session.send(NOTE);
    expect([reply.status, errorOf(reply.body)]).toEqual([
      404,
      {
        code: -32600,
        message: 'There is no such session. Open the event stream for a new one.',
      },
    ]);
    expect([sessions[0]?.closes, reports]).toEqual([1, []]);
  });

  test.each(['channel', 'listener'])(
    'answers what is open before it is ended by its %s',
    async (who) => {
      const endpoint = await startSse({ 'tools/call': silent });
      const session = await open(endpoint.port);
      await session.send(CALL);
      if (who === 'listener') await endpoint.close();
      else endpoint.sessions[0]?.channel.close();
      await until(() => session.stream.ended());
      expect(session.messages().slice(1)).toEqual([
        {
          jsonrpc: '2.0',
          id: 5,
          error: { code: -32603, message: 'The session ended before the answer.' },
        },
      ]);
      expect(endpoint.sessions[0]?.closes).toBe(1);
    },
  );

  test('takes an id again once it is answered or dropped, not before', async () => {
    const { port, sessions } = await startSse({ 'tools/call': silent });
    const session = await open(port);
    await session.send(CALL);
    const reply = await session.send(CALL);
    expect([reply.status, errorOf(reply.body)]).toEqual([
      400,
      { code: -32600, message: 'A request with this id is still open.' },
    ]);
    sessions[0]?.channel.drop('5');
    expect((await session.send(CALL)).status).toBe(202);
    sessions[0]?.channel.send({ kind: 'response', id: '5', result: toRaw({}) });
    expect((await session.send(CALL)).status).toBe(202);
  });

  test('takes an array of messages and answers them one by one', async () => {
    const { port } = await startSse();
    const session = await open(port);
    await session.send([{ ...CALL, id: 7 }, NOTE, { ...CALL, id: 8 }]);
    await until(() => session.messages().length === 3);
    expect(session.messages().slice(1)).toEqual([
      { jsonrpc: '2.0', id: 7, result: {} },
      { jsonrpc: '2.0', id: 8, result: {} },
    ]);
  });

  test('is kept alive by comments', async () => {
    const { port } = await startSse({}, { keepAliveMs: 5 });
    const { stream } = await openSse(port);
    await until(() => stream.text().includes('\n\n: keep-alive\n\n'));
  });

  test('is cut off where its client does not read, whatever waits for it and behind what', async () => {
    const { port, sessions, reports } = await startSse();
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /sse HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const path = /^data: (.*)$/m.exec(head.toString())?.[1] ?? '';
    const body = JSON.stringify(INITIALIZE);
    expect((await ask(port, { path, headers: JSON_TYPE, body })).status).toBe(202);
    const filler = toRaw({ text: 'x'.repeat(8 * 1024 * 1024) });
    // Answers wait behind a notification until it has left, which this one never does.
    sessions[0]?.channel.send(notify('notifications/x', filler));
    let sent = 0;
    await until(() => {
      sessions[0]?.channel.send(answer(request(String(sent), 'tools/call'), filler));
      sent++;
      return reports.length > 0;
    });
    expect(reports).toEqual(['A client does not read its stream; it was cut off.']);
    expect(sent).toBeLessThan(50);
    await until(() => sessions[0]?.closes === 1);
    socket.destroy();
  });

  test('without a word ends quietly', async () => {
    const { port, sessions } = await startSse();
    const session = await openSse(port);
    session.stream.destroy();
    await until(() => session.stream.ended());
    expect(sessions).toEqual([]);
  });
});

describe('what is no message', () => {
  test.each([
    ['no JSON', 'hello', 400, -32700, null],
    ['no JSON, but an id', '{"jsonrpc":"2.0","id":9,"method":"x",}', 400, -32700, 9],
    ['no message', '{"hello":1}', 400, -32600, null],
    ['nothing', '', 400, -32700, null],
    ['an empty array', '[]', 400, -32600, null],
    ['an array with something else', '[1]', 400, -32600, null],
  ])('%s is answered in its POST', async (_what, body, status, code, id) => {
    const { port } = await startSse();
    const session = await open(port);
    const reply = await session.send(body);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toMatchObject({ id, error: { code } });
    await session.send({ ...CALL, method: 'ping' });
    await until(() => session.messages().length === 2);
  });

  test('is noise to the session', async () => {
    const { port, sessions } = await startSse();
    const session = await open(port);
    await session.send('hello');
    expect(sessions[0]?.noise).toEqual([{ reason: 'not-json', sample: 'hello' }]);
  });

  test('nor is a notification before any request', async () => {
    const { port } = await startSse();
    const session = await openSse(port);
    expect((await session.send(NOTE)).status).toBe(400);
  });
});

describe('what is turned away', () => {
  test.each([
    ['a POST of the stream', 'POST', '/sse', 405, 'GET'],
    ['a DELETE of the stream', 'DELETE', '/sse', 405, 'GET'],
    ['a GET of the endpoint', 'GET', '/sse/message?sessionId=x', 405, 'POST'],
    ['an unknown session', 'POST', '/sse/message?sessionId=x', 404, undefined],
    ['a lack of a session', 'POST', '/sse/message', 400, undefined],
    ['another path', 'GET', '/other', 404, undefined],
    ['an endpoint of another path', 'POST', '/other/message?sessionId=x', 404, undefined],
  ])('%s', async (_what, method, path, status, allow) => {
    const { port } = await startSse();
    const reply = await ask(port, { method, path, headers: JSON_TYPE, body: '{}' });
    expect([reply.status, reply.headers.allow]).toEqual([status, allow]);
  });

  test('a message of another type than JSON', async () => {
    const { port } = await startSse();
    const session = await openSse(port);
    const headers = { 'content-type': 'text/plain' };
    const { status } = await ask(port, {
      path: session.path,
      headers,
      body: JSON.stringify(INITIALIZE),
    });
    expect(status).toBe(415);
  });

  test.each([
    ['another host', { host: 'example.com' }, 403],
    ['another origin', { origin: 'https://example.com' }, 403],
    ['a lack of the token', {}, 401],
    ['a wrong token', { authorization: 'Bearer other' }, 401],
  ])('%s, on the stream and on its endpoint', async (_what, headers, status) => {
    const { port, sessions } = await startSse({}, { token: 'secret' });
    const stream = await ask(port, { method: 'GET', path: '/sse', headers });
    const message = await ask(port, {
      path: '/sse/message?sessionId=x',
      headers: { ...JSON_TYPE, ...headers },
      body: '{}',
    });
    expect([stream.status, message.status, sessions]).toEqual([status, status, []]);
  });

  test('a session whose first request nobody can serve', async () => {
    const refuse = (): never => {
      throw new Error('no');
    };
    const endpoints = (path: string) => (path === '/sse' ? refuse : undefined);
    const { port } = await startSse({}, { endpoints });
    const session = await openSse(port);
    onTestFinished(() => session.stream.destroy());
    expect((await session.send(INITIALIZE)).status).toBe(500);
  });
});
