import { describe, expect, test } from 'vitest';
import { StreamableHttpClient } from '../../../../src/transports/streamableHttp/streamableHttpClient.ts';
import { until } from '../streamableHttp/peers.ts';
import {
  call,
  json,
  RecordingListener,
  result,
  startUpstream,
} from '../streamableHttp/upstream.ts';

describe('a proxy of the environment', () => {
  const send = async (url: string, environment: NodeJS.ProcessEnv): Promise<RecordingListener> => {
    const client = new StreamableHttpClient({ url: new URL(url), environment });
    const listener = new RecordingListener();
    client.start(listener);
    client.send(call());
    await until(() => listener.frames.length + listener.failures.length === 1);
    await client.close();
    return listener;
  };

  test('is used for other machines', async () => {
    const proxy = await startUpstream((_q, response) => json(response, 200, result()));
    const listener = await send('http://tools.example/mcp', { HTTP_PROXY: proxy.url.origin });
    expect(listener.frames).toMatchObject([{ frame: result() }]);
    expect(proxy.requests).toMatchObject([
      { path: 'http://tools.example/mcp', headers: { host: 'tools.example' } },
    ]);
  });

  test('is never used for this one', async () => {
    const upstream = await startUpstream((_q, response) => json(response, 200, result()));
    const environment = { HTTP_PROXY: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1' };
    const listener = await send(upstream.url.href, environment);
    expect(listener.failures).toEqual([]);
  });

  test('that closes the connection fails the request instead of being asked for ever', async () => {
    // Without a listener for CONNECT, Node closes the connection.
    const proxy = await startUpstream(() => undefined);
    const listener = await send('https://tools.example/mcp', { HTTPS_PROXY: proxy.url.origin });
    expect(listener.failures[0]?.failure.message).toMatch(/the proxy .* closed the connection/);
  });

  test.each([
    ['is no address', 'not a url', /ERR_INVALID_URL/],
    ['is not there', 'http://127.0.0.1:1', /ECONNREFUSED/],
  ])('that %s fails the request with a reason', async (_name, proxy, message) => {
    const listener = await send('http://tools.example/mcp', { http_proxy: proxy });
    expect(listener.failures[0]?.failure.kind).toBe('network');
    expect(listener.failures[0]?.failure.message).toMatch(message);
  });
});
