import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { SseClient, type SseClientOptions } from '../../../../src/transports/sse/sseClient.ts';
import { NOTE, until } from '../streamableHttp/peers.ts';
import {
  call,
  json,
  RecordingListener,
  result,
  SSE,
  sseEvent,
  startUpstream,
  type Handle,
  type Upstream,
} from '../streamableHttp/upstream.ts';

const ENDPOINT = 'event: endpoint\ndata: /messages?session=1\n\n';

interface Stage {
  readonly client: SseClient;
  readonly listener: RecordingListener;
  readonly upstream: Upstream;
  readonly reports: string[];
  /** The open event stream. */
  readonly stream: () => ServerResponse;
}

/** A client of ours and a scripted server, whose POSTs are taken with 202 where `post` does not say otherwise. */
async function start(
  first = ENDPOINT,
  post: Handle = (_request, response) => void response.writeHead(202).end('Accepted'),
  options: Partial<SseClientOptions> = {},
): Promise<Stage> {
  const streams: ServerResponse[] = [];
  const upstream = await startUpstream((incoming, response, body) => {
    if (incoming.method === 'GET') {
      response.writeHead(200, SSE).write(first);
      streams.push(response);
    } else {
      post(incoming, response, body);
    }
  });
  const stage = connect({ url: upstream.url, ...options });
  await until(() => streams.length === 1 || stage.listener.closes.length === 1);
  return { ...stage, upstream, stream: () => streams[0] as ServerResponse };
}

function connect(options: SseClientOptions): Pick<Stage, 'client' | 'listener' | 'reports'> {
  const reports: string[] = [];
  const client = new SseClient({ report: (message) => void reports.push(message), ...options });
  const listener = new RecordingListener();
  client.start(listener);
  onTestFinished(() => client.close());
  return { client, listener, reports };
}

const posts = (upstream: Upstream): Upstream['requests'] =>
  upstream.requests.filter(({ method }) => method === 'POST');

describe('the endpoint', () => {
  test.each([
    ['an absolute path', '/messages?session=1', '/messages?session=1'],
    ['a relative path', 'messages?session=1', '/messages?session=1'],
    ['a query alone', '?session=1', '/mcp?session=1'],
    ['an empty text', '', '/mcp'],
    ['a whole address', 'ORIGIN/other/place?a=b', '/other/place?a=b'],
  ])('may be %s', async (_what, data, expected) => {
    const upstream = await startUpstream((incoming, response) => {
      if (incoming.method !== 'GET') {
        response.writeHead(202).end();
        return;
      }
      const place = data.replace('ORIGIN', `http://${incoming.headers.host ?? ''}`);
      response.writeHead(200, SSE).write(`event: endpoint\ndata: ${place}\n\n`);
    });
    const { client } = connect({ url: upstream.url });
    client.send(call());
    await until(() => posts(upstream).length === 1);
    expect(posts(upstream)[0]?.path).toBe(expected);
  });

  test.each([
    'http://127.0.0.2:9/messages',
    'https://example.com/messages?secret=1',
    '//example.com/messages',
    'javascript:alert(1)',
    'http://',
  ])('is refused where it is not on this server: %s', async (place) => {
    const { client, listener, upstream } = await start(`event: endpoint\ndata: ${place}\n\n`);
    client.send(call());
    await until(() => listener.closes.length === 1);
    expect(listener.closes).toEqual([
      {
        kind: 'malformed',
        message: `${upstream.url.origin} names the message endpoint ${place}, which is not on this server; nothing is sent there.`,
      },
    ]);
    expect(posts(upstream)).toEqual([]);
  });

  test('is waited for, but not for ever', async () => {
    const { listener, upstream } = await start(': nothing to see\n\n', undefined, {
      endpointMs: 20,
    });
    await until(() => listener.closes.length === 1);
    expect(listener.closes[0]?.message).toBe(
      `${upstream.url.origin} opened a stream but named no message endpoint.`,
    );
  });

  test('is where messages go only once it is known', async () => {
    const { client, stream, upstream, listener } = await start(': wait\n\n');
    client.send(call());
    client.send(notify('notifications/x'));
    stream().write(`event: message\ndata: ${JSON.stringify(NOTE)}\n\n`);
    await until(() => listener.frames.length === 1);
    expect(posts(upstream)).toEqual([]);
    stream().write(ENDPOINT);
    await until(() => posts(upstream).length === 2);
  });
});

