import { connect } from 'node:net';
import { describe, expect } from 'vitest';

import type { Rule } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { HttpClient } from '../reports/support/httpClient.ts';
import { legacy } from '../reports/support/rules.ts';
import { test, type Stage } from '../reports/support/stage.ts';

const CALL = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}}';
const HEADERS = {
  accept: 'text/event-stream, application/json',
  'content-type': 'application/json',
};

/** Answers a call after a while. */
const slow: Rule = {
  on: 'tools/call',
  contains: '"slow"',
  steps: [{ wait: 500 }, { result: { content: [{ type: 'text', text: 'at last' }] } }],
};

/** What a client of 2025-11-25 says in each of its requests, in a session of its own. */
async function openSession(url: string): Promise<Record<string, string>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const opened = await fetch(url, { method: 'POST', headers: HEADERS, body });
  await opened.text();
  const session = opened.headers.get('mcp-session-id') ?? '';
  return { ...HEADERS, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
}

/** Calls, reads one event and goes away; gives the id of that event. */
async function callAndLeave(url: string, headers: Record<string, string>): Promise<string> {
  const leaving = new AbortController();
  const init = { method: 'POST', headers, body: CALL, signal: leaving.signal };
  const reply = await fetch(url, init);
  const reader = reply.body?.getReader();
  const chunk = await reader?.read();
  leaving.abort();
  await reader?.closed.catch(() => undefined);
  const text = new TextDecoder().decode(chunk?.value as Uint8Array);
  return /^id: (\S+)$/m.exec(text)?.[1] ?? '';
}

async function serveOne(stage: Stage, ...flags: string[]) {
  const servers = { one: stage.entry(legacy('2025-06-18', slow), 'one') };
  const { cli, urls } = await stage.serve(servers, ...flags);
  return { cli, url: urls['one'] ?? '' };
}

describe('a client whose connection broke in a call', () => {
  test('gets the answer when it comes back, and the server is called once', async ({ stage }) => {
    const { url } = await serveOne(stage);
    const headers = await openSession(url);
    const lastEventId = await callAndLeave(url, headers);
    expect(lastEventId).not.toBe('');
    const rest = await fetch(url, { headers: { ...headers, 'last-event-id': lastEventId } });
    expect(rest.headers.get('content-type')).toBe('text/event-stream');
    expect((await rest.text()).match(/"at last"/g)).toHaveLength(1);
    const run = stage.runs('one').at(-1);
    expect(run?.of('tools/call')).toHaveLength(1);
    expect(run?.methods).not.toContain('notifications/cancelled');
  });

  test('gets nothing by the event id of another client', async ({ stage }) => {
    const { url } = await serveOne(stage);
    const [mine, other] = [await openSession(url), await openSession(url)];
    const lastEventId = await callAndLeave(url, mine);
    const foreign = await fetch(url, { headers: { ...other, 'last-event-id': lastEventId } });
    const nonsense = await fetch(url, { headers: { ...other, 'last-event-id': 'nonsense' } });
    expect([foreign.status, await foreign.text()]).toEqual([400, await nonsense.text()]);
    const rest = await fetch(url, { headers: { ...mine, 'last-event-id': lastEventId } });
    expect(await rest.text()).toContain('at last');
  });
});

