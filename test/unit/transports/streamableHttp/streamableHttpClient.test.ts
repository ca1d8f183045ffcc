import { describe, expect, test } from 'vitest';
import { answer, notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { StreamableHttpClient } from '../../../../src/transports/streamableHttp/streamableHttpClient.ts';
import { NOTE, until } from './peers.ts';
import { call, json, result, sseEvent, SSE, start } from './upstream.ts';

describe('a request', () => {
  test('is one POST with the headers of its own and of the configuration', async () => {
    const { client, listener, upstream } = await start(
      (_q, response) => json(response, 200, result()),
      {
        headers: { 'X-Api-Key': 'k-12345678', Accept: 'nothing' },
      },
    );
    client.send(call(), { headers: { 'Mcp-Method': 'tools/call', 'MCP-Protocol-Version': 'v' } });
    await until(() => listener.frames.length === 1);
    expect(listener.frames).toEqual([{ frame: result(), stream: '1' }]);
    expect(upstream.requests).toMatchObject([
      {
        method: 'POST',
        path: '/mcp',
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'x-api-key': 'k-12345678',
          'mcp-method': 'tools/call',
          'mcp-protocol-version': 'v',
        },
      },
    ]);
    expect(upstream.requests[0]?.headers).not.toHaveProperty('mcp-session-id');
  });

  test('keeps its query; credentials of the address become a header', async () => {
    const { client, listener, upstream } = await start((_q, response) =>
      json(response, 200, result()),
    );
    const url = new URL('?key=1', upstream.url);
    url.username = 'us%er';
    url.password = 'p:ss';
    const other = new StreamableHttpClient({ url });
    other.start(listener);
    other.send(call());
    await until(() => listener.frames.length === 1);
    await other.close();
    expect(upstream.requests[0]).toMatchObject({
      path: '/mcp?key=1',
      headers: { authorization: `Basic ${Buffer.from('us%er:p:ss').toString('base64')}` },
    });
    await client.close();
  });

  test('is answered by events, each told as it comes, with the stream it came on', async () => {
    let go = (): void => undefined;
    const { client, listener } = await start((_q, response) => {
      response.writeHead(200, SSE);
      response.write(`: hello\n\n${sseEvent('', 'id: 0\nretry: 3000\n').replace('""', '')}`);
      response.write(sseEvent({}, 'event: ping\n') + sseEvent(NOTE));
      go = () =>
        response.end(
          sseEvent(result()).replace('"id":1,', '"id":1,\ndata: ').replaceAll('\n', '\r'),
        );
    });
    client.send(call());
    await until(() => listener.frames.length === 1);
    expect(listener.frames).toEqual([{ frame: NOTE, stream: '1' }]);
    go();
    await until(() => listener.frames.length === 2);
    expect(listener.frames[1]).toEqual({ frame: result(), stream: '1' });
    expect([listener.noise, listener.failures]).toEqual([[], []]);
  });

  test('of many at once each gets its own answer', async () => {
    const { client, listener } = await start((_q, response, body) => {
      const { id } = JSON.parse(body) as { id: number };
      if (id % 2 === 0) json(response, 200, result(id));
      else response.writeHead(200, SSE).end(sseEvent(result(id)));
    });
    const ids = Array.from({ length: 50 }, (_, id) => id);
    for (const id of ids) client.send(call(String(id)));
    await until(() => listener.frames.length === ids.length);
    const answered = listener.frames.map(({ frame, stream }) => [
      (frame as { id: number }).id,
      Number(stream),
    ]);
    expect(answered.sort(([a = 0], [b = 0]) => a - b)).toEqual(ids.map((id) => [id, id]));
  });

  test('may be answered by an array', async () => {
    const { client, listener } = await start((_q, response) =>
      json(response, 200, [NOTE, result()]),
    );
    client.send(call());
    await until(() => listener.frames.length === 2);
    expect(listener.frames.map(({ frame }) => frame)).toEqual([NOTE, result()]);
  });

  test('gets an answer of 10 MB whole, as JSON and as an event', async () => {
    const text = 'ä'.repeat(5_000_000);
    const big = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } });
    const { client, listener } = await start((_q, response, body) => {
      if (body.includes('"id":1'))
        response.writeHead(200, { 'content-type': 'application/json' }).end(big);
      else response.writeHead(200, SSE).end(`data: ${big.replace('"id":1', '"id":2')}\n\n`);
    });
    client.send(call('1'));
    client.send(call('2'));
    await until(() => listener.frames.length === 2);
    expect(listener.rawLengths).toEqual([Buffer.byteLength(big), Buffer.byteLength(big)]);
  });

  test('leaves no connection open, where the server does not end the stream itself', async () => {
    let closed = 0;
    const { client, listener } = await start((_q, response) => {
      response.once('close', () => closed++);
      response.writeHead(200, SSE).write(sseEvent(result()));
    });
    client.send(call());
    await until(() => listener.frames.length === 1);
    await until(() => closed === 1);
    expect(listener.failures).toEqual([]);
  });

  test('is not told inside send, nor lost before the client has loaded', async () => {
    const { client, listener } = await start((_q, response) => json(response, 200, result()));
    client.send(call());
    expect(listener.frames).toEqual([]);
    await until(() => listener.frames.length === 1);
  });
});

