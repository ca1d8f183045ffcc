import { describe, expect, test } from 'vitest';
import { until } from './peers.ts';
import { call, json, result, start, startUpstream, type Handle } from './upstream.ts';

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
