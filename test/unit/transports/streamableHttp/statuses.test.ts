import { describe, expect, test } from 'vitest';
import { fail } from '../../../../src/protocol/frame.ts';
import { isModernRevision } from '../../../../src/protocol/revision.ts';
import { serveModern } from '../../../../src/transports/streamableHttp/modernEndpoint.ts';
import {
  ask,
  openSession,
  openStream,
  POST_HEADERS,
  respond,
  ScriptedSession,
  startEndpoint,
  type Ask,
  type Handler,
  type Reply,
} from './endpoint.ts';

const TOKEN = 'secret';
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', 'draft'] as const;
type Revision = (typeof REVISIONS)[number];

const failing =
  (code: number): Handler =>
  (frame, channel) =>
    channel.send(fail(frame, code, 'No'));

const HANDLERS: Readonly<Record<string, Handler>> = {
  'tools/list': respond({}),
  unknown: failing(-32601),
  incapable: failing(-32021),
  faulty: failing(-32603),
};

/** A client of a revision: what each of its requests says in headers, and each of its messages in `_meta`. */
interface Client {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly params: object;
}

/** One endpoint that serves both eras, and a client of the revision; a legacy one has its session. */
async function startClient(revision: Revision): Promise<Client> {
  const acceptModern = serveModern({
    service: () => ({
      accept: (channel) => new ScriptedSession(channel, HANDLERS),
      paramHeaders: () => [],
    }),
  });
  const { port } = await startEndpoint(HANDLERS, { acceptModern, token: TOKEN });
  const own = { ...POST_HEADERS, authorization: `Bearer ${TOKEN}` };
  const version = { 'mcp-protocol-version': revision };
  if (isModernRevision(revision)) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    return { port, headers: { ...own, ...version, 'mcp-method': 'tools/list' }, params: { _meta } };
  }
  const session = await openSession(port, own);
  // The first of these revisions knows no header for its version.
  const stated = revision === '2025-03-26' ? {} : version;
  return { port, headers: { ...own, ...session, ...stated }, params: {} };
}

/** What a client does, as far as it differs from posting a request that succeeds. */
type Situation = Omit<Ask, 'body' | 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are left out. */
  readonly without?: readonly string[];
  readonly body?: string | ((request: object, client: Client) => unknown);
  /** The method of the request. */
  readonly call?: string;
  /** What the session has been through before. */
  readonly before?: (client: Client) => Promise<unknown>;
};

const GET = { method: 'GET', body: '' };
const DELETE = { method: 'DELETE', body: '' };

const NOTE = { jsonrpc: '2.0', method: 'notifications/x' };
const RESPONSE = { jsonrpc: '2.0', id: 'q', result: {} };

const isBatching = (revision: Revision): boolean => revision === '2025-03-26';

