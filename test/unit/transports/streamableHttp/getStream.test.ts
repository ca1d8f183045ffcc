import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { answer, notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { NOTE, until } from './peers.ts';
import { call, json, result, sseEvent, SSE, start, type Handle, type Pair } from './upstream.ts';

describe('a legacy session', () => {
  interface Legacy {
    standing: ((text: string) => void)[];
    end: (() => void)[];
  }
  const legacyServer =
    (legacy: Legacy): Handle =>
    (incoming, response, body) => {
      if (incoming.method === 'GET') {
        response.writeHead(200, SSE).flushHeaders();
        legacy.standing.push((text) => void response.write(text));
        legacy.end.push(() => response.end());
      } else if (incoming.method === 'DELETE') response.writeHead(200).end();
      else if (body.includes('"initialize"')) {
        response.setHeader('Mcp-Session-Id', 'session-1');
        json(response, 200, result());
      } else if (body.includes('"id"')) json(response, 200, result(2));
      else response.writeHead(202).end();
    };

  async function startSession(handle?: Handle): Promise<Pair & { legacy: Legacy }> {
    const legacy: Legacy = { standing: [], end: [] };
    const fallback = legacyServer(legacy);
    const pair = await start((incoming, response, body) => {
      if (handle === undefined || body.includes('initialize')) fallback(incoming, response, body);
      else handle(incoming, response, body);
    });
    pair.client.send(request('1', 'initialize', toRaw({})));
    await until(() => pair.listener.frames.length === 1);
    pair.client.negotiated('2025-11-25');
    pair.client.send(notify('notifications/initialized'));
    return { ...pair, legacy };
  }

  test('sends its id and revision, opens the standing stream after the handshake, ends with DELETE', async () => {
    const { client, listener, upstream, legacy } = await startSession();
    await until(() => legacy.standing.length === 1);
    legacy.standing[0]?.(sseEvent(NOTE));
    await until(() => listener.frames.length === 2);
    expect(listener.frames[1]).toEqual({ frame: NOTE, stream: undefined });
    await client.close();
    expect(listener.closes).toEqual([
      { kind: 'closed', message: 'The connection to the server was closed.' },
    ]);
    const seen = upstream.requests.map(({ method, headers }) => [
      method,
      headers['mcp-session-id'],
      headers['mcp-protocol-version'],
    ]);
    expect(seen).toEqual([
      ['POST', undefined, undefined],
      ['POST', 'session-1', '2025-11-25'],
      ['GET', 'session-1', '2025-11-25'],
      ['DELETE', 'session-1', '2025-11-25'],
    ]);
    expect(upstream.requests[2]?.headers.accept).toBe('text/event-stream');
  });

  test('opens its standing stream again after the time the server asked for, behind its last event', async () => {
    const { listener, upstream, legacy, reports } = await startSession();
    await until(() => legacy.standing.length === 1);
    legacy.standing[0]?.(sseEvent(NOTE, 'id: e-7\nretry: 60\n'));
    await until(() => listener.frames.length === 2);
    const ended = performance.now();
    legacy.end[0]?.();
    await until(() => legacy.standing.length === 2);
    const waited = performance.now() - ended;
    expect(waited).toBeGreaterThanOrEqual(58);
    expect(waited).toBeLessThan(900);
    expect(upstream.requests.at(-1)?.headers['last-event-id']).toBe('e-7');
    expect(reports).toEqual([]);
  });

  test.each([
    [405, 0],
    [406, 1],
    [501, 1],
  ])('lives without a standing stream: %s', async (status, expectedReports) => {
    const { client, listener, reports, upstream } = await startSession(
      (incoming, response, body) => {
        if (incoming.method === 'GET') response.writeHead(status).end();
        else if (body.includes('"id"')) json(response, 200, result(2));
        else response.writeHead(202).end();
      },
    );
    await until(() => upstream.requests.some(({ method }) => method === 'GET'));
    client.send(call('2'));
    await until(() => listener.frames.length === 2 && reports.length === expectedReports);
    expect(upstream.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  test('takes up a broken answer where it was, as the stream of its request', async () => {
    let closedAt = 0;
    let resumedAt = 0;
    const { client, listener, upstream } = await startSession((incoming, response) => {
      if (incoming.headers['last-event-id'] !== undefined) {
        resumedAt = performance.now();
        response
          .writeHead(200, SSE)
          .write(sseEvent(NOTE, 'id: e-3\n') + sseEvent(result(2), 'id: e-4\n'));
      } else if (incoming.method === 'GET') response.writeHead(405).end();
      else if (incoming.method === 'DELETE') response.writeHead(200).end();
      else {
        closedAt = performance.now();
        response.writeHead(200, SSE).end('id: e-2\nretry: 70\ndata: \n\n');
      }
    });
    client.send(call('2'));
    await until(() => listener.frames.length === 3);
    expect(listener.frames.slice(1)).toEqual([
      { frame: NOTE, stream: '2' },
      { frame: result(2), stream: '2' },
    ]);
    expect(resumedAt - closedAt).toBeGreaterThanOrEqual(68);
    const resumed = upstream.requests.filter(
      ({ headers }) => headers['last-event-id'] !== undefined,
    );
    expect(resumed.map(({ headers }) => headers['last-event-id'])).toEqual(['e-2']);
    expect(listener.failures).toEqual([]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    [
      'ends its connections before there is anything',
      (response) => response.writeHead(200, SSE).end(),
    ],
    ['has not seen yet that the connection is gone', (response) => response.writeHead(409).end()],
    ['cannot be had for a moment', (response) => response.writeHead(503).end()],
  ])('polls on where the server %s', async (name, notYet) => {
    // More polls than failures are forgiven: the server is there, and works.
    const polls = name.startsWith('ends') ? 6 : 1;
    let resumed = 0;
    const { client, listener } = await startSession((incoming, response) => {
      if (incoming.headers['last-event-id'] !== undefined) {
        resumed++;
        if (resumed <= polls) notYet(response);
        else response.writeHead(200, SSE).write(sseEvent(result(2), 'id: e-3\n'));
      } else if (incoming.method === 'GET') response.writeHead(405).end();
      else response.writeHead(200, SSE).end('id: e-2\nretry: 1\ndata: \n\n');
    });
    client.send(call('2'));
    await until(() => listener.frames.length === 2 || listener.failures.length > 0);
    expect(listener.failures).toEqual([]);
    expect(listener.frames[1]).toEqual({ frame: result(2), stream: '2' });
    expect(resumed).toBe(polls + 1);
  });

  test('names an event by its bytes, whatever its id is written in', async () => {
    const { client, listener, upstream } = await startSession((incoming, response) => {
      if (incoming.headers['last-event-id'] !== undefined) {
        response.writeHead(200, SSE).write(sseEvent(result(2)));
      } else if (incoming.method === 'GET') response.writeHead(405).end();
      else response.writeHead(200, SSE).end('id: Grüße 世界\nretry: 1\ndata: \n\n');
    });
    client.send(call('2'));
    await until(() => listener.frames.length === 2 || listener.failures.length > 0);
    const named = upstream.requests.map(({ headers }) => headers['last-event-id']);
    const [bytes = ''] = named.filter((id) => id !== undefined);
    expect(Buffer.from(String(bytes), 'latin1').toString('utf8')).toBe('Grüße 世界');
  });

  test('fails a request whose broken answer cannot be taken up', async () => {
    const { client, listener } = await startSession((incoming, response) => {
      if (incoming.method !== 'POST') response.writeHead(400).end('gone');
      else response.writeHead(200, SSE).end('id: e-2\nretry: 1\ndata: \n\n');
    });
    client.send(call('2'));
    await until(() => listener.failures.length === 1);
    expect(listener.failures[0]).toMatchObject({
      id: '2',
      failure: { kind: 'http-status', status: 400 },
    });
  });

  test.each([
    [404, 'Session not found', 'session-lost'],
    [400, 'No valid session ID provided', 'session-lost'],
    [404, 'There is no such session.', 'session-lost'],
    [404, 'Cannot GET /mcp', 'http-status'],
    [400, 'No such event', 'http-status'],
  ])('that is lost while an answer is taken up: %s %s', async (status, words, kind) => {
    const { client, listener } = await startSession((incoming, response, body) => {
      if (incoming.headers['last-event-id'] !== undefined) response.writeHead(status).end(words);
      else if (incoming.method === 'GET') response.writeHead(405).end();
      else if (body.includes('"id"'))
        response.writeHead(200, SSE).end('id: e-1\nretry: 1\ndata: \n\n');
      else response.writeHead(202).end();
    });
    client.send(call('2'));
    await until(() => listener.failures.length === 1);
    expect(listener.failures[0]).toMatchObject({ id: '2', failure: { kind, status } });
  });

  test('that the server has lost is told by its status, whatever the body', async () => {
    const { client, listener } = await startSession((incoming, response) => {
      if (incoming.method !== 'POST') response.writeHead(405).end();
      else
        json(response, 404, {
          jsonrpc: '2.0',
          id: null,
          error: { code: -1, message: 'Session not found' },
        });
    });
    client.send(call('2'));
    await until(() => listener.failures.length === 1);
    expect(listener.failures[0]).toMatchObject({
      id: '2',
      failure: { kind: 'session-lost', status: 404, message: /Session not found/ },
    });
    expect(listener.frames).toHaveLength(1);
  });

  test.each([
    [404, ''],
    [400, 'Invalid or missing session ID'],
  ])('that may be lost is told where the standing stream meets %s %s', async (status, words) => {
    const { listener, upstream, reports } = await startSession((incoming, response) => {
      if (incoming.method === 'DELETE') response.writeHead(200).end();
      else response.writeHead(status).end(words);
    });
    await until(() => listener.doubts.length === 1);
    expect(listener.doubts).toMatchObject([{ failure: { kind: 'http-status', status } }]);
    expect(listener.doubts[0]?.unheard).toBeUndefined();
    expect(upstream.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(reports).toEqual([]);
  });

  test('goes on behind an event that the server no longer knows', async () => {
    let gets = 0;
    const { listener, upstream, reports } = await startSession((_, response) => {
      gets++;
      if (gets === 1) response.writeHead(200, SSE).end(sseEvent(NOTE, 'id: e-1\nretry: 1\n'));
      else if (gets === 2) response.writeHead(404).end('No such event');
      else response.writeHead(200, SSE).write(sseEvent(NOTE));
    });
    await until(() => listener.frames.length === 3);
    const named = upstream.requests
      .filter(({ method }) => method === 'GET')
      .map(({ headers }) => headers['last-event-id']);
    expect(named).toEqual([undefined, 'e-1', undefined]);
    expect(listener.doubts).toEqual([]);
    expect(reports).toEqual([expect.stringMatching(/meanwhile is lost: .*No such event/)]);
  });

  test.each([notify('notifications/x'), answer(request('7', 'roots/list'), toRaw({}))])(
    'that is lost is told where $kind meets it',
    async (frame) => {
      const { client, listener, upstream, reports } = await startSession((incoming, response) => {
        if (incoming.method === 'GET') response.writeHead(405).end();
        else response.writeHead(404).end('Session not found');
      });
      client.send(frame);
      await until(() => listener.doubts.length === 1);
      expect(listener.doubts[0]?.unheard).toBe(frame);
      expect(listener.doubts[0]?.failure).toMatchObject({ kind: 'session-lost', status: 404 });
      expect(reports).toEqual([]);
      await client.close();
      expect(upstream.requests.map(({ method }) => method)).not.toContain('DELETE');
    },
  );

  test('is not where there is none', async () => {
    const { client, listener, reports } = await start((incoming, response, body) => {
      if (body.includes('"initialize"')) json(response, 200, result());
      else response.writeHead(incoming.method === 'GET' ? 404 : 202).end();
    });
    client.send(request('1', 'initialize', toRaw({})));
    await until(() => listener.frames.length === 1);
    client.negotiated('2025-11-25');
    client.send(notify('notifications/initialized'));
    await until(() => reports.length === 1);
    expect(reports[0]).toMatch(/standing stream is off: /);
    expect(listener.doubts).toEqual([]);
  });
});
