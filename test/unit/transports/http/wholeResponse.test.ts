import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Agent } from 'undici';
import { NodeRequests } from '../../../../src/transports/http/nodeRequests.ts';
import type { RequestOptions, Requests } from '../../../../src/transports/http/requests.ts';
import { wholeResponse } from '../../../../src/transports/http/wholeResponse.ts';

const asked: string[] = [];
let server: Server;
let origin = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (request.url === '/endless') {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1024)));
      };
      response.on('drain', write);
      write();
    } else if (request.url !== '/silent') {
      response.writeHead(404, { 'x-twice': ['a', 'b'] });
      request.pipe(response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const refuses: LookupFunction = (_host, _options, callback) =>
  callback(Object.assign(new Error('no'), { code: 'REFUSED' }), []);

describe.each<[string, (lookup?: LookupFunction) => Requests]>([
  ['undici', (lookup) => new Agent(lookup && { connect: { lookup } })],
  ['Node', (lookup) => new NodeRequests(lookup)],
])('a response by %s', (_name, open) => {
  const ask = async (
    path: string,
    { signal = new AbortController().signal, requests = open(), host = origin } = {},
  ) => {
    const options: RequestOptions = {
      ...{ origin: host, path, method: 'POST', headers: {} },
      body: Buffer.from('said'),
    };
    const limits = { signal, maxBytes: 4096, tooLarge: new Error('too large') };
    try {
      return await wholeResponse(requests, options, limits);
    } finally {
      await requests.destroy();
    }
  };

  test('is read to its end', async () => {
    const { status, headers, body } = await ask('/echo');
    expect([status, body.toString()]).toEqual([404, 'said']);
    expect([headers['x-twice']].flat().join(', ')).toBe('a, b');
  });

  test('is not read without an end', async () => {
    await expect(ask('/endless')).rejects.toThrow('too large');
  });

  test('is waited for until that is given up, before it came or before it was asked for', async () => {
    const over = new AbortController();
    const waiting = ask('/silent', { signal: over.signal });
    while (!asked.includes('POST /silent')) await new Promise((resolve) => setImmediate(resolve));
    over.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
    await expect(ask('/silent', { signal: over.signal })).rejects.toThrow('given up');
  });

  test('is not asked for where the look-up of the name says no', async () => {
    const before = asked.length;
    const host = origin.replace('127.0.0.1', 'localhost');
    const asking = ask('/echo', { requests: open(refuses), host });
    await expect(asking).rejects.toMatchObject({ code: 'REFUSED' });
    expect(asked).toHaveLength(before);
  });
});
