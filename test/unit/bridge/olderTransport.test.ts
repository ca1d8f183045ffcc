import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Bridge } from '../../../src/bridge/bridge.ts';
import type { EraMemory } from '../../../src/bridge/bridgeOptions.ts';
import { createBridge } from '../../../src/bridge/createBridge.ts';
import { inspect, type Inspection } from '../../../src/bridge/inspect.ts';
import type { ResolvedHttpServer } from '../../../src/config/resolve.ts';
import type { Era } from '../../../src/protocol/revision.ts';
import { STRICT } from '../../../src/translate/policy.ts';
import {
  json,
  SSE,
  sseEvent,
  startUpstream,
  type Handle,
  type Upstream,
} from '../transports/streamableHttp/upstream.ts';

interface Asked {
  readonly id?: number;
  readonly method: string;
}

const RESULTS: ReadonlyMap<string, object> = new Map([
  [
    'initialize',
    { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old' } },
  ],
  ['tools/list', { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }],
]);

/** An HTTP+SSE server whose stream is at `/mcp`, and which answers a POST there as `refuse` says. */
function olderServer(refuse: Handle, endpoint = '/messages'): Handle {
  let stream: ServerResponse | undefined;
  return (request, response, body) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, SSE);
      stream.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    } else if (request.url === '/messages') {
      response.writeHead(202).end();
      const { id, method } = JSON.parse(body) as Asked;
      if (id !== undefined) {
        stream?.write(sseEvent({ jsonrpc: '2.0', id, result: RESULTS.get(method) }));
      }
    } else {
      refuse(request, response, body);
    }
  };
}

const refuseWith =
  (status: number, body = ''): Handle =>
  (_request, response) =>
    response.writeHead(status).end(body);

interface Seen {
  readonly upstream: Upstream;
  readonly bridge: Bridge;
  readonly inspection: Inspection;
  readonly gets: number;
}

/** Looks at a server through a bridge. */
async function look(
  handle: Handle,
  options: Partial<ResolvedHttpServer> = {},
  remembered?: Era,
): Promise<Seen> {
  const upstream = await startUpstream(handle);
  const memory: EraMemory = { recall: () => remembered, remember: () => undefined };
  const bridge = createBridge(
    { kind: 'http', name: 'x', url: upstream.url.href, headers: {}, timeouts: {}, ...options },
    { reader: 'spec', policy: STRICT, memory },
  );
  onTestFinished(() => bridge.close());
  const inspection = await inspect(bridge.accept, '1', () => undefined);
  const gets = upstream.requests.filter(({ method }) => method === 'GET').length;
  return { upstream, bridge, inspection, gets };
}

const toolsOf = ({ inspection }: Seen): string[] =>
  inspection.kind === 'tools' ? inspection.tools.map(String) : [inspection.message];

const sent = ({ upstream }: Seen): string[] =>
  upstream.requests.map(({ method, path, body }) =>
    method === 'GET' ? `GET ${path}` : `${path} ${(JSON.parse(body) as Asked).method}`,
  );

describe('a server of HTTP+SSE', () => {
  test.each([400, 404, 405, 406, 415, 422])(
    'is found where the POSTs are answered with %i',
    async (status) => {
      const seen = await look(olderServer(refuseWith(status)));
      expect(toolsOf(seen)).toEqual(['{"name":"echo","inputSchema":{"type":"object"}}']);
      expect(sent(seen).slice(0, 4)).toEqual([
        '/mcp server/discover',
        '/mcp initialize',
        'GET /mcp',
        '/messages initialize',
      ]);
    },
  );

  test('is found where its refusals are messages', async () => {
    const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
    const refuse: Handle = (_request, response) =>
      json(response, 400, { jsonrpc: '2.0', id: null, error });
    const { inspection } = await look(olderServer(refuse));
    expect(inspection.kind).toBe('tools');
  });

  test('is found where the era is remembered, and where a revision is pinned', async () => {
    const known = await look(olderServer(refuseWith(405)), {}, 'legacy');
    expect(known.inspection.kind).toBe('tools');
    const pinned = await look(olderServer(refuseWith(405)), { revision: '2024-11-05' });
    expect(pinned.inspection.kind).toBe('tools');
    expect(sent(pinned).slice(0, 2)).toEqual(['/mcp initialize', 'GET /mcp']);
  });

  test('is not asked anything else where it is known to be one', async () => {
    const seen = await look(olderServer(refuseWith(405)), { kind: 'sse' });
    expect(seen.inspection.kind).toBe('tools');
    expect(sent(seen).slice(0, 2)).toEqual(['GET /mcp', '/messages initialize']);
  });

  test('is not looked for where a modern revision is pinned', async () => {
    const { inspection, gets } = await look(olderServer(refuseWith(405)), {
      revision: '2026-07-28',
    });
    expect([inspection.kind, gets]).toEqual(['failed', 0]);
  });
});

