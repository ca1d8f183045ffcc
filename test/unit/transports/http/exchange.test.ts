import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Exchange, type ExchangeListener } from '../../../../src/transports/http/exchange.ts';
import { until } from '../streamableHttp/peers.ts';
import {
  call,
  json,
  result,
  start,
  startUpstream,
  type Handle,
} from '../streamableHttp/upstream.ts';

describe('redirects', () => {
  const redirecting =
    (status: number, to: (url: URL) => string): Handle =>
    (incoming, response) => {
      if (incoming.url?.startsWith('/mcp') !== true) json(response, 200, result());
      else
        response
          .writeHead(status, { location: to(new URL(`http://${incoming.headers.host}`)) })
          .end();
    };

  test.each([301, 302, 307, 308])(
    '%s within the origin is followed with all that was sent',
    async (status) => {
      const { client, listener, upstream } = await start(
        redirecting(status, () => '/other?x=1'),
        {
          headers: { authorization: 'Bearer t' },
        },
      );
      client.send(call());
      await until(() => listener.frames.length === 1);
      const [first, second] = upstream.requests;
      expect(second).toMatchObject({
        method: 'POST',
        path: '/other?x=1',
        body: first?.body,
        headers: { authorization: 'Bearer t' },
      });
    },
  );

  test('to another origin is refused and names it; nothing reaches it', async () => {
    const other = await startUpstream((_q, response) => json(response, 200, result()));
    const target = `http://localhost:${other.url.port}/steal`;
    const { client, listener } = await start(redirecting(307, () => target));
    client.send(call());
    await until(() => listener.failures.length === 1);
    expect(listener.failures[0]?.failure).toMatchObject({ kind: 'http-status', status: 307 });
    expect(listener.failures[0]?.failure.message).toContain(`http://localhost:${other.url.port}.`);
    expect(other.requests).toEqual([]);
  });

  test.each([
    ['for ever', 307, '/mcp', /more than 5 times/],
    ['to no address', 307, 'http://', /to an address that is none/],
    ['to a page', 303, '/page', /to a page instead of answering/],
  ])('%s is refused', async (_name, status, location, message) => {
    const { client, listener } = await start(redirecting(status, () => location));
    client.send(call());
    await until(() => listener.failures.length === 1);
    expect(listener.failures[0]?.failure.message).toMatch(message);
  });
});

describe('a header that stands there twice', () => {
  const CHALLENGES = ['Basic realm="a"', 'Bearer realm="b"'];

  test.each(['Content-Type', 'Mcp-Session-Id', 'Location'])('is read once: %s', async (name) => {
    const value = name === 'Content-Type' ? 'application/json' : 'x';
    const { client, listener } = await start((_request, response) => {
      response.writeHead(200, [
        ...['Content-Type', 'application/json'],
        ...[name, value, name.toLowerCase(), value],
      ]);
      response.end(JSON.stringify(result()));
    });
    client.send(call());
    await until(() => listener.frames.length + listener.failures.length === 1);
    expect(listener.failures).toEqual([]);
  });

  test('is followed once where it redirects', async () => {
    const { client, listener } = await start((request, response) => {
      if (request.url === '/other') json(response, 200, result());
      else response.writeHead(307, ['Location', '/other', 'location', '/third']).end();
    });
    client.send(call());
    await until(() => listener.frames.length + listener.failures.length === 1);
    expect(listener.failures).toEqual([]);
  });

  test('is a list where it challenges', async () => {
    const { client, listener } = await start((_request, response) => {
      response.writeHead(
        401,
        CHALLENGES.flatMap((value) => ['WWW-Authenticate', value]),
      );
      response.end();
    });
    client.send(call());
    await until(() => listener.failures.length === 1);
    expect(listener.failures[0]?.failure.challenge).toBe(CHALLENGES.join(', '));
  });
});

describe('what handling an answer throws', () => {
  const callbacks = ['onHead', 'onData', 'onEnd', 'onFailure'] as const;

  test.each(callbacks)('in %s is told and ends the request', async (thrower) => {
    const { url } = await startUpstream((_request, response) => {
      if (thrower === 'onFailure') response.destroy();
      else json(response, 200, result());
    });
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());
    const told: unknown[] = [];
    const on = (name: (typeof callbacks)[number]) => (): void => {
      told.push(name);
      if (name === thrower) throw new Error('our own fault');
    };
    const listener: ExchangeListener = {
      onHead: on('onHead'),
      onData: on('onData'),
      onEnd: on('onEnd'),
      onFailure: on('onFailure'),
      onFault: (error) => told.push(error),
    };
    let ends = 0;
    const place = { origin: url.origin, secrets: [] };
    new Exchange(dispatcher, { method: 'GET', url, headers: {}, place }, listener, () => ends++);
    await until(() => told.length > 0 && told.at(-1) instanceof Error);
    expect(told.slice(-2)).toEqual([thrower, new Error('our own fault')]);
    expect(ends).toBe(1);
  });
});

test('a fault in the handling of an answer fails its request and is reported', async () => {
  const { client, listener, reports } = await start((_request, response) => {
    json(response, 200, { ...result(), id: 99 });
  });
  listener.onFrame = (): void => {
    throw new Error('our own fault');
  };
  client.send(call());
  await until(() => listener.failures.length === 1);
  const { message } = listener.failures[0]?.failure ?? {};
  expect(message).toMatch(/^The bridge failed to handle .*our own fault$/);
  expect(reports).toEqual([message]);
});
