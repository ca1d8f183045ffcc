import { describe, expect, test } from 'vitest';
import { answer, notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import {
  ask,
  CALL,
  errorOf,
  event,
  openSession,
  post,
  POST_HEADERS,
  silent,
  startEndpoint,
  withoutIds,
} from './endpoint.ts';
import { INITIALIZE, NOTE, until } from './peers.ts';

describe('what is refused', () => {
  test.each([
    ['another content type', { 'content-type': 'text/plain' }, 415],
    ['a content type that only starts alike', { 'content-type': 'application/jsonp' }, 415],
    ['a compressed body', { 'content-encoding': 'gzip' }, 415],
    ['no event stream in Accept', { accept: 'application/json' }, 406],
    ['no JSON in Accept', { accept: 'text/event-stream' }, 406],
    ['JSON refused by quality', { accept: 'text/event-stream, application/json;q=0' }, 406],
  ])('%s', async (_name, headers, status) => {
    const { port } = await startEndpoint();
    const reply = await ask(port, {
      headers: { ...POST_HEADERS, ...headers },
      body: JSON.stringify(INITIALIZE),
    });
    expect(reply.status).toBe(status);
    expect(errorOf(reply.body)).toMatchObject({ code: -32600 });
  });

  test.each(['*/*', 'application/*, text/*;q=0.5', 'TEXT/EVENT-STREAM,application/json;q=0.9'])(
    'Accept %s is enough',
    async (accept) => {
      const { port } = await startEndpoint();
      expect((await post(port, INITIALIZE, { accept })).status).toBe(200);
    },
  );

  test('a charset is fine', async () => {
    const { port } = await startEndpoint();
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await post(port, INITIALIZE, headers)).status).toBe(200);
  });

  test.each([
    ['nothing', '', -32700],
    ['garbage', '\u0000\u0001garbage', -32700],
    ['half a message', '{"jsonrpc":"2.0"', -32700],
    ['two messages', '{}{}', -32700],
    ['what is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32700],
    ['JSON that is no message', '{"a":1}', -32600],
    ['a request whose id is true', '{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600],
    ['a request whose id is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['a number', '1', -32600],
  ])('%s as a body is 400', async (_name, body, code) => {
    const { port, sessions } = await startEndpoint();
    const reply = await ask(port, { headers: POST_HEADERS, body });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
    const headers = await openSession(port);
    await ask(port, { headers: { ...POST_HEADERS, ...headers }, body });
    expect(sessions[0]?.noise).toHaveLength(1);
  });

  test('a body over the limit is 413, declared or not', async () => {
    const { port } = await startEndpoint();
    const body = Buffer.alloc(64 * 1024 * 1024 + 1, 0x20);
    expect((await ask(port, { headers: POST_HEADERS, body })).status).toBe(413);
    const chunked = { ...POST_HEADERS, 'transfer-encoding': 'chunked' };
    expect((await ask(port, { headers: chunked, body })).status).toBe(413);
    expect((await post(port, INITIALIZE)).status).toBe(200);
  });

  test.each(['PUT', 'OPTIONS', 'PATCH', 'HEAD'])('%s is 405', async (method) => {
    const { port } = await startEndpoint();
    const reply = await ask(port, { method });
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'GET, POST, DELETE' } });
  });

  test.each(['/', '/mcp/', '/MCP', '/mcp2', '//mcp', '/x/../mcp'])(
    'an unknown path is 404: %s',
    async (path) => {
      const { port } = await startEndpoint();
      const body = JSON.stringify(INITIALIZE);
      expect((await ask(port, { path, headers: POST_HEADERS, body })).status).toBe(404);
    },
  );

  test('endpoints come and go', async () => {
    const { port } = await startEndpoint({}, { endpoints: () => undefined });
    expect((await post(port, INITIALIZE)).status).toBe(404);
  });

  test('GET without the event stream in Accept is 406', async () => {
    const { port } = await startEndpoint();
    const headers = { accept: 'application/json', ...(await openSession(port)) };
    expect((await ask(port, { method: 'GET', headers })).status).toBe(406);
  });

  test('a request whose id is still open is 400; another spelling is another id', async () => {
    const { port, sessions } = await startEndpoint({ 'tools/call': silent });
    const headers = await openSession(port);
    const first = post(port, CALL, headers);
    await until(() => sessions[0]?.received.length === 2);
    expect((await post(port, CALL, headers)).status).toBe(400);
    const other = post(port, { ...CALL, id: '5' }, headers);
    await until(() => sessions[0]?.received.length === 3);
    for (const id of ['"5"', '5']) sessions[0]?.channel.send(answer(request(id, ''), toRaw({})));
    expect(JSON.parse((await first).body)).toEqual({ jsonrpc: '2.0', id: 5, result: {} });
    expect(JSON.parse((await other).body)).toEqual({ jsonrpc: '2.0', id: '5', result: {} });
  });
});

