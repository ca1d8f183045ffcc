import { describe, expect, test } from 'vitest';
import { answer, fail, notify } from '../../../../src/protocol/frame.ts';
import type { ParamHeader } from '../../../../src/protocol/headerValue.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { serveModern } from '../../../../src/transports/streamableHttp/modernEndpoint.ts';
import {
  ask,
  errorOf,
  event,
  openStream,
  post,
  POST_HEADERS,
  respond,
  ScriptedSession,
  silent,
  startEndpoint,
  type Handler,
} from './endpoint.ts';
import { INITIALIZE, NOTE, until } from './peers.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
const CALL = {
  jsonrpc: '2.0',
  id: 5,
  method: 'tools/call',
  params: { name: 'x', arguments: { region: 'eu', size: 42.0 }, _meta: META },
};
const NAMED = { ...HEADERS, 'mcp-name': 'x' };

async function start(handler: Handler, paramHeaders: readonly ParamHeader[] = []) {
  const conversations: ScriptedSession[] = [];
  const handlers = { 'tools/call': handler, 'tools/list': handler };
  const endpoint = await startEndpoint(
    {},
    {
      acceptModern: serveModern({
        service: (path) =>
          path !== '/mcp'
            ? undefined
            : {
                accept: (channel) => {
                  const conversation = new ScriptedSession(channel, handlers);
                  conversations.push(conversation);
                  return conversation;
                },
                paramHeaders: () => paramHeaders,
              },
      }),
    },
  );
  return { ...endpoint, conversations };
}

describe('a modern request', () => {
  test('is a conversation of its own, answered by a plain body', async () => {
    const { port, conversations } = await start(respond({ resultType: 'complete' }));
    const reply = await post(port, CALL, NAMED);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(reply.headers).not.toHaveProperty('mcp-session-id');
    expect(JSON.parse(reply.body)).toMatchObject({ id: 5, result: { resultType: 'complete' } });
    await post(port, CALL, { ...NAMED, 'mcp-session-id': 'ignored', 'last-event-id': '1' });
    expect(conversations.map(({ received }) => received)).toEqual([[CALL], [CALL]]);
    await until(() => conversations.every(({ closes }) => closes === 1));
    expect(conversations.flatMap(({ abandoned }) => abandoned)).toEqual([]);
  });

  test('is answered by a stream where something comes before the answer', async () => {
    const { port } = await start((request, channel) => {
      channel.send(notify('notifications/x'), request.id);
      channel.send(answer(request, toRaw({})), request.id);
    });
    const reply = await post(port, CALL, NAMED);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    expect(reply.body).toBe(event(NOTE) + event({ jsonrpc: '2.0', id: 5, result: {} }));
  });

  test('is given up by going away', async () => {
    const { port, conversations } = await start((request, channel) =>
      channel.send(notify('notifications/x'), request.id),
    );
    const headers = { ...POST_HEADERS, ...NAMED };
    const live = await openStream(port, { method: 'POST', headers, body: JSON.stringify(CALL) });
    live.destroy();
    await until(() => conversations[0]?.closes === 1);
    expect(conversations[0]?.abandoned).toEqual(['5']);
  });

  test.each([
    [-32601, 404],
    [-32020, 400],
    [-32021, 400],
    [-32022, 400],
    [-32602, 200],
    [-32603, 200],
  ])('that fails with %d has the status %d', async (code, status) => {
    const { port } = await start((request, channel) => channel.send(fail(request, code, 'No')));
    const reply = await post(port, CALL, NAMED);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toMatchObject({ id: 5, error: { code, message: 'No' } });
  });
});

describe('what is refused before anybody looks at it', () => {
  const { params } = CALL;
  test.each<[string, object, Record<string, string>, number]>([
    ['no version header', CALL, { 'mcp-method': 'tools/call', 'mcp-name': 'x' }, -32020],
    ['a version that differs', CALL, { ...NAMED, 'mcp-protocol-version': 'draft' }, -32020],
    ['no Mcp-Method', CALL, { ...NAMED, 'mcp-method': '' }, -32020],
    ['a method that differs', CALL, { ...NAMED, 'mcp-method': 'tools/list' }, -32020],
    ['a method in other letters', CALL, { ...NAMED, 'mcp-method': 'Tools/Call' }, -32020],
    ['no Mcp-Name', CALL, HEADERS, -32020],
    ['a name that differs', CALL, { ...NAMED, 'mcp-name': 'y' }, -32020],
    ['a name in bad base64', CALL, { ...NAMED, 'mcp-name': '=?base64?e?=' }, -32020],
    ['no _meta', { ...CALL, params: { name: 'x' } }, NAMED, -32602],
    [
      'no capabilities',
      { ...CALL, params: { ...params, _meta: { ...META, [Object.keys(META)[1] ?? '']: 1 } } },
      NAMED,
      -32602,
    ],
  ])('%s', async (_name, message, headers, code) => {
    const { port, conversations } = await start(silent);
    const reply = await post(port, message, headers);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toMatchObject({ id: 5, error: { code } });
    expect(conversations).toEqual([]);
  });

  test('a version that is not served', async () => {
    const { port } = await start(silent);
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const headers = { ...NAMED, 'mcp-protocol-version': '2099-01-01' };
    const reply = await post(port, { ...CALL, params: { ...params, _meta } }, headers);
    expect(reply.status).toBe(400);
    expect(errorOf(reply.body)).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28', 'draft'], requested: '2099-01-01' },
    });
    const unknown = await post(port, { ...CALL, params: {} }, headers);
    expect(errorOf(unknown.body)).toMatchObject({
      code: -32022,
      data: { supported: expect.arrayContaining(['2025-11-25', '2026-07-28']) as unknown },
    });
  });

  test('responses and arrays', async () => {
    const { port, conversations } = await start(silent);
    for (const message of [{ jsonrpc: '2.0', id: 1, result: {} }, [CALL]]) {
      const reply = await post(port, message, HEADERS);
      expect(reply.status).toBe(400);
      expect(errorOf(reply.body)).toMatchObject({ code: -32600 });
    }
    expect(conversations).toEqual([]);
  });
});