describe('abandon', () => {
  test('closes the stream of one request; nothing is told of it any more', async () => {
    let closed = 0;
    const { client, listener, upstream } = await start((_q, response, body) => {
      if (body.includes('"id":2')) {
        json(response, 200, result(2));
        return;
      }
      response.once('close', () => closed++);
      response.writeHead(200, SSE).write(sseEvent(NOTE));
    });
    client.send(call('1'));
    await until(() => listener.frames.length === 1);
    expect(client.cancelsByClosing).toBe(true);
    client.abandon('1');
    await until(() => closed === 1);
    client.send(call('2'));
    await until(() => listener.frames.length === 2);
    expect(upstream.requests).toHaveLength(2);
    expect(listener.failures).toEqual([]);
  });

  test('of a request that has not left yet keeps it from leaving', async () => {
    const { client, listener, upstream } = await start((_q, response) =>
      json(response, 200, result(2)),
    );
    client.send(call('1'));
    client.send(call('2'));
    client.abandon('1');
    await until(() => listener.frames.length === 1);
    expect(upstream.requests).toHaveLength(1);
  });

  test('does nothing in a legacy session, where a cancellation is a message', async () => {
    let answerNow: (() => void) | undefined;
    const { client, listener } = await start((incoming, response) => {
      if (incoming.method !== 'POST') response.writeHead(405).end();
      else answerNow = () => json(response, 200, result());
    });
    client.negotiated('2025-11-25');
    expect(client.cancelsByClosing).toBe(false);
    client.send(call());
    await until(() => answerNow !== undefined);
    client.abandon('1');
    answerNow?.();
    await until(() => listener.frames.length === 1);
  });
});

/** Gives everything else many chances to run first. */
function afterTurns(turns: number, act: () => void): void {
  if (turns === 0) act();
  else setTimeout(() => afterTurns(turns - 1, act), 1);
}

describe('a notification', () => {
  test('is taken before the next message leaves', async () => {
    const order: string[] = [];
    const { client, listener } = await start((_q, response, body) => {
      const { method, id } = JSON.parse(body) as { method: string; id?: number };
      order.push(`in ${method}`);
      if (id !== undefined) json(response, 200, result(id));
      else afterTurns(30, () => response.writeHead(202).end(() => order.push('taken')));
    });
    client.send(notify('notifications/initialized'));
    client.send(call());
    await until(() => listener.frames.length === 1);
    expect(order).toEqual(['in notifications/initialized', 'taken', 'in tools/call']);
  });

  test('that is refused is reported, and so is an answer; both fail nothing', async () => {
    const error = { code: -32601, message: 'Method not found' };
    const { client, listener, reports } = await start((_q, response) =>
      json(response, 400, { jsonrpc: '2.0', id: null, error }),
    );
    client.send(notify('notifications/initialized'));
    client.send(answer(request('"q"', ''), toRaw({})));
    await until(() => reports.length === 2);
    expect(reports[0]).toMatch(
      /^A message was not taken: .*HTTP 400 \(Bad Request\): Method not found$/,
    );
    expect([listener.frames, listener.failures]).toEqual([[], []]);
  });

  test('that is answered by a body harms nothing', async () => {
    const { client, listener, reports } = await start((_q, response, body) => {
      if (body.includes('"id":1')) json(response, 200, result());
      else response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
    });
    client.send(notify('notifications/initialized'));
    client.send(call());
    await until(() => listener.frames.length === 1);
    expect([listener.noise, reports]).toEqual([[], []]);
  });
});

describe('close', () => {
  test('ends what is open, tells only that, and is done once', async () => {
    let closed = 0;
    const { client, listener, upstream } = await start((_q, response) => {
      response.once('close', () => closed++);
    });
    client.send(call('1'));
    client.send(call('2'));
    await until(() => upstream.requests.length === 2);
    await Promise.all([client.close(), client.close()]);
    client.send(call('3'));
    await until(() => closed === 2);
    expect(listener.closes).toHaveLength(1);
    expect([listener.failures, listener.frames, upstream.requests.length]).toEqual([[], [], 2]);
  });

  test('does not wait for a server that does not answer the farewell', async () => {
    const { client, listener } = await start((incoming, response, body) => {
      if (body.includes('initialize"')) {
        response.setHeader('Mcp-Session-Id', 's');
        json(response, 200, result());
      } else if (incoming.method === 'GET') response.writeHead(405).end();
    });
    client.send(request('1', 'initialize'));
    await until(() => listener.frames.length === 1);
    client.negotiated('2025-06-18');
    await client.close();
    expect(listener.closes).toHaveLength(1);
  });
});

test('connections are used again, whatever the answers come as', async () => {
  let answers = 0;
  const sockets = new Set<unknown>();
  const { client, listener } = await start((incoming, response) => {
    sockets.add(incoming.socket);
    answers++;
    if (answers % 2 === 0) json(response, 200, result(answers));
    else response.writeHead(200, SSE).end(sseEvent(result(answers)));
  });
  for (let id = 1; id <= 20; id++) {
    client.send(call(String(id)));
    await until(() => listener.frames.length === id);
  }
  // The end of a stream may be read after the next message has left.
  expect(sockets.size).toBeLessThanOrEqual(2);
});
