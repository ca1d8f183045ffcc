import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import type { StreamableHttpClient } from '../../../../src/transports/streamableHttp/streamableHttpClient.ts';
import { INITIALIZE, until } from './peers.ts';
import { connect } from './upstream.ts';

async function listen(listener: RequestListener): Promise<URL> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

const content = [{ type: 'text' as const, text: 'done' }];

describe('a modern SDK server', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  let cancelled = 0;

  async function start(): Promise<ReturnType<typeof connect>> {
    cancelled = 0;
    const handler = createMcpHandler(
      () => {
        const server = new McpServer(
          { name: 'modern', version: '1' },
          { capabilities: { tools: {} } },
        );
        server.registerTool('quick', { inputSchema: z.object({}) }, () => ({ content }));
        server.registerTool('slow', { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
          return new Promise((resolve) => {
            mcpReq.signal.addEventListener('abort', () => {
              cancelled++;
              resolve({ content });
            });
          });
        });
        server.registerTool('telling', { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
          const progressToken = mcpReq._meta?.progressToken ?? 0;
          for (const progress of [1, 2, 3]) {
            await mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken, progress },
            });
          }
          return { content };
        });
        return server;
      },
      { legacy: 'reject' },
    );
    onTestFinished(() => handler.close());
    const serve = toNodeHandler(handler);
    const url = await listen(
      (incoming, response) => void serve(incoming as NodeIncomingMessageLike, response),
    );
    return connect({ url });
  }

  function send(client: StreamableHttpClient, id: string, method: string, params: object): void {
    const name = (params as { name?: string }).name;
    client.send(request(id, method, toRaw({ ...params, _meta: { ...META, progressToken: 'p' } })), {
      headers: {
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        ...(name !== undefined && { 'Mcp-Name': name }),
      },
    });
  }

  test('is discovered and called', async () => {
    const { client, listener } = await start();
    send(client, '1', 'server/discover', {});
    await until(() => listener.frames.length === 1);
    expect(listener.frames[0]).toMatchObject({
      frame: { id: 1, result: { supportedVersions: ['2026-07-28'] } },
    });
    send(client, '"a"', 'tools/call', { name: 'quick', arguments: {} });
    await until(() => listener.frames.length === 2);
    expect(listener.frames[1]).toMatchObject({
      frame: { id: 'a', result: { content } },
      stream: '"a"',
    });
  });

  test('streams its notifications before the answer, all of the same request', async () => {
    const { client, listener } = await start();
    send(client, '2', 'tools/call', { name: 'telling', arguments: {} });
    await until(() => listener.frames.length === 4);
    expect(listener.frames.map(({ stream }) => stream)).toEqual(['2', '2', '2', '2']);
    expect(listener.frames).toMatchObject([
      { frame: { params: { progress: 1 } } },
      { frame: { params: { progress: 2 } } },
      { frame: { params: { progress: 3 } } },
      { frame: { id: 2, result: { content } } },
    ]);
  });

  test('is told of a cancellation by the end of the connection', async () => {
    const { client, listener } = await start();
    send(client, '3', 'tools/call', { name: 'slow', arguments: {} });
    send(client, '4', 'tools/call', { name: 'quick', arguments: {} });
    await until(() => listener.frames.length === 1);
    client.abandon('3');
    await until(() => cancelled === 1);
    expect(listener.failures).toEqual([]);
  });

  test('refuses initialize with an error that tells its era', async () => {
    const { client, listener } = await start();
    client.send(request('1', 'initialize', toRaw(INITIALIZE.params)));
    await until(() => listener.frames.length === 1);
    expect(listener.frames[0]).toMatchObject({
      frame: { id: 1, error: { data: { supported: ['2026-07-28'] } } },
      stream: '1',
      status: 400,
    });
  });
});

describe('a legacy SDK server with sessions', () => {
  async function start(json: boolean) {
    const sessions = new Map<string, StreamableHTTPServerTransport>();
    const servers: LegacyServer[] = [];
    const closed: string[] = [];
    const url = await listen((incoming, response) => {
      const id = incoming.headers['mcp-session-id'];
      const known = sessions.get(String(id));
      if (known !== undefined) {
        void known.handleRequest(incoming, response);
        return;
      }
      if (id !== undefined) {
        response.writeHead(404).end();
        return;
      }
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: json,
        onsessioninitialized: (session) => void sessions.set(session, transport),
        onsessionclosed: (session) => void closed.push(session),
      });
      const server = new LegacyServer(
        { name: 'legacy', version: '1' },
        { capabilities: { logging: {} } },
      );
      server.registerTool('quick', {}, () => ({ content }));
      servers.push(server);
      void server
        .connect(transport as Parameters<typeof server.connect>[0])
        .then(() => transport.handleRequest(incoming, response));
    });
    onTestFinished(async () => {
      for (const server of servers) await server.close();
    });
    return { ...connect({ url }), servers, closed, sessions };
  }

  test.each([true, false])('is opened, called, heard and left; JSON answers: %s', async (json) => {
    const { client, listener, servers, closed, sessions } = await start(json);
    client.send(request('1', 'initialize', toRaw(INITIALIZE.params)));
    await until(() => listener.frames.length === 1);
    client.negotiated('2025-11-25');
    client.send(notify('notifications/initialized'));
    client.send(request('2', 'tools/call', toRaw({ name: 'quick', arguments: {} })));
    await until(() => listener.frames.length === 2);
    expect(listener.frames[1]).toMatchObject({
      frame: { id: 2, result: { content } },
      stream: '2',
    });
    const heard = (): boolean => listener.frames.length > 2;
    while (!heard()) {
      // The standing stream opens in its own time; the server drops what it has no stream for.
      await servers[0]?.server.sendLoggingMessage({ level: 'info', data: 'hello' });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(listener.frames[2]).toMatchObject({ frame: { params: { data: 'hello' } } });
    expect(listener.frames[2]?.stream).toBeUndefined();
    await client.close();
    expect(closed).toEqual([...sessions.keys()]);
    expect(listener.failures).toEqual([]);
  });

  test('that has lost the session says so in its status', async () => {
    const { client, listener, sessions } = await start(true);
    client.send(request('1', 'initialize', toRaw(INITIALIZE.params)));
    await until(() => listener.frames.length === 1);
    client.negotiated('2025-11-25');
    sessions.clear();
    client.send(request('2', 'tools/call', toRaw({ name: 'quick' })));
    await until(() => listener.failures.length === 1);
    expect(listener.failures).toMatchObject([
      { id: '2', failure: { kind: 'session-lost', status: 404 } },
    ]);
  });

  test('refuses a modern probe with an error that is not one of the modern era', async () => {
    const { client, listener } = await start(true);
    client.send(request('1', 'server/discover', toRaw({})), {
      headers: { 'MCP-Protocol-Version': '2026-07-28' },
    });
    await until(() => listener.frames.length === 1);
    expect(listener.frames[0]).toMatchObject({
      frame: { id: 1, error: { code: -32000 } },
      status: 400,
    });
  });
});
