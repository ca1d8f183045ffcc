import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

import type { AuthorizationServer } from './authorizationServer.ts';

/** A server of 2025-11-25 that answers nobody who is not signed in, and whose tool `write` wants a scope of its own. */
export interface GuardedServer {
  readonly url: string;
  /** The same server over HTTP+SSE. */
  readonly sseUrl: string;
  /** What each request to it said of who it is. */
  readonly shown: (string | undefined)[];
  /** The next refusals are only answered once there are so many of them. */
  holdRefusals(count: number): void;
  /** Takes no token from here on, however good. */
  refuseAll(): void;
  close(): Promise<void>;
}

const TOOLS = ['whoami', 'write'].map((name) => ({
  name,
  inputSchema: { type: 'object' as const },
}));

export async function startGuardedServer(
  authorization: AuthorizationServer,
): Promise<GuardedServer> {
  const shown: (string | undefined)[] = [];
  let held: (() => void)[] = [];
  let wanted = 0;
  let refusesAll = false;

  const streams = new Map<string, SSEServerTransport>();

  const demand = (response: ServerResponse, status: number, error: string, scope: string): void => {
    const path = response.req.url === '/mcp' ? '/mcp' : '/sse';
    const metadata = `${origin}/.well-known/oauth-protected-resource${path}`;
    response.setHeader(
      'www-authenticate',
      `Bearer error="${error}", resource_metadata="${metadata}", scope="${scope}"`,
    );
    response.writeHead(status).end();
  };

  const refuse = (response: ServerResponse): void => {
    const answer = (): void => demand(response, 401, 'invalid_token', 'mcp:basic');
    held.push(answer);
    if (held.length < wanted) return;
    wanted = 0;
    for (const each of held.splice(0)) each();
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, path] = /^\/\.well-known\/oauth-protected-resource(.+)/.exec(request.url ?? '') ?? [];
    if (path !== undefined) {
      response.setHeader('content-type', 'application/json');
      const resource = `${origin}${path}`;
      response.end(JSON.stringify({ resource, authorization_servers: [authorization.issuer] }));
      return;
    }
    const { authorization: header } = request.headers;
    shown.push(header);
    const token = header?.replace('Bearer ', '');
    if (refusesAll || token === undefined || !(await authorization.isGood(token))) {
      refuse(response);
      return;
    }
    const message = await messageOf(request);
    const isWriting = message?.method === 'tools/call' && message.params?.name === 'write';
    if (isWriting && !(await authorization.mayWrite(token))) {
      demand(response, 403, 'insufficient_scope', 'mcp:write');
      return;
    }
    const server = new Server({ name: 'guarded', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
    // A server may well repeat what it was shown.
    server.setRequestHandler(CallToolRequestSchema, () => ({
      content: [{ type: 'text', text: header ?? '' }],
    }));
    const { pathname, searchParams } = new URL(request.url ?? '', origin);
    if (pathname === '/sse') {
      const stream = new SSEServerTransport('/messages', response);
      streams.set(stream.sessionId, stream);
      await server.connect(stream);
      return;
    }
    if (pathname === '/messages') {
      const stream = streams.get(searchParams.get('sessionId') ?? '');
      await stream?.handlePostMessage(request, response, message);
      return;
    }
    const transport = new StreamableHTTPServerTransport({});
    response.on('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, message);
  };

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}/mcp`;
  return {
    url,
    sseUrl: `${origin}/sse`,
    shown,
    holdRefusals: (count) => {
      held = [];
      wanted = count;
    },
    refuseAll: () => {
      refusesAll = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Message {
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

async function messageOf(request: IncomingMessage): Promise<Message | undefined> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? undefined : (JSON.parse(text) as Message);
}