describe('messages', () => {
  test('go to the endpoint, and what the server says comes on the stream', async () => {
    const { client, listener, upstream, stream } = await start(ENDPOINT, undefined, {
      headers: { Authorization: 'Bearer secret-token' },
    });
    client.send(call());
    await until(() => posts(upstream).length === 1);
    stream().write(sseEvent(NOTE) + sseEvent(result()));
    await until(() => listener.frames.length === 2);
    expect(listener.frames).toEqual([
      { frame: NOTE, stream: undefined },
      { frame: result(), stream: undefined },
    ]);
    client.negotiated('2025-03-26');
    client.send(call('2'));
    await until(() => posts(upstream).length === 2);
    expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill('Bearer secret-token'),
    );
    expect(posts(upstream).map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      undefined,
      '2025-03-26',
    ]);
    expect(posts(upstream)[0]?.body).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}',
    );
  });

  test('are read however the server cuts and dresses its events, and pings are none', async () => {
    const { listener, stream } = await start();
    const text = JSON.stringify(result()).replace(',', ',\r\ndata: ');
    const bytes = Buffer.from(
      `id: 0\nretry: 3000\ndata:\n\n: ping\n\nevent: ping\ndata: {}\n\ndata: ${text}\r\r` +
        `event: message\rdata: ${JSON.stringify(NOTE)}\r\n\r\n`,
    );
    for (const byte of bytes) stream().write(Buffer.from([byte]));
    await until(() => listener.frames.length === 2);
    expect(listener.frames).toMatchObject([{ frame: result() }, { frame: NOTE }]);
    expect(listener.noise).toEqual([]);
  });

  test('behind a notification wait until the server has taken it', async () => {
    let take = (): void => undefined;
    const { client, upstream } = await start(ENDPOINT, (_incoming, response, body) => {
      if (body.includes('"id"')) response.writeHead(202).end();
      else take = () => void response.writeHead(202).end();
    });
    client.send(notify('notifications/initialized'));
    client.send(call());
    await until(() => posts(upstream).length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(posts(upstream)).toHaveLength(1);
    take();
    await until(() => posts(upstream).length === 2);
  });

  test('that are no messages are noise', async () => {
    const { listener, stream } = await start();
    stream().write('data: hello\n\n');
    await until(() => listener.noise.length === 1);
    expect(listener.noise).toEqual([{ reason: 'not-json', sample: 'hello' }]);
  });

  test('in an array are told one by one', async () => {
    const { listener, stream } = await start();
    stream().write(sseEvent([NOTE, result()]));
    await until(() => listener.frames.length === 2);
    expect(listener.frames).toMatchObject([{ frame: NOTE }, { frame: result() }]);
  });

  test('answered before their POST is taken are answered all the same', async () => {
    let answerPost = (): void => undefined;
    const { client, listener, stream, upstream } = await start(ENDPOINT, (_request, response) => {
      answerPost = () => void response.writeHead(202).end();
    });
    client.send(call());
    await until(() => posts(upstream).length === 1);
    stream().write(sseEvent(result()));
    await until(() => listener.frames.length === 1);
    answerPost();
    client.send(call('2'));
    await until(() => posts(upstream).length === 2);
    expect(listener.failures).toEqual([]);
  });
});

