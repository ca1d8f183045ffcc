import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { answer, fail, notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import type { AcceptChannel } from '../../../../src/transports/transport.ts';
import {
  ask,
  CALL,
  errorOf,
  event,
  openSession,
  openStream,
  post,
  POST_HEADERS,
  respond,
  silent,
  startEndpoint,
  requestBytes,
  withoutIds,
  INITIALIZE_RESULT,
  ScriptedSession,
} from './endpoint.ts';
import { INITIALIZE, NOTE, until } from './peers.ts';

describe('sessions', () => {
  test('initialize opens one, whose id later requests bring', async () => {
    const { port, sessions } = await startEndpoint({ 'tools/call': respond({ content: [] }) });
    const opened = await post(port, INITIALIZE);
    expect(opened.status).toBe(200);
    expect(opened.headers['content-type']).toBe('application/json');
    const id = String(opened.headers['mcp-session-id']);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const called = await post(port, CALL, { 'mcp-session-id': id });
    expect(JSON.parse(called.body)).toEqual({ jsonrpc: '2.0', id: 5, result: { content: [] } });
    expect(sessions[0]?.received).toEqual([INITIALIZE, CALL]);
  });

  test('each client has its own', async () => {
    const { port, sessions } = await startEndpoint();
    const [one, two] = [await openSession(port), await openSession(port)];
    expect(one).not.toEqual(two);
    await post(port, NOTE, two);
    expect(sessions.map(({ received }) => received.length)).toEqual([1, 2]);
  });

  test.each(['POST', 'GET', 'DELETE'])('%s without a session is 400', async (method) => {
    const { port } = await startEndpoint();
    const body = method === 'POST' ? JSON.stringify(CALL) : '';
    const reply = await ask(port, { method, headers: POST_HEADERS, body });
    expect(reply.status).toBe(400);
    expect(errorOf(reply.body)).toMatchObject({ code: -32600, message: /Mcp-Session-Id/ });
  });

  test.each(['POST', 'GET', 'DELETE'])('%s with an unknown session is 404', async (method) => {
    const { port } = await startEndpoint();
    const headers = { ...POST_HEADERS, 'mcp-session-id': 'no-such' };
    const body = method === 'POST' ? JSON.stringify(CALL) : '';
    const reply = await ask(port, { method, headers, body });
    expect(reply.status).toBe(404);
    expect(errorOf(reply.body)).toMatchObject({ code: -32600, message: /no such session/ });
  });

  test('one is unknown at another path', async () => {
    const accept: AcceptChannel = (channel) =>
      new ScriptedSession(channel, { initialize: respond(INITIALIZE_RESULT) });
    const { port } = await startEndpoint({}, { endpoints: () => accept });
    const headers = await openSession(port);
    const elsewhere = { headers: { ...POST_HEADERS, ...headers }, body: JSON.stringify(NOTE) };
    expect((await ask(port, { path: '/other/mcp', ...elsewhere })).status).toBe(404);
    expect((await ask(port, { path: '/mcp', ...elsewhere })).status).toBe(202);
  });

  test('DELETE ends one', async () => {
    const { port, sessions } = await startEndpoint();
    const headers = await openSession(port);
    expect(await ask(port, { method: 'DELETE', headers })).toMatchObject({ status: 200, body: '' });
    expect(sessions[0]?.closes).toBe(1);
    expect((await post(port, NOTE, headers)).status).toBe(404);
  });

  test('initialize again is refused', async () => {
    const { port } = await startEndpoint();
    const headers = await openSession(port);
    expect((await post(port, INITIALIZE, headers)).status).toBe(400);
  });

  test('a failed initialize leaves none', async () => {
    const { port, sessions } = await startEndpoint({
      initialize: (frame, channel) => channel.send(fail(frame, -32603, 'no server')),
    });
    const reply = await post(port, INITIALIZE);
    expect(errorOf(reply.body)).toEqual({ code: -32603, message: 'no server' });
    expect(sessions[0]?.closes).toBe(1);
    const headers = { 'mcp-session-id': String(reply.headers['mcp-session-id']) };
    expect((await post(port, NOTE, headers)).status).toBe(404);
  });

  test('a client that leaves during initialize leaves none', async () => {
    const { port, sessions } = await startEndpoint({ initialize: silent });
    const socket = connect(port, '127.0.0.1');
    const body = JSON.stringify(INITIALIZE);
    const headers = { ...POST_HEADERS, 'content-length': String(body.length) };
    socket.write(requestBytes('POST', port, headers, body));
    await until(() => sessions.length === 1);
    socket.destroy();
    await until(() => sessions[0]?.closes === 1);
    expect(sessions[0]?.abandoned).toEqual(['1']);
  });

  test('an idle one ends by itself, one with a stream does not', async () => {
    const { port, sessions } = await startEndpoint({}, { idleMs: 40 });
    await openSession(port);
    const headers = await openSession(port);
    const stream = await openStream(port, { headers: { ...POST_HEADERS, ...headers } });
    await until(() => sessions[0]?.closes === 1);
    expect((await post(port, NOTE, headers)).status).toBe(202);
    expect(sessions[1]?.closes).toBe(0);
    stream.destroy();
    await until(() => sessions[1]?.closes === 1);
  });

  test('one that the bridge ends answers what is open and is gone', async () => {
    const { port, sessions } = await startEndpoint({ 'tools/call': silent });
    const headers = await openSession(port);
    const stream = await openStream(port, { headers: { ...POST_HEADERS, ...headers } });
    const call = post(port, CALL, headers);
    await until(() => sessions[0]?.received.length === 2);
    sessions[0]?.channel.close();
    expect(JSON.parse((await call).body)).toMatchObject({ id: 5, error: { code: -32603 } });
    await until(() => stream.ended());
    expect((await post(port, NOTE, headers)).status).toBe(404);
    expect(sessions[0]?.closes).toBe(1);
  });
});

describe('the standing stream', () => {
  test('carries what belongs to no request, in order, also from before it was opened', async () => {
    const { port, sessions } = await startEndpoint();
    const headers = { ...POST_HEADERS, ...(await openSession(port)) };
    const send = (n: number) => sessions[0]?.channel.send(notify('notifications/x', toRaw({ n })));
    send(1);
    send(2);
    const stream = await openStream(port, { headers });
    expect(stream.headers['content-type']).toBe('text/event-stream');
    send(3);
    const expected = [1, 2, 3].map((n) => event({ ...NOTE, params: { n } })).join('');
    await until(() => withoutIds(stream.text()) === expected);
  });

  test('has a bounded queue, which drops the oldest and says so', async () => {
    const { port, sessions, reports } = await startEndpoint({}, { queueLimit: 2 });
    const headers = { ...POST_HEADERS, ...(await openSession(port)) };
    for (const n of [1, 2, 3]) {
      sessions[0]?.channel.send(notify('notifications/x', toRaw({ n })));
    }
    expect(reports).toEqual(['Nobody is there to read notifications/x; it was dropped.']);
    const stream = await openStream(port, { headers });
    const expected = [2, 3].map((n) => event({ ...NOTE, params: { n } })).join('');
    await until(() => withoutIds(stream.text()) === expected);
  });

  test('is waited for by a question for so long only', async () => {
    const { port, sessions } = await startEndpoint({}, { questionMs: 20 });
    const headers = { ...POST_HEADERS, ...(await openSession(port)) };
    sessions[0]?.channel.send(request('"a"', 'roots/list'));
    sessions[0]?.channel.send(notify('notifications/x'));
    await until(() => sessions[0]?.undeliverable.length === 1);
    expect(sessions[0]?.undeliverable).toEqual(['"a"']);
    const stream = await openStream(port, { headers });
    await until(() => withoutIds(stream.text()) === event(NOTE));
  });

  test('is waited for by so many questions only', async () => {
    const { port, sessions } = await startEndpoint({}, { queueLimit: 1 });
    await openSession(port);
    for (const id of ['"a"', '"b"']) sessions[0]?.channel.send(request(id, 'roots/list'));
    expect(sessions[0]?.undeliverable).toEqual(['"a"']);
  });

  test('is kept alive', async () => {
    const { port } = await startEndpoint({}, { keepAliveMs: 10 });
    const headers = { ...POST_HEADERS, ...(await openSession(port)) };
    const stream = await openStream(port, { headers });
    await until(() => stream.text() === ': keep-alive\n\n'.repeat(3));
  });

  test('is cut off where the client does not read it, before it fills the memory', async () => {
    const { port, sessions, reports } = await startEndpoint();
    const headers = await openSession(port);
    const socket = connect(port, '127.0.0.1');
    socket.pause().write(requestBytes('GET', port, { ...POST_HEADERS, ...headers }));
    const filler = toRaw({ text: 'x'.repeat(8 * 1024 * 1024) });
    let sent = 0;
    await until(() => {
      sessions[0]?.channel.send(notify('notifications/x', filler));
      sent++;
      return reports.length > 0;
    });
    expect(reports).toEqual(['A client does not read its stream; it was cut off.']);
    expect(sent).toBeLessThan(50);
    socket.destroy();
    expect((await post(port, NOTE, headers)).status).toBe(202);
  });

  test('takes a notification whose request is over', async () => {
    const { port, sessions } = await startEndpoint({ 'tools/call': respond({}) });
    const headers = { ...POST_HEADERS, ...(await openSession(port)) };
    const stream = await openStream(port, { headers });
    await post(port, CALL, headers);
    sessions[0]?.channel.send(notify('notifications/x'), '5');
    await until(() => withoutIds(stream.text()) === event(NOTE));
  });
});

describe('a request that is dropped', () => {
  const PROGRESS = notify('notifications/progress', toRaw({ progress: 1 }));

  test('ends its POST with 202 and no body', async () => {
    const { port, sessions } = await startEndpoint({ 'tools/call': silent });
    const headers = await openSession(port);
    const call = post(port, CALL, headers);
    await until(() => sessions[0]?.received.length === 2);
    sessions[0]?.channel.drop('5');
    expect(await call).toMatchObject({ status: 202, body: '' });
  });

  test('ends its stream where one is open', async () => {
    const { port, sessions } = await startEndpoint({
      'tools/call': (frame, channel) => channel.send(PROGRESS, frame.id),
    });
    const headers = await openSession(port);
    const call = post(port, CALL, headers);
    await until(() => sessions[0]?.received.length === 2);
    sessions[0]?.channel.drop('5');
    expect(withoutIds((await call).body)).toBe(
      event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }),
    );
  });

  test('frees its id, also where its client went away before', async () => {
    const { port, sessions } = await startEndpoint({ 'tools/call': silent });
    const headers = await openSession(port);
    const again = { ...CALL, method: 'ping' };
    const call = post(port, CALL, headers);
    await until(() => sessions[0]?.received.length === 2);
    sessions[0]?.channel.drop('5');
    await call;
    expect((await post(port, again, headers)).status).toBe(200);

    const socket = connect(port, '127.0.0.1');
    const body = JSON.stringify(CALL);
    const all = { ...POST_HEADERS, ...headers, 'content-length': String(body.length) };
    socket.write(requestBytes('POST', port, all, body));
    await until(() => sessions[0]?.received.length === 4);
    socket.destroy();
    await until(() => sessions[0]?.abandoned.length === 1);
    expect((await post(port, again, headers)).status).toBe(400);
    sessions[0]?.channel.drop('5');
    expect((await post(port, again, headers)).status).toBe(200);
  });

  test('lets its session become idle', async () => {
    const { port, sessions } = await startEndpoint({ 'tools/call': silent }, { idleMs: 40 });
    const headers = await openSession(port);
    const call = post(port, CALL, headers);
    await until(() => sessions[0]?.received.length === 2);
    sessions[0]?.channel.drop('5');
    await call;
    await until(() => sessions[0]?.closes === 1);
  });
});

