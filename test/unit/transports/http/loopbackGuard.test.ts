import { describe, expect, test } from 'vitest';
import { isLoopbackOrigin, isOwnHost } from '../../../../src/transports/http/loopbackGuard.ts';
import { ask, POST_HEADERS, startEndpoint } from '../streamableHttp/endpoint.ts';
import { INITIALIZE } from '../streamableHttp/peers.ts';

describe('isOwnHost', () => {
  test.each([
    ['127.0.0.1:4711', true],
    ['localhost:4711', true],
    ['[::1]:4711', true],
    ['LOCALHOST:4711', true],
    ['localhost', false],
    ['localhost:4712', false],
    ['localhost.:4711', false],
    ['127.0.0.1.evil.test:4711', false],
    ['localhost.evil.test:4711', false],
    ['evil.test:4711', false],
    ['localhost@evil.test:4711', false],
    ['127.1:4711', false],
    ['0.0.0.0:4711', false],
    ['', false],
  ])('%s is %s', (host, expected) => {
    expect(isOwnHost(host, 4711)).toBe(expected);
  });

  test('a host without a port stands for port 80', () => {
    expect(isOwnHost('localhost', 80)).toBe(true);
  });
});

describe('isLoopbackOrigin', () => {
  test.each([
    ['http://localhost:4711', true],
    ['http://localhost', true],
    ['https://localhost:3000', true],
    ['http://127.0.0.1:4711', true],
    ['http://[::1]:4711', true],
    ['HTTP://LOCALHOST:4711', true],
    ['http://localhost.evil.example', false],
    ['http://127.0.0.1.evil.test', false],
    ['http://localhost@evil.test', false],
    ['http://evil.test@localhost', false],
    ['http://evil.test', false],
    ['http://evil.test:4711', false],
    ['http://localhost.', false],
    ['http://localhost.:4711', false],
    ['http://localhost/', false],
    ['http://localhost/path', false],
    ['http://localhost?x', false],
    ['http://127.1', false],
    ['http://0x7f000001', false],
    ['http://0.0.0.0', false],
    ['http://192.168.0.1', false],
    ['null', false],
    ['', false],
    ['localhost', false],
    ['file://localhost', false],
    ['vscode-webview://localhost', false],
    ['http://localhost http://evil.test', false],
  ])('%s is %s', (origin, expected) => {
    expect(isLoopbackOrigin(origin)).toBe(expected);
  });
});

describe('on the wire', () => {
  const token = 'a'.repeat(43);

  const places = ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT', 'HEAD'].flatMap((method) =>
    ['/mcp', '/sse', '/', '/unknown'].map((path) => [method, path] as const),
  );

  test.each(places)('%s %s from elsewhere is 403', async (method, path) => {
    const { port } = await startEndpoint();
    const own = `127.0.0.1:${port}`;
    const foreign = [
      { host: `evil.test:${port}` },
      { host: 'evil.test' },
      { host: own, origin: 'http://evil.test' },
      { host: own, origin: `http://evil.test:${port}` },
      { host: own, origin: 'null' },
      { host: `evil.test:${port}`, origin: `http://127.0.0.1:${port}` },
    ];
    for (const headers of foreign) {
      const reply = await ask(port, { method, path, headers: { ...POST_HEADERS, ...headers } });
      expect(reply.status, JSON.stringify(headers)).toBe(403);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])('a client of %s is served', async (name) => {
    const { port } = await startEndpoint();
    const host = `${name}:${port}`;
    for (const origin of [{}, { origin: `http://${host}` }, { origin: `http://${name}:3000` }]) {
      const headers = { ...POST_HEADERS, host, ...origin };
      const reply = await ask(port, { headers, body: JSON.stringify(INITIALIZE) });
      expect(reply.status).toBe(200);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test.each(places)('%s %s without the token is 401', async (method, path) => {
    const { port } = await startEndpoint({}, { token });
    const wrong = ['', 'Bearer', 'Bearer ', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token];
    for (const authorization of [...wrong, `Basic ${token}`]) {
      const headers = authorization === '' ? POST_HEADERS : { ...POST_HEADERS, authorization };
      const reply = await ask(port, { method, path, headers });
      expect(reply.status, authorization).toBe(401);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
      expect(reply.body).not.toContain(token);
    }
  });

  test('a foreign host is told nothing about the token', async () => {
    const { port } = await startEndpoint({}, { token });
    const headers = { ...POST_HEADERS, host: 'evil.test', authorization: `Bearer ${token}` };
    expect((await ask(port, { headers })).status).toBe(403);
  });

  test('the token opens the endpoint, with any letter case of its scheme', async () => {
    const { port } = await startEndpoint({}, { token });
    for (const scheme of ['Bearer', 'bearer']) {
      const headers = { ...POST_HEADERS, authorization: `${scheme} ${token}` };
      const reply = await ask(port, { headers, body: JSON.stringify(INITIALIZE) });
      expect(reply.status).toBe(200);
    }
  });

  test('the token is not taken from the address', async () => {
    const { port } = await startEndpoint({}, { token });
    const path = `/mcp?token=${token}&access_token=${token}`;
    expect((await ask(port, { path, headers: POST_HEADERS })).status).toBe(401);
  });
});

describe('a request that names the whole address', () => {
  test.each([
    ['http://127.0.0.1:PORT/mcp', 200],
    ['HTTP://localhost:PORT/mcp?x=1', 200],
    ['http://127.0.0.1:PORT', 404],
    ['http://127.0.0.1:PORT/other', 404],
    ['http://evil.test:PORT/mcp', 403],
    ['http://127.0.0.1@evil.test/mcp', 403],
    ['http:///mcp', 403],
  ])('%s is answered with %i', async (target, status) => {
    const { port } = await startEndpoint();
    const path = target.replace('PORT', String(port));
    const body = JSON.stringify(INITIALIZE);
    const reply = await ask(port, { method: 'POST', path, headers: POST_HEADERS, body });
    expect(reply.status).toBe(status);
  });
});