describe('a message that is not taken', () => {
  test('fails its request with the status, and the connection stays', async () => {
    const { client, listener, upstream, stream, reports } = await start(
      ENDPOINT,
      (_request, response, body) => {
        if (body.includes('"id":1')) response.writeHead(404).end('Session not found');
        else response.writeHead(202).end();
      },
    );
    client.send(call());
    await until(() => listener.failures.length === 1);
    expect(listener.failures).toEqual([
      {
        id: '1',
        failure: {
          kind: 'http-status',
          status: 404,
          message: `${upstream.url.origin} answered with HTTP 404 (Not Found): Session not found`,
        },
      },
    ]);
    client.send(call('2'));
    await until(() => posts(upstream).length === 2);
    stream().write(sseEvent(result(2)));
    await until(() => listener.frames.length === 1);
    expect(reports).toEqual([]);
  });

  test('is answered in the words of the server where it has some', async () => {
    const error = { code: -32600, message: 'No' };
    const { client, listener } = await start(ENDPOINT, (_request, response) =>
      json(response, 400, { jsonrpc: '2.0', id: null, error }),
    );
    client.send(call());
    await until(() => listener.frames.length === 1);
    expect(listener.frames).toEqual([
      { frame: { jsonrpc: '2.0', id: 1, error }, stream: '1', status: 400 },
    ]);
    expect(listener.failures).toEqual([]);
  });

  test('is told of where it was no request', async () => {
    const { client, reports, upstream } = await start(ENDPOINT, (_request, response) =>
      response.writeHead(500).end(),
    );
    client.send(notify('notifications/x'));
    await until(() => reports.length === 1);
    expect(reports).toEqual([
      `A message was not taken: ${upstream.url.origin} answered with HTTP 500 (Internal Server Error).`,
    ]);
  });

  test('says what it takes to get in', async () => {
    const { client, listener } = await start(ENDPOINT, (_request, response) =>
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="x"' }).end(),
    );
    client.send(call());
    await until(() => listener.failures.length === 1);
    expect(listener.failures[0]?.failure).toMatchObject({
      kind: 'unauthorized',
      status: 401,
      challenge: 'Bearer realm="x"',
    });
  });

  test('is let go of once its request was cancelled, however long the server holds it', async () => {
    let gone = false;
    const { client, upstream, listener, stream } = await start(ENDPOINT, (incoming, response) => {
      response.on('close', () => (gone ||= !response.writableEnded && incoming.complete));
    });
    client.send(call());
    await until(() => posts(upstream).length === 1);
    client.send(notify('notifications/cancelled', toRaw({ requestId: 1 })));
    client.abandon('1');
    await until(() => gone && posts(upstream).length === 2);
    stream().write(sseEvent(NOTE));
    await until(() => listener.frames.length === 1);
    expect(listener.failures).toEqual([]);
  });

  test('is not sent to where a redirect to another origin leads', async () => {
    const elsewhere = await startUpstream((_request, response) => response.writeHead(202).end());
    const { client, listener } = await start(
      ENDPOINT,
      (_request, response) => response.writeHead(307, { location: elsewhere.url.href }).end(),
      { headers: { authorization: 'Bearer secret-token' } },
    );
    client.send(call());
    await until(() => listener.failures.length === 1);
    expect(listener.failures[0]?.failure.message).toContain(`redirects to ${elsewhere.url.origin}`);
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('the connection is over', () => {
  test('when the stream ends', async () => {
    const { client, listener, upstream, stream } = await start();
    client.send(call());
    await until(() => posts(upstream).length === 1);
    stream().end();
    await until(() => listener.closes.length === 1);
    expect(listener.closes).toEqual([
      {
        kind: 'network',
        message: `${upstream.url.origin}: the server ended the session by closing its event stream.`,
      },
    ]);
    client.send(call('2'));
    await client.close();
    expect(posts(upstream)).toHaveLength(1);
    expect(listener.closes).toHaveLength(1);
  });

  test('when the stream breaks', async () => {
    const { listener, upstream, stream } = await start();
    stream().destroy();
    await until(() => listener.closes.length === 1);
    expect(listener.closes[0]?.message).toContain(
      `${upstream.url.origin}: the connection broke before the answer was complete`,
    );
  });

  test('when it is closed, and the server sees the stream end', async () => {
    const { client, listener, stream } = await start();
    const gone = new Promise((resolve) => stream().once('close', resolve));
    await client.close();
    await gone;
    expect(listener.closes).toEqual([
      { kind: 'closed', message: 'The connection to the server was closed.' },
    ]);
  });

  test.each([
    [404, 'answered with HTTP 404 (Not Found): gone'],
    [500, 'answered with HTTP 500 (Internal Server Error): gone'],
    [200, 'answered the GET with something else than events (text/plain).'],
  ])('when the GET is answered with %i and no events', async (status, message) => {
    const upstream = await startUpstream((_request, response) =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end('gone'),
    );
    const { listener } = connect({ url: upstream.url });
    await until(() => listener.closes.length === 1);
    expect(listener.closes[0]?.message).toBe(`${upstream.url.origin} ${message}`);
  });

  test('when nobody listens', async () => {
    const upstream = await startUpstream(() => undefined);
    await upstream.close();
    const { client, listener } = connect({ url: upstream.url });
    client.send(request('1', 'initialize', toRaw({})));
    await until(() => listener.closes.length === 1);
    expect(listener.closes[0]?.message).toContain('nothing is listening there');
    expect(listener.failures).toEqual([]);
  });

  test('when it is closed before it could open', async () => {
    const upstream = await startUpstream(() => undefined);
    const { client, listener } = connect({ url: upstream.url });
    await client.close();
    expect(listener.closes).toEqual([
      { kind: 'closed', message: 'The connection to the server was closed.' },
    ]);
    expect(upstream.requests).toEqual([]);
  });
});