describe('clients that behave badly', () => {
  test('harm neither the program nor another client', async ({ stage }) => {
    const { cli, url } = await serveOne(stage);
    const [good, bad] = [new HttpClient(url), new HttpClient(url)];
    await Promise.all([good.open(), bad.open()]);
    const call = good.post(CALL);
    const { port, pathname } = new URL(url);
    const raw = (text: string, end: 'end' | 'destroy'): Promise<void> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), '127.0.0.1');
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
        socket.resume();
        socket.write(text, () => (end === 'end' ? socket.end() : socket.destroy()));
      });
    const head = `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n`;
    await Promise.all([
      raw('', 'end'),
      raw('\u0000\u0001\u0002 nonsense\r\n\r\n', 'end'),
      raw(`${head}Content-Length: 0\r\n\r\n`, 'end'),
      raw(`${head}Content-Length: 100\r\n\r\n{"jsonrpc`, 'destroy'),
      raw(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 'end'),
      raw(`${head}Content-Length: -1\r\n\r\n`, 'end'),
      raw(`${head}X: ${'x'.repeat(100_000)}\r\n\r\n`, 'end'),
    ]);
    for (const body of ['', '{', '[]', 'null', '{"jsonrpc":"2.0","id":{},"method":"ping"}']) {
      expect((await bad.post(body)).status).toBe(400);
    }
    expect((await bad.post(Buffer.alloc(65 * 1024 * 1024, 0x20))).status).toBe(413);
    const leaving = new AbortController();
    const left = bad.post(CALL.replace('"id":5', '"id":6'), leaving.signal).catch(String);
    await until(() => stage.runs('one').some((run) => run.of('tools/call').length > 0));
    leaving.abort();
    expect(await left).toContain('Abort');
    expect((await call).messages.at(-1)).toMatchObject({
      result: { content: [{ text: 'at last' }] },
    });
    expect((await bad.request(7, 'ping')).result).toEqual({});
    expect(cli.hasExited).toBe(false);
    expect(cli.stderr).not.toMatch(/unhandled|    at /i);
  });
});

describe('a listener with a token', () => {
  test('serves nobody without it, and keeps it to itself', async ({ stage }) => {
    const token = 'a-token-of-the-test';
    const { cli, url } = await serveOne(stage, '--token', token);
    const { origin } = new URL(url);
    const ask = async (path: string, authorization?: string): Promise<number> => {
      const headers = { ...HEADERS, ...(authorization !== undefined && { authorization }) };
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      const reply = await fetch(`${origin}${path}`, { method: 'POST', headers, body });
      expect(await reply.text()).not.toContain(token);
      return reply.status;
    };
    for (const path of ['/one/mcp', '/', `/one/mcp?token=${token}`]) {
      expect(await ask(path)).toBe(401);
      expect(await ask(path, `Bearer ${token}x`)).toBe(401);
      expect(await ask(path, `Basic ${token}`)).toBe(401);
    }
    expect(await ask('/one/mcp', `Bearer ${token}`)).toBe(400);
    // There is no path that takes a command.
    for (const path of ['/', '/stdio', '/one', '/one/mcp/stdio?command=id']) {
      expect(await ask(path, `Bearer ${token}`)).toBe(404);
    }
    expect(cli.stderr).not.toContain(token);
    expect(stage.runs('one')).toEqual([]);
  });
});

describe('a modern client that goes away', () => {
  test('cancels its own request by that, and nobody else’s', async ({ stage }) => {
    const hangs: Rule = {
      on: 'tools/call',
      sse: true,
      steps: [{ line: ': here\n\n', end: '' }, { hang: true }],
    };
    const target = await stage.http(modernServer(hangs));
    const { urls } = await stage.serve({ one: { url: target } });
    /** Resolves with how the call went wrong. */
    const call = (id: number, signal: AbortSignal): Promise<unknown> => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = { name: 'echo', _meta };
      return fetch(urls['one'] ?? '', {
        method: 'POST',
        signal,
        headers: {
          ...HEADERS,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'echo',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
      }).catch((error: unknown) => error);
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const calls = [call(1, one.signal), call(1, two.signal)];
    await until(() => stage.run.of('tools/call').length === 2);
    one.abort();
    await until(() => stage.run.saw('aborted'));
    expect(await calls[0]).toMatchObject({ name: 'AbortError' });
    expect(stage.run.entries.filter(({ event }) => event === 'aborted')).toHaveLength(1);
    expect(stage.run.methods).not.toContain('notifications/cancelled');
    two.abort();
    await until(() => stage.run.entries.filter(({ event }) => event === 'aborted').length === 2);
    expect(await calls[1]).toMatchObject({ name: 'AbortError' });
  });
});