describe('a client that goes away', () => {
  test('is reported per request; what comes for it is dropped and reported', async () => {
    const { port, sessions, reports } = await startEndpoint(
      { 'tools/call': silent },
      { keepAliveMs: 10 },
    );
    const session = await openSession(port);
    const headers = { ...POST_HEADERS, ...session };
    const standing = await openStream(port, { headers });
    const body = JSON.stringify(CALL);
    const call = await openStream(port, { method: 'POST', headers, body });
    call.destroy();
    await until(() => sessions[0]?.abandoned.length === 1);
    expect(sessions[0]?.abandoned).toEqual(['5']);
    sessions[0]?.channel.send(notify('notifications/x'), '5');
    sessions[0]?.channel.send(answer(request('5', ''), toRaw({})));
    expect(reports).toEqual([
      'Nobody is there to read notifications/x; it was dropped.',
      'Nobody is there to read the response to 5; it was dropped.',
    ]);
    sessions[0]?.channel.send(notify('notifications/x'));
    await until(
      () => withoutIds(standing.text()).replaceAll(': keep-alive\n\n', '') === event(NOTE),
    );
    expect((await post(port, { ...CALL, id: 6, method: 'ping' }, session)).status).toBe(200);
  });

  test('is not asked, until it has a standing stream', async () => {
    const { port, sessions } = await startEndpoint({ 'tools/call': silent });
    const headers = { ...POST_HEADERS, ...(await openSession(port)) };
    const socket = connect(port, '127.0.0.1');
    const body = JSON.stringify(CALL);
    socket.write(
      requestBytes('POST', port, { ...headers, 'content-length': String(body.length) }, body),
    );
    await until(() => sessions[0]?.received.length === 2);
    socket.destroy();
    await until(() => sessions[0]?.abandoned.length === 1);
    sessions[0]?.channel.send(request('"a"', 'elicitation/create'), '5');
    expect(sessions[0]?.undeliverable).toEqual(['"a"']);
    const standing = await openStream(port, { headers });
    sessions[0]?.channel.send(request('"b"', 'elicitation/create'), '5');
    await until(() => standing.text().includes('"id":"b"'));
    expect(standing.text()).not.toContain('"id":"a"');
    expect(sessions[0]?.undeliverable).toEqual(['"a"']);
  });

  test('in the middle of a body does no harm', async () => {
    const { port, sessions } = await startEndpoint();
    for (let run = 0; run < 5; run++) {
      const socket = connect(port, '127.0.0.1');
      const headers = { ...POST_HEADERS, 'content-length': '1000' };
      socket.write(requestBytes('POST', port, headers, '{"jsonrpc"'));
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.destroy();
    }
    expect((await post(port, INITIALIZE)).status).toBe(200);
    expect(sessions).toHaveLength(1);
  });

  test('what is no HTTP does no harm', async () => {
    const { port } = await startEndpoint();
    const socket = connect(port, '127.0.0.1');
    socket.write('\u0000\u0001\u0002 garbage\r\n\r\n');
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect((await post(port, INITIALIZE)).status).toBe(200);
  });
});