test('a name that does not fit into a header is taken in its base64 form', async () => {
  const { port } = await start(respond({}));
  const name = '=?base64?w6Q=?=';
  const call = { ...CALL, params: { ...CALL.params, name: 'ä' } };
  expect((await post(port, call, { ...HEADERS, 'mcp-name': name })).status).toBe(200);
});

test.each([
  ['in another spelling of a number', '42', '42.0'],
  ['in characters that have to be encoded', 'ä', Buffer.from('ä').toString('latin1')],
  ['in characters that look the same one by one', 'ä', 'ä'],
  ['without a name in the body', undefined, 'x'],
])('a name %s is refused', async (_what, name, header) => {
  const { port } = await start(respond({}));
  const call = { ...CALL, params: { ...CALL.params, name } };
  const reply = await post(port, call, { ...HEADERS, 'mcp-name': header });
  expect(reply.status).toBe(400);
  expect(errorOf(reply.body)).toMatchObject({ code: -32020 });
});

test('a notification is taken without a word', async () => {
  const { port, conversations } = await start(silent);
  const reply = await post(port, NOTE, { ...HEADERS, 'mcp-method': 'notifications/x' });
  expect(reply).toMatchObject({ status: 202, body: '' });
  expect(conversations[0]?.received).toEqual([NOTE]);
});

test('clients of both eras are served at one address', async () => {
  const { port, sessions, conversations } = await start(respond({}));
  expect((await post(port, INITIALIZE)).status).toBe(200);
  expect((await post(port, CALL, NAMED)).status).toBe(200);
  expect([sessions.length, conversations.length]).toEqual([1, 1]);
});

describe('arguments that travel in headers', () => {
  test.each([
    ['a text is one of its own', '42', '42.0', 400],
    ['a text is one of its own, though it reads as a number', '1e2', '100', 400],
    ['a number is the same number', 42, '42.0', 200],
    ['a number is not its neighbour', 42, '43', 400],
  ])('%s: %j, %s', async (_what, size, header, status) => {
    const { port } = await start(respond({}), [{ header: 'Mcp-Param-Size', path: ['size'] }]);
    const call = { ...CALL, params: { ...CALL.params, arguments: { size } } };
    const reply = await post(port, call, { ...NAMED, 'mcp-param-size': header });
    expect(reply.status).toBe(status);
  });

  test('past what a number can tell apart, digits count', async () => {
    const { port } = await start(respond({}), [{ header: 'Mcp-Param-Size', path: ['size'] }]);
    const body = JSON.stringify({ ...CALL, params: { ...CALL.params, arguments: { size: 0 } } });
    for (const [size, header, status] of [
      ['9007199254740993', '9007199254740992', 400],
      ['9007199254740993', '9007199254740993', 200],
    ] as const) {
      const headers = { ...POST_HEADERS, ...NAMED, 'mcp-param-size': header };
      const reply = await ask(port, { headers, body: body.replace('"size":0', `"size":${size}`) });
      expect(reply.status).toBe(status);
    }
  });

  test('may be long', async () => {
    const { port } = await start(respond({}), [{ header: 'Mcp-Param-Text', path: ['text'] }]);
    const text = 'x'.repeat(100_000);
    const call = { ...CALL, params: { ...CALL.params, arguments: { text } } };
    expect((await post(port, call, { ...NAMED, 'mcp-param-text': text })).status).toBe(200);
  });

  const wanted: readonly ParamHeader[] = [
    { header: 'Mcp-Param-Region', path: ['region'] },
    { header: 'Mcp-Param-Size', path: ['size'] },
    { header: 'Mcp-Param-None', path: ['none'] },
  ];
  const REGION = { 'mcp-param-region': 'eu' };
  test.each<[string, Record<string, string>, number]>([
    ['as they are', { ...REGION, 'mcp-param-size': '42' }, 200],
    ['as the same number', { ...REGION, 'mcp-param-size': '42.0' }, 200],
    ['in base64', { 'mcp-param-region': '=?base64?ZXU=?=', 'mcp-param-size': '42' }, 200],
    ['and one that nobody knows', { ...REGION, 'mcp-param-size': '42', 'mcp-param-x': '1' }, 200],
    ['but one is missing', REGION, 400],
    ['but differ', { 'mcp-param-region': 'us', 'mcp-param-size': '42' }, 400],
    ['though absent', { ...REGION, 'mcp-param-size': '42', 'mcp-param-none': '1' }, 400],
    ['in bad base64', { 'mcp-param-region': '=?base64?ZXU?=', 'mcp-param-size': '42' }, 400],
    ['but not as text', { 'mcp-param-region': 'eu', 'mcp-param-size': 'forty-two' }, 400],
  ])('%s', async (_name, headers, status) => {
    const { port } = await start(respond({}), wanted);
    const reply = await post(port, CALL, { ...NAMED, ...headers });
    expect(reply.status).toBe(status);
    if (status === 400) expect(errorOf(reply.body)).toMatchObject({ code: -32020 });
  });
});