/** The situations, and the status of each: one for the revisions with sessions and one for those without, or one for all. */
const TABLE: readonly (readonly [
  string,
  Situation,
  number | readonly [number, number] | ((revision: Revision) => number),
])[] = [
  ['a request', {}, 200],
  ['a notification', { body: () => NOTE }, 202],
  ['a response', { body: () => RESPONSE }, [202, 400]],
  ['an array of requests', { body: (one) => [one] }, (of) => (isBatching(of) ? 200 : 400)],
  ['an array of notifications', { body: () => [NOTE] }, (of) => (isBatching(of) ? 202 : 400)],
  ['an empty array', { body: () => [] }, 400],
  ['an empty body', { body: '' }, 400],
  ['garbage', { body: '\u0000{' }, 400],
  ['JSON that is no message', { body: '{"a":1}' }, 400],
  ['a body of another type', { headers: { 'content-type': 'text/plain' } }, 415],
  ['a body of no type', { without: ['content-type'] }, 415],
  ['a compressed body', { headers: { 'content-encoding': 'gzip' } }, 415],
  ['no Accept', { without: ['accept'] }, 406],
  ['an Accept without streams', { headers: { accept: 'application/json' } }, 406],
  ['an Accept without JSON', { headers: { accept: 'text/event-stream' } }, 406],
  ['a method that the server does not know', { call: 'unknown' }, [200, 404]],
  ['a missing capability', { call: 'incapable' }, [200, 400]],
  ['any other error', { call: 'faulty' }, 200],
  ['a header that contradicts the body', { headers: { 'mcp-method': 'ping' } }, [200, 400]],
  ['no header for the method', { without: ['mcp-method'] }, [200, 400]],
  ['a version that is not served', { headers: { 'mcp-protocol-version': '1999-01-01' } }, 400],
  ['no session', { without: ['mcp-session-id'] }, [400, 200]],
  ['a session that is not open', { headers: { 'mcp-session-id': 'other' } }, [404, 200]],
  [
    'a session that was ended',
    { before: ({ port, headers }) => ask(port, { method: 'DELETE', headers }) },
    [404, 200],
  ],
  ['an event id', { headers: { 'last-event-id': 'x' } }, 200],
  ['GET', GET, [200, 405]],
  ['GET without streams in Accept', { ...GET, headers: { accept: '*/json' } }, [406, 405]],
  ['GET without a session', { ...GET, without: ['mcp-session-id'] }, [400, 405]],
  ['GET in no open session', { ...GET, headers: { 'mcp-session-id': 'other' } }, [404, 405]],
  ['GET with a foreign event id', { ...GET, headers: { 'last-event-id': 'x' } }, [400, 405]],
  ['DELETE', DELETE, [200, 405]],
  ['DELETE in no open session', { ...DELETE, headers: { 'mcp-session-id': 'other' } }, [404, 405]],
  ['another method', { method: 'PUT' }, 405],
  ['another path', { path: '/other' }, 404],
  ['a foreign origin', { headers: { origin: 'https://evil.example' } }, 403],
  ['an origin that is none', { headers: { origin: 'null' } }, 403],
  ['an origin of this machine', { headers: { origin: 'http://localhost:6274' } }, 200],
  ['a foreign host', { headers: { host: 'evil.example' } }, 403],
  ['no token', { without: ['authorization'] }, 401],
  ['another token', { headers: { authorization: 'Bearer other' } }, 401],
];

function bodyOf({ body, call }: Situation, client: Client): string {
  if (typeof body === 'string') return body;
  const { params } = client;
  const request = { jsonrpc: '2.0', id: 5, method: call ?? 'tools/list', params };
  return JSON.stringify(body === undefined ? request : body(request, client));
}

async function meet(situation: Situation, client: Client): Promise<Reply> {
  await situation.before?.(client);
  const modern = client.headers['mcp-method'] !== undefined;
  const own = modern && situation.call !== undefined ? { 'mcp-method': situation.call } : {};
  const headers = Object.entries({ ...client.headers, ...own, ...situation.headers });
  const request = {
    method: situation.method ?? 'POST',
    path: situation.path ?? '/mcp',
    headers: Object.fromEntries(headers.filter(([name]) => !situation.without?.includes(name))),
    body: bodyOf(situation, client),
  };
  if (request.method !== 'GET') return ask(client.port, request);
  const stream = await openStream(client.port, request);
  stream.destroy();
  return { status: stream.status, headers: stream.headers, body: '' };
}

describe.each(REVISIONS)('a client of %s', (revision) => {
  test.each(TABLE)('%s', async (_name, situation, expected) => {
    const client = await startClient(revision);
    const reply = await meet(situation, client);
    const modern = isModernRevision(revision);
    const status =
      typeof expected === 'number'
        ? expected
        : typeof expected === 'function'
          ? expected(revision)
          : expected[modern ? 1 : 0];
    expect(reply.status).toBe(status);
    if (status === 202) expect(reply.body).toBe('');
    // Every other error says why, and none has an id that its request had not.
    if (status >= 400 && situation.method !== 'GET') {
      expect(JSON.parse(reply.body)).toMatchObject({ jsonrpc: '2.0', error: {} });
    }
    if (status === 401) expect(reply.headers['www-authenticate']).toBe('Bearer');
    if (status === 405) expect(reply.headers.allow).toBeDefined();
    // 2026-07-28, Streamable HTTP, Earlier Streamable HTTP Revisions.
    if (modern) expect(reply.headers).not.toHaveProperty('mcp-session-id');
  });
});
