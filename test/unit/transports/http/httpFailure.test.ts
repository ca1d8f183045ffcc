import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { StreamableHttpClient } from '../../../../src/transports/streamableHttp/streamableHttpClient.ts';
import { NOTE, until } from '../streamableHttp/peers.ts';
import {
  call,
  json,
  result,
  sseEvent,
  SSE,
  start,
  type Handle,
} from '../streamableHttp/upstream.ts';

describe('a request fails, by itself and once,', () => {
  const cases: [string, Handle, object][] = [
    [
      'on a status',
      (_q, response) => response.writeHead(500).end('out of order\u001b[31m'),
      {
        kind: 'http-status',
        status: 500,
        message: /500 \(Internal Server Error\): out of order$/,
      },
    ],
    [
      'on an empty body of a status',
      (_q, response) => response.writeHead(404).end(),
      {
        kind: 'http-status',
        status: 404,
        message: /\(Not Found\)\. Is the path right\? It often is \/mcp\.$/,
      },
    ],
    [
      'on a page for a browser with a status, without its markup',
      (_q, response) => response.writeHead(404).end('\n<!DOCTYPE html><p>Nothing here'),
      { kind: 'http-status', status: 404, message: /\(Not Found\)\. Is the path right\?[^<]*$/ },
    ],
    [
      'on a status in the words of a server that writes plain text',
      (_q, response) => response.writeHead(404).end('no such tenant'),
      { kind: 'http-status', status: 404, message: /\(Not Found\): no such tenant$/ },
    ],
    [
      'on 401, with its challenge',
      (_q, response) => response.writeHead(401, { 'www-authenticate': 'Bearer x' }).end('{}'),
      { kind: 'unauthorized', status: 401, challenge: 'Bearer x' },
    ],
    [
      'on 403, in the words of its error',
      (_q, response) =>
        json(response, 403, { jsonrpc: '2.0', id: null, error: { code: -1, message: 'not you' } }),
      { kind: 'unauthorized', status: 403, message: /not you/ },
    ],
    [
      'where it was only taken',
      (_q, response) => response.writeHead(202).end(),
      { kind: 'malformed', message: /took the request \(HTTP 202\) but sent no answer/ },
    ],
    [
      'on a web page',
      (_q, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      { kind: 'malformed', message: /\(text\/html\)/ },
    ],
    [
      'on an answer to somebody else',
      (_q, response) => json(response, 200, result(99)),
      { kind: 'malformed' },
    ],
    [
      'on a stream that ends before the answer',
      (_q, response) => response.writeHead(200, SSE).end(sseEvent(NOTE)),
      { kind: 'network', message: /the server closed the stream before answering/ },
    ],
    [
      'on a stream that breaks before the answer',
      (_q, response) => {
        response.writeHead(200, SSE).write(sseEvent(NOTE), () => response.destroy());
      },
      { kind: 'network', message: /the connection broke before the answer was complete/ },
    ],
    [
      'on a body that breaks off',
      (_q, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 99 });
        response.write('{"jsonrpc"', () => response.destroy());
      },
      { kind: 'network', message: /the connection broke/ },
    ],
    [
      'on a connection that closes without a word',
      (_q, response) => response.destroy(),
      {
        kind: 'network',
        message: /Cannot reach http:\/\/127\.0\.0\.1:\d+: it closed the connection/,
      },
    ],
    [
      'on a message that is too large',
      (_q, response) => {
        response.writeHead(200, SSE);
        const chunk = Buffer.alloc(1024 * 1024, 0x20);
        const more = (): boolean => response.writable && response.write(chunk, () => more());
        more();
      },
      { kind: 'too-large', message: /more than 67108864 bytes/ },
    ],
  ];
  test.each(cases)('%s', async (_name, handle, expected) => {
    const { client, listener } = await start(handle);
    client.send(call());
    await until(() => listener.failures.length === 1);
    const { message, ...rest } = expected as { message?: RegExp };
    expect(listener.failures[0]).toMatchObject({ id: '1', failure: rest });
    expect(listener.failures[0]?.failure.message).toMatch(message ?? /./);
    await client.close();
    expect(listener.failures).toHaveLength(1);
  });

  test('where nobody listens, with the origin as the only part of the address', async () => {
    const { client, upstream, listener } = await start(() => undefined);
    await upstream.close();
    const url = new URL(`http://user:secret-pass@127.0.0.1:${upstream.url.port}/p?token=hidden`);
    const other = new StreamableHttpClient({ url });
    other.start(listener);
    other.send(call());
    await until(() => listener.failures.length === 1);
    await other.close();
    expect(listener.failures[0]?.failure).toEqual({
      kind: 'network',
      message: `Cannot reach ${upstream.url.origin}: nothing is listening there. Is the server running? (ECONNREFUSED)`,
    });
    await client.close();
  });

  test.each([
    [
      'a name nobody knows',
      { url: new URL('http://no-such-host.invalid/mcp') },
      /Cannot reach http/,
    ],
    ['a header that is none', { headers: { 'x-bad': 'a\nsecret-value' } }, /not valid for HTTP/],
  ])('on %s', async (_name, options, message) => {
    const { client, listener } = await start(() => undefined, { ...options, environment: {} });
    client.send(call());
    await until(() => listener.failures.length === 1);
    expect(listener.failures[0]?.failure.message).toMatch(message);
    expect(listener.failures[0]?.failure.message).not.toContain('secret');
  });

  test.each<[string, (response: ServerResponse, words: string) => void]>([
    ['as text', (response, words) => response.writeHead(500).end(words)],
    [
      'as an error',
      (response, words) =>
        json(response, 401, { jsonrpc: '2.0', id: null, error: { code: -1, message: words } }),
    ],
  ])(
    'without giving away what was configured, where the server repeats it %s',
    async (_name, say) => {
      const { client, listener } = await start(
        (incoming, response) => say(response, `bad: ${incoming.headers.authorization}`),
        { headers: { Authorization: 'Bearer token-of-the-user' } },
      );
      client.send(call());
      client.send(call('2'), { headers: { authorization: 'Bearer another-token' } });
      await until(() => listener.failures.length === 2);
      for (const { failure } of listener.failures) expect(failure.message).toMatch(/bad: …$/);
    },
  );
});

describe('an error with a status', () => {
  const error = { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } };

  test('is told as the message it is, with the status', async () => {
    const reply = { jsonrpc: '2.0', id: 1, error };
    const { client, listener } = await start((_q, response) => json(response, 400, reply));
    client.send(call());
    await until(() => listener.frames.length === 1);
    expect(listener.frames).toEqual([{ frame: reply, stream: '1', status: 400 }]);
    await client.close();
    expect(listener.failures).toEqual([]);
  });

  test.each([
    ['null', { id: null }],
    ['missing', {}],
  ])('whose id is %s answers the request it came for', async (_name, id) => {
    const { client, listener } = await start((_q, response) =>
      json(response, 404, { jsonrpc: '2.0', ...id, error }),
    );
    client.send(call('"a"'));
    await until(() => listener.frames.length === 1);
    const frame = { jsonrpc: '2.0', id: 'a', error };
    expect(listener.frames).toEqual([{ frame, stream: '"a"', status: 404 }]);
    await client.close();
    expect(listener.failures).toEqual([]);
  });
});
