import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { SubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished } from 'vitest';

import type { Rule } from '../../fixtures/raw/script.ts';
import type { Message } from '../../support/rawClient.ts';
import { until } from '../../support/until.ts';
import { test } from '../reports/support/stage.ts';
import { badRequest, forgets, notFound, sessionsOf, text } from './forgets.ts';

// What a session is lost by when its client asks nothing: the standing stream, and what the client tells.

const logged = (data: string): Message => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data },
});
const says =
  (data: string) =>
  ({ method, params }: Message): boolean =>
    method === 'notifications/message' && (params as { data?: unknown }).data === data;

/** A standing stream that tells one thing, and ends where its client may come back at once. */
const tells = (nth: number, data: string, ends: boolean): Rule => ({
  on: 'GET',
  nth,
  sse: true,
  steps: [
    { line: 'retry: 1\n' },
    { send: logged(data) },
    ...(ends ? [] : ([{ hang: true }] as const)),
  ],
});

describe.concurrent('a session that is lost while its client asks nothing', () => {
  test.for([
    ['404', notFound],
    ['400 and words', badRequest],
    ['400 and other words', [{ head: { status: 400 } }, { line: 'Invalid or missing ID' }]],
  ] as const)('is opened anew where the standing stream meets %s', async ([, steps], { stage }) => {
    const { client } = await stage.stdio(
      await stage.http(
        forgets(
          tells(1, 'before', true),
          { on: 'GET', nth: 2, steps: [...steps] },
          { on: 'ping', nth: 1, steps: [...notFound] },
          tells(3, 'after', false),
        ),
      ),
    );
    await client.message(says('before'));
    await client.message(says('after'));
    expect(sessionsOf(stage, 'initialize')).toEqual([undefined, undefined]);
    const gets = stage.run.requests.filter(({ method }) => method === 'GET');
    expect(gets.map(({ headers }) => headers['mcp-session-id'])).toEqual([
      ...['first', 'first'],
      'second',
    ]);
    const others = client.messages.filter(({ id, method }) => id !== 'open' && !method);
    expect(others, 'it hears notifications and nothing else').toEqual([]);
  });

  test('is not, where the server has no standing stream and says so by 404', async ({ stage }) => {
    const nowhere: Rule = { on: 'GET', steps: [{ head: { status: 404 } }] };
    const { client } = await stage.stdio(
      await stage.http(forgets(nowhere, { on: 'ping', steps: [{ result: {} }] })),
    );
    await until(() => JSON.stringify(stage.report).includes('The standing stream is off: '));
    expect(await client.request(1, 'tools/call', { name: 'plain' })).toMatchObject({
      result: text('ok'),
    });
    expect(sessionsOf(stage, 'initialize')).toHaveLength(1);
    expect(stage.run.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  test('is opened anew where a notification meets that, which is told there', async ({ stage }) => {
    const method = 'notifications/roots/list_changed';
    const loses: Rule = { on: method, nth: 1, steps: [...notFound] };
    const { client } = await stage.stdio(await stage.http(forgets(loses)), {
      capabilities: { roots: { listChanged: true } },
    });
    client.send({ method });
    await until(() => stage.run.of(method).length === 2);
    expect(await client.request(1, 'tools/call', { name: 'plain' })).toMatchObject({
      result: text('ok'),
    });
    expect(sessionsOf(stage, method)).toEqual(['first', 'second']);
    expect(sessionsOf(stage, 'tools/call')).toEqual(['second']);
  });

  test('stays so where no other can be opened, until the next request', async ({ stage }) => {
    const method = 'notifications/roots/list_changed';
    const loses: Rule = { on: method, nth: 1, steps: [...notFound] };
    const refuses: Rule = {
      on: 'initialize',
      nth: 2,
      steps: [{ error: { code: -32000, message: 'too many' } }],
    };
    const call: Rule = { on: 'tools/call', nth: 1, steps: [...notFound] };
    const { client } = await stage.stdio(await stage.http(forgets(loses, refuses, call)), {
      capabilities: { roots: { listChanged: true } },
    });
    await client.request(1, 'tools/list');
    client.send({ method });
    await until(() => JSON.stringify(stage.report).includes('no other could be opened: too many'));
    expect(await client.request(2, 'tools/call', { name: 'read' })).toMatchObject({
      result: text('ok'),
    });
    expect(sessionsOf(stage, method)).toEqual(['first', 'third']);
    expect(sessionsOf(stage, 'tools/call')).toEqual(['first', 'third']);
  });
});

/** A server on the SDK whose sessions the test drops. */
async function startSdkServer() {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const servers: McpServer[] = [];
  const subscribed: string[] = [];
  const http = createServer((request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = sessions.get(String(id));
    if (known !== undefined || id !== undefined) {
      if (known === undefined) response.writeHead(404).end();
      else void known.handleRequest(request, response);
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => {
        sessions.set(session, transport);
        servers.push(server);
      },
    });
    const capabilities = { logging: {}, resources: { subscribe: true } };
    const server = new McpServer({ name: 'forgetful', version: '1' }, { capabilities });
    server.registerResource('one', 'test://one', {}, () => ({ contents: [] }));
    server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
      subscribed.push(params.uri);
      return {};
    });
    void server
      .connect(transport as Parameters<typeof server.connect>[0])
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    servers,
    subscribed,
    forget: async () => {
      const before = [...sessions.values()];
      sessions.clear();
      for (const transport of before) await transport.close();
    },
  };
}

describe('a server on the SDK that forgets its sessions', () => {
  test('goes on telling a client that asks nothing', async ({ stage }) => {
    const { url, servers, subscribed, forget } = await startSdkServer();
    const { client } = await stage.stdio(url);
    await client.request(1, 'logging/setLevel', { level: 'error' });
    await client.request(2, 'resources/subscribe', { uri: 'test://one' });
    for (const sessions of [1, 2]) {
      await forget();
      await until(() => servers.length === sessions + 1 && subscribed.length === sessions + 1);
      await until(() => client.heard('notifications/resources/updated').length === sessions);
      const server = servers[sessions]?.server;
      const hears = (): boolean => client.messages.some(says(`in session ${sessions}`));
      while (!hears()) {
        // The standing stream opens in its own time; the server drops what it has no stream for.
        const { sessionId } = server?.transport ?? {};
        const say = (level: 'info' | 'error', data: string) =>
          server?.sendLoggingMessage({ level, data }, sessionId);
        await say('info', 'too low a level');
        await say('error', `in session ${sessions}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    expect(client.messages.some(says('too low a level'))).toBe(false);
    expect(subscribed).toEqual(['test://one', 'test://one', 'test://one']);
    expect(servers).toHaveLength(3);
    expect(client.messages.filter(({ method }) => !method).map(({ id }) => id)).toEqual([
      ...['open', 1, 2],
    ]);
  });
});
