import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listenForRedirect } from '../../../../src/transports/authorization/loopbackRedirect.ts';
import type { RedirectListener } from '../../../../src/transports/authorization/signIn.ts';

async function listen(address?: string): Promise<RedirectListener> {
  const listener = await listenForRedirect({ address });
  onTestFinished(() => listener.close());
  return listener;
}

const never = new AbortController().signal;

test('only a redirect with the state of the sign-in is taken, and only one', async () => {
  const listener = await listen();
  const coming = listener.next('right', never);
  for (const query of ['', '?code=a', '?code=a&state=wrong', '?code=a&state=']) {
    expect((await fetch(`${listener.url}${query}`)).status).toBe(400);
  }
  const { origin } = new URL(listener.url);
  expect((await fetch(`${origin}/other?state=right`)).status).toBe(404);
  expect((await fetch(`${listener.url}?state=right`, { method: 'POST' })).status).toBe(404);

  const page = fetch(`${listener.url}?code=c&state=right&iss=https%3A%2F%2Fa`);
  const redirected = await coming;
  expect(Object.fromEntries(redirected?.parameters ?? [])).toEqual({
    code: 'c',
    state: 'right',
    iss: 'https://a',
  });
  redirected?.tell('<b>done</b>');
  const answer = await page;
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.text()).toBe('MCP Rosetta: <b>done</b>\n');
  expect((await fetch(`${listener.url}?code=c&state=right`)).status).toBe(400);
});

test('it listens on this machine alone, on the wanted port where that is free', async () => {
  const first = await listen();
  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const taken = await listen(first.url);
  expect(taken.url).not.toBe(first.url);
  for (const host of ['127.0.0.1', 'localhost']) {
    const free = await freePort();
    const { url } = await listen(`http://${host}:${free}/callback`);
    expect(url).toBe(`http://127.0.0.1:${free}/callback`);
  }
  expect((await listen('http://evil.example:1/callback')).url).toContain('127.0.0.1');
});

test('whatever a program of this machine asks for is answered, and the sign-in goes on', async () => {
  const { url, next } = await listen().then((listener) => ({
    url: new URL(listener.url),
    next: listener.next('right', never),
  }));
  const targets = [
    '//',
    '///',
    '/\\',
    'http://[',
    'http://',
    '*',
    '//callback?state=right',
    '?',
    '%',
  ];
  for (const target of targets) {
    const socket = connect(Number(url.port), url.hostname);
    socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[04] /);
  }
  const page = fetch(`${url.href}?code=a?b&state=right`);
  const redirected = await next;
  expect(redirected?.parameters.get('code')).toBe('a?b');
  redirected?.tell('done');
  expect((await page).status).toBe(200);
});

test('a port that is fixed is had, or it is said that it is taken', async () => {
  const free = `http://127.0.0.1:${await freePort()}/callback`;
  const listener = await listenForRedirect({ address: free, isFixed: true });
  onTestFinished(() => listener.close());
  expect(listener.url).toBe(free);
  const taken = listenForRedirect({ address: free, isFixed: true });
  await expect(taken).rejects.toThrow(
    /to port \d+ \("oauth\.callbackPort"\), and another program listens there\. End that one, or set/,
  );
});

test('a sign-in that is given up ends the wait', async () => {
  const listener = await listen();
  const giveUp = new AbortController();
  const coming = listener.next('s', giveUp.signal);
  giveUp.abort();
  expect(await coming).toBeUndefined();
  expect(await listener.next('s', giveUp.signal)).toBeUndefined();
  const other = listener.next('s', never);
  await listener.close();
  expect(await other).toBeUndefined();
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
