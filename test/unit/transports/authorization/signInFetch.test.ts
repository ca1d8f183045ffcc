import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SignInFetch } from '../../../../src/transports/authorization/signInFetch.ts';

const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
  if (request.url === '/big') response.end(Buffer.alloc(2 * 1024 * 1024));
  else if (request.url === '/moved') response.writeHead(302, { location: '/else' }).end();
  else response.writeHead(404, { 'x-a': '1' }).end('body');
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

async function fetching(resource: string, url: string): Promise<Response | string> {
  const requests = new SignInFetch({
    server: new URL(resource),
    environment: {},
    network: undefined,
    signal: new AbortController().signal,
  });
  try {
    return await requests.fetch(url);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message;
  } finally {
    await requests.close();
  }
}

test('an answer is one of the class that everybody knows, and a redirect is the caller’s', async () => {
  const response = await fetching(`${origin}/mcp`, `${origin}/a`);
  expect(response).toBeInstanceOf(Response);
  expect((response as Response).status).toBe(404);
  expect((response as Response).headers.get('x-a')).toBe('1');
  expect(await (response as Response).text()).toBe('body');
  const moved = (await fetching(`${origin}/mcp`, `${origin}/moved`)) as Response;
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/else']);
});

test.each([
  ['https://1.1.1.1/mcp', () => `${origin}/secret`, 'may not send the bridge to an address inside'],
  ['https://1.1.1.1/mcp', () => 'http://8.8.8.8/a', 'a sign-in needs https'],
  ['https://1.1.1.1/mcp', () => 'https://user:pass@8.8.8.8/a', 'its address holds credentials'],
  ['https://1.1.1.1/mcp', () => 'file:///etc/passwd', 'a sign-in needs https'],
  ['http://10.0.0.1/mcp', () => 'http://10.0.0.2/a', 'a sign-in needs https'],
])('from %s nothing leaves for an address that is not allowed', async (resource, url, message) => {
  const before = seen.length;
  expect(await fetching(resource, url())).toContain(message);
  expect(seen).toHaveLength(before);
});

test('a document without an end is not read to its end', async () => {
  expect(await fetching(`${origin}/mcp`, `${origin}/big`)).toContain('too large');
});

test('a server that is not there is told of', async () => {
  expect(await fetching('http://127.0.0.1:1/mcp', 'http://127.0.0.1:1/a')).toContain(
    'nothing is listening there',
  );
});