describe('a POST that fails for another reason', () => {
  test.each([401, 403, 408, 429, 500, 501, 503])('asks for no stream: %i', async (status) => {
    const { inspection, gets } = await look(olderServer(refuseWith(status)));
    expect([inspection.kind, gets]).toEqual(['failed', 0]);
  });

  test.each(['text', '{"no": "message"}', ''])('asks for no stream: 200 with %j', async (body) => {
    const { inspection, gets } = await look(olderServer(refuseWith(200, body)));
    expect([inspection.kind, gets]).toEqual(['failed', 0]);
  });

  test('asks for no stream: a modern error', async () => {
    const { inspection, gets } = await look(
      olderServer((_request, response, body) => {
        const { id } = JSON.parse(body) as Asked;
        const data = { supported: ['2099-01-01'], requested: '2026-07-28' };
        const error = { code: -32022, message: 'Unsupported protocol version', data };
        json(response, 400, { jsonrpc: '2.0', id, error });
      }),
    );
    expect([inspection.kind, gets]).toEqual(['failed', 0]);
  });
});

test.each([
  [404, -32601, 'Method not found'],
  [400, -32020, 'Header mismatch: the Mcp-Method header is missing'],
  [400, -32022, 'Unsupported protocol version'],
])(
  'a modern error asks for no stream where a legacy revision is pinned: HTTP %i with %i',
  async (status, code, message) => {
    const refuse: Handle = (_request, response, body) => {
      const { id } = JSON.parse(body) as Asked;
      json(response, status, { jsonrpc: '2.0', id, error: { code, message } });
    };
    const { inspection, gets } = await look(olderServer(refuse), { revision: '2025-11-25' });
    expect(gets).toBe(0);
    expect(inspection).toMatchObject({
      kind: 'failed',
      message: `The server could not be opened: it refused initialize with ${code}: ${message}`,
    });
  },
);

describe('what is told where neither works', () => {
  const failure = ({ inspection }: Seen): string =>
    inspection.kind === 'failed' ? inspection.message : 'it works';

  test('begins with the first refusal', async () => {
    const seen = await look((request, response) => {
      if (request.method === 'GET') response.writeHead(405).end('GET is not for you');
      else response.writeHead(400).end('Header X-Team is missing');
    });
    const { origin } = seen.upstream.url;
    expect(failure(seen)).toBe(
      `The server could not be opened: ${origin} answered with HTTP 400 (Bad Request): Header X-Team is missing. ` +
        `HTTP+SSE at the same address failed, too: ${origin} answered with HTTP 405 (Method Not Allowed): GET is not for you`,
    );
    expect(seen.bridge.state).toMatchObject({ kind: 'failed', message: failure(seen) });
  });

  test('names an endpoint on another server, to which nothing is sent', async () => {
    const elsewhere = await startUpstream((_request, response) => response.writeHead(202).end());
    const seen = await look(olderServer(refuseWith(405, 'No'), elsewhere.url.href));
    expect(failure(seen)).toContain('HTTP 405 (Method Not Allowed): No. HTTP+SSE');
    expect(failure(seen)).toContain('which is not on this server');
    expect(elsewhere.requests).toEqual([]);
  });
});

test.each([400, 404, 405, 406, 501])(
  'a server that takes POSTs works though its GET is answered with %i',
  async (status) => {
    const seen = await look((request, response, body) => {
      if (request.method !== 'POST') {
        response.writeHead(status).end();
        return;
      }
      const { id, method } = JSON.parse(body) as Asked;
      if (id === undefined) response.writeHead(202).end();
      else if (method === 'server/discover') response.writeHead(400).end();
      else json(response, 200, { jsonrpc: '2.0', id, result: RESULTS.get(method) });
    });
    expect(toolsOf(seen)).toEqual(['{"name":"echo","inputSchema":{"type":"object"}}']);
  },
);