describe('versions', () => {
  const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

  test.each(legacy)('%s is served', async (version) => {
    const { port } = await startEndpoint();
    const headers = { ...(await openSession(port)), 'mcp-protocol-version': version };
    expect((await post(port, NOTE, headers)).status).toBe(202);
  });

  test.each([
    ['a modern header', { 'mcp-protocol-version': '2026-07-28' }, {}, '2026-07-28'],
    ['an unknown header', { 'mcp-protocol-version': '1999-01-01' }, {}, '1999-01-01'],
    ['a modern body', {}, { _meta: modern }, '2026-07-28'],
  ])('%s is told what is served', async (_name, headers, params, requested) => {
    const { port } = await startEndpoint();
    const message = { ...CALL, method: 'server/discover', params };
    const reply = await post(port, message, headers);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toMatchObject({
      id: 5,
      error: { code: -32022, data: { supported: legacy, requested } },
    });
  });

  test.each(['GET', 'DELETE'])(
    '%s with an unknown version is 400, with a modern one 405',
    async (method) => {
      const { port } = await startEndpoint();
      const session = { ...POST_HEADERS, ...(await openSession(port)) };
      const withVersion = (version: string): Record<string, string> => ({
        ...session,
        'mcp-protocol-version': version,
      });
      expect((await ask(port, { method, headers: withVersion('1') })).status).toBe(400);
      const refused = await ask(port, { method, headers: withVersion('2026-07-28') });
      expect(refused).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    },
  );

  test('initialize opens a legacy session whatever its header says', async () => {
    const { port } = await startEndpoint();
    for (const version of ['2026-07-28', '1999-01-01']) {
      expect((await post(port, INITIALIZE, { 'mcp-protocol-version': version })).status).toBe(200);
    }
  });

  test('a modern message goes to whoever serves that era', async () => {
    const seen: unknown[] = [];
    const { port } = await startEndpoint(
      {},
      {
        acceptModern: ({ path, frame, response }) => {
          seen.push(path, frame.kind);
          response.end('served');
        },
      },
    );
    const message = { ...CALL, params: { _meta: modern } };
    expect((await post(port, message)).body).toBe('served');
    expect(seen).toEqual(['/mcp', 'request']);
  });
});

describe('arrays of messages', () => {
  test('are answered with one array', async () => {
    const { port, sessions } = await startEndpoint();
    const headers = await openSession(port);
    const batch = [{ ...CALL, id: 7 }, NOTE, { ...CALL, id: '7' }];
    const reply = await post(port, batch, headers);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(JSON.parse(reply.body)).toEqual([
      { jsonrpc: '2.0', id: 7, result: {} },
      { jsonrpc: '2.0', id: '7', result: {} },
    ]);
    expect(sessions[0]?.received[1]).toEqual(batch);
  });

  test('without a request are 202', async () => {
    const { port } = await startEndpoint();
    const reply = await post(port, [NOTE, NOTE], await openSession(port));
    expect(reply).toMatchObject({ status: 202, body: '' });
  });

  test('become events where a message comes before the answers', async () => {
    const { port } = await startEndpoint({
      'tools/call': (frame, channel) => channel.send(notify('notifications/x'), frame.id),
    });
    const reply = await post(port, [CALL, { ...CALL, id: 6 }], await openSession(port));
    const result = (id: number) => event({ jsonrpc: '2.0', id, result: {} });
    expect(withoutIds(reply.body)).toBe(event(NOTE) + event(NOTE) + result(5) + result(6));
  });

  test.each([
    ['nothing', [], {}],
    ['what is no message', [CALL, 1], {}],
    ['an array', [[CALL]], {}],
    ['initialize', [INITIALIZE], {}],
    ['the same id twice', [CALL, CALL], {}],
    ['too many', Array.from({ length: 101 }, (_, id) => ({ ...CALL, id })), {}],
    ['anything, in a revision without them', [CALL], { 'mcp-protocol-version': '2025-06-18' }],
  ])('holding %s are 400', async (_name, batch, headers) => {
    const { port } = await startEndpoint();
    const session = await openSession(port);
    const reply = await post(port, batch, { ...session, ...headers });
    expect(reply.status).toBe(400);
    expect(errorOf(reply.body)).toMatchObject({ code: -32600 });
  });
});
