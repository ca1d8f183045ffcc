import http from 'node:http';
import type { Socket } from 'node:net';
import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Exchange } from '../../../../src/transports/http/exchange.ts';
import { NodeRequests } from '../../../../src/transports/http/nodeRequests.ts';
import type { Requests } from '../../../../src/transports/http/requests.ts';
import type { TransportFailure } from '../../../../src/transports/transport.ts';
import { until } from '../streamableHttp/peers.ts';
import { startUpstream, type Handle } from '../streamableHttp/upstream.ts';

/** What was told of one request, in order. */
interface Told {
  readonly exchange: Exchange;
  readonly events: string[];
  failure?: TransportFailure;
}

function ask(
  requests: Requests,
  url: URL,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Told {
  const events: string[] = [];
  const method = body === undefined ? 'GET' : 'POST';
  const exchange = new Exchange(
    requests,
    {
      url,
      method,
      headers,
      place: { origin: url.origin, secrets: [] },
      ...(body !== undefined && { body: Buffer.from(body) }),
    },
    {
      onHead: (status, received) => {
        events.push(`${status} ${String(received['content-type'])} ${String(received['x-twice'])}`);
      },
      onData: (chunk) => events.push(chunk.toString()),
      onEnd: () => events.push('end'),
      onFailure: (failure) => {
        events.push(failure.kind);
        told.failure = failure;
      },
      onFault: (error) => events.push(String(error)),
    },
    () => events.push('over'),
  );
  const told: Told = { exchange, events };
  return told;
}

const isOver = ({ events }: Told): boolean => events.includes('over');

const WAYS: readonly [string, () => Requests][] = [
  ['undici', () => new Agent()],
  ['Node', () => new NodeRequests()],
];

describe.each(WAYS)('a request by %s', (_name, open) => {
  async function start(handle: Handle) {
    const upstream = await startUpstream(handle);
    const requests = open();
    onTestFinished(() => requests.destroy());
    return { url: upstream.url, requests, upstream };
  }

  test('says all that it is to say, and is told the answer', async () => {
    const { url, requests, upstream } = await start((_request, response) => {
      response.writeHead(200, ['Content-Type', 'text/plain', 'X-Twice', 'a', 'X-Twice', 'b']);
      response.end('hello');
    });
    const told = ask(requests, new URL('/a//b?c=d', url), { 'x-own': 'é' }, '{"a":1}');
    await until(() => isOver(told));
    expect(told.events).toEqual(['200 text/plain a', 'hello', 'over', 'end']);
    expect(upstream.requests).toMatchObject([
      {
        method: 'POST',
        path: '/a//b?c=d',
        headers: { 'x-own': 'é', 'content-length': '7' },
        body: '{"a":1}',
      },
    ]);
  });

  test('is told each piece of a stream as it comes', async () => {
    const pieces: ((text: string) => void)[] = [];
    const { url, requests } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      pieces.push((text) => (text === '' ? response.end() : response.write(text)));
    });
    const told = ask(requests, url);
    await until(() => told.events.length === 1);
    pieces[0]?.('one');
    await until(() => told.events.length === 2);
    pieces[0]?.('two');
    await until(() => told.events.length === 3);
    pieces[0]?.('');
    await until(() => isOver(told));
    expect(told.events.slice(1)).toEqual(['one', 'two', 'over', 'end']);
  });

  test('fails where the answer breaks off', async () => {
    const { url, requests } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('half', () => response.destroy());
    });
    const told = ask(requests, url);
    await until(() => told.failure !== undefined);
    expect(told.failure?.message).toMatch(/broke before the answer was complete/);
    expect(told.events.filter((event) => event === 'over')).toHaveLength(1);
  });

  test('fails where the answer changes to another protocol', async () => {
    const { url, requests } = await start((request) => {
      request.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      );
    });
    const told = ask(requests, url);
    await until(() => told.failure !== undefined);
    expect(told.events).toEqual(['over', 'network']);
    expect(told.failure?.message).toMatch(/it closed the connection/);
  });

  test('fails where nobody listens, or what it is to say cannot be said', async () => {
    const { url, requests } = await start(() => undefined);
    const away = ask(requests, new URL('http://127.0.0.1:1/'));
    const unsaid = ask(requests, url, { 'x-own': 'line\nbreak' });
    await until(() => away.failure !== undefined && unsaid.failure !== undefined);
    expect(away.failure?.message).toMatch(/nothing is listening there/);
    expect(unsaid.failure?.message).toMatch(/is not valid for HTTP/);
  });

  test('ends its connection where it is given up, or all are', async () => {
    const sockets: Socket[] = [];
    const { url, requests } = await start((request) => sockets.push(request.socket));
    const one = ask(requests, url);
    const two = ask(requests, url);
    await until(() => sockets.length === 2);
    one.exchange.abort();
    await until(() => sockets.some(({ destroyed }) => destroyed));
    expect(one.events).toEqual(['over']);
    await requests.destroy();
    await until(() => sockets.every(({ destroyed }) => destroyed));
    await until(() => isOver(two));
    expect(two.failure?.kind).toBe('network');
  });
});

test('Node’s own client is used as it is patched at the time', async () => {
  const { url } = await startUpstream((_request, response) => response.end('straight'));
  const { request } = http;
  onTestFinished(() => void (http.request = request));
  const requests = new NodeRequests();
  const asked: unknown[] = [];
  http.request = ((target: string, ...rest: [http.RequestOptions]) => {
    asked.push(target);
    return request(url, ...rest);
  }) as typeof request;
  const told = ask(requests, new URL('http://tools.example/mcp?x'));
  await until(() => isOver(told));
  expect(asked).toEqual(['http://tools.example/mcp?x']);
  expect(told.events[1]).toBe('straight');
});
