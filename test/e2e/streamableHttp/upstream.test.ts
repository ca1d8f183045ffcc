import { describe, expect } from 'vitest';

import type { Rule, Script } from '../../fixtures/raw/script.ts';
import { legacyServer, modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { HttpClient } from '../reports/support/httpClient.ts';
import { legacy } from '../reports/support/rules.ts';
import { initializeLine, test, type Stage } from '../reports/support/stage.ts';

/** Answers a request with an event stream of these bytes. */
const streams = (on: string, bytes: string, more: Partial<Rule> = {}): Rule => ({
  on,
  ...more,
  sse: true,
  steps: [{ line: bytes, end: '' }],
});

const CALL = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo"}}';

/** Starts a scripted server for each name; gives their entries in a configuration. */
async function serversOf(
  stage: Stage,
  names: readonly string[],
  scriptOf: (name: string) => Script,
): Promise<Record<string, { url: string }>> {
  const urls = await Promise.all(names.map((name) => stage.http(scriptOf(name), name)));
  return Object.fromEntries(names.map((name, index) => [name, { url: urls[index] ?? '' }]));
}

describe('a server that dresses its events up', () => {
  const answer = [
    '{"jsonrpc":"2.0","id":$ID,',
    '"result":{"content":[{"type":"text",',
    '"text":"ok"}]}}',
  ];
  const lines = [
    'id: 0',
    'retry: 3000',
    'data:',
    '',
    ': ping',
    '',
    'event: ping',
    'data: {}',
    '',
    ...answer.map((part) => `data: ${part}`),
    '',
    '',
  ];

  test('is answered once and warned of nothing, whatever ends its lines', async ({ stage }) => {
    const ends = { lf: '\n', crlf: '\r\n', cr: '\r' };
    const servers = await serversOf(stage, Object.keys(ends), (name) =>
      legacy('2025-11-25', streams('tools/call', lines.join(ends[name as keyof typeof ends]))),
    );
    const { cli, urls } = await stage.serve(servers);
    for (const name of Object.keys(ends)) {
      const client = new HttpClient(urls[name] ?? '');
      await client.open();
      const { messages } = await client.post(CALL);
      expect(messages).toEqual([
        { jsonrpc: '2.0', id: 5, result: { content: [{ type: 'text', text: 'ok' }] } },
      ]);
      expect(stage.httpRun(name).of('tools/call')).toHaveLength(1);
    }
    expect(stage.report).toEqual([]);
    expect(cli.logged('warning')).toEqual([]);
  });
});

describe('a modern server whose stream breaks', () => {
  test.for([
    ['ends', []],
    ['is cut off', [{ close: true }]],
  ] as const)(
    'fails that request alone, and is not asked again: %s',
    async ([, steps], { stage }) => {
      const broken = streams('tools/call', 'id: 1\nretry: 1\ndata:\n\n', { contains: '"broken"' });
      const slow: Rule = {
        on: 'tools/call',
        contains: '"slow"',
        sse: true,
        steps: [
          { line: ': here\n\n', end: '' },
          { wait: 400 },
          { result: { resultType: 'complete', content: [] } },
        ],
      };
      const script = modernServer({ ...broken, steps: [...broken.steps, ...steps] }, slow);
      const cli = await stage.stdio(await stage.http(script));
      const other = cli.client.request(2, 'tools/call', { name: 'slow' });
      const { error } = await cli.client.request(1, 'tools/call', { name: 'broken' });
      expect(error?.message).toMatch(/closed the stream|connection broke/);
      expect((await other).result).toMatchObject({ content: [] });
      const { requests } = stage.run;
      expect(requests.filter(({ body }) => body.includes('"broken"'))).toHaveLength(1);
      expect(requests.filter(({ method }) => method !== 'POST')).toEqual([]);
    },
  );
});

describe('a server without a standing stream', () => {
  test('works all the same, whatever it says to GET', async ({ stage }) => {
    const statuses = ['400', '404', '405', '406', '501'];
    const servers = await serversOf(stage, statuses, (status) =>
      legacy('2025-06-18', { on: 'GET', steps: [{ head: { status: Number(status) } }] }),
    );
    const { urls } = await stage.serve(servers);
    for (const status of statuses) {
      const client = new HttpClient(urls[status] ?? '');
      await client.open();
      const gets = (): number =>
        stage.httpRun(status).requests.filter(({ method }) => method === 'GET').length;
      await until(() => gets() > 0);
      const { result } = await client.request(1, 'tools/call', { name: 'echo' });
      expect(result).toMatchObject({ content: [{ text: 'ok' }] });
      expect(gets()).toBe(1);
    }
  });
});

describe('a server that turns every message away', () => {
  test('is not taken for one of HTTP+SSE, and is told by its status', async ({ stage }) => {
    const statuses = ['401', '403', '408', '429', '500', '503'];
    const servers = await serversOf(stage, statuses, (status) => ({
      rules: [
        streams('GET', 'event: endpoint\ndata: /messages\n\n', { path: '/mcp' }),
        { on: '*', steps: [{ head: { status: Number(status) } }, { line: '{"reason":"closed"}' }] },
      ],
    }));
    const { urls } = await stage.serve(servers);
    for (const status of statuses) {
      const { error } = await new HttpClient(urls[status] ?? '').open();
      expect(error?.message).toMatch(status === '401' ? /wants you to sign in/ : status);
      const asked = stage.httpRun(status).requests.map(({ method, path }) => `${method} ${path}`);
      expect(asked).not.toContain('GET /mcp');
    }
  });

  test('but names an endpoint of another origin is not followed, nor what it said first lost', async ({
    stage,
  }) => {
    const elsewhere = await stage.http(legacyServer('2024-11-05'), 'elsewhere');
    const url = await stage.http(
      {
        rules: [
          streams('GET', `event: endpoint\ndata: ${elsewhere}\n\n`),
          { on: '*', steps: [{ head: { status: 405 } }] },
        ],
      },
      'http-sse',
    );
    const cli = stage.unopened(url);
    cli.client.write(initializeLine());
    const { error } = await cli.client.response('open');
    expect(error?.message).toContain('405');
    expect(stage.httpRun('elsewhere').requests).toEqual([]);
  });
});

describe('a server that speaks out of turn', () => {
  test('answers a notification with an error: nobody is told, and all goes on', async ({
    stage,
  }) => {
    const wrong =
      '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null}';
    const url = await stage.http(
      legacy('2025-06-18', {
        on: 'notifications/initialized',
        steps: [{ head: { status: 200 } }, { line: wrong }],
      }),
    );
    const cli = await stage.stdio(url);
    const { result } = await cli.client.request(1, 'tools/call', { name: 'echo' });
    expect(result).toMatchObject({ content: [{ text: 'ok' }] });
    expect(cli.client.messages.map(({ id }) => id)).toEqual(['open', 1]);
  });

  test('tells before the handshake is over: it is told after that, in order', async ({ stage }) => {
    const log = { method: 'notifications/message', params: { level: 'info', data: 'hello' } };
    const changed = { method: 'notifications/tools/list_changed' };
    const opened = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'early', version: '1' },
    };
    const url = await stage.http(
      legacy('2025-06-18', {
        on: 'initialize',
        sse: true,
        steps: [
          { send: { jsonrpc: '2.0', ...log } },
          { send: { jsonrpc: '2.0', ...changed } },
          { result: opened },
        ],
      }),
    );
    const cli = await stage.stdio(url);
    await until(() => cli.client.messages.length >= 3);
    const told = cli.client.messages.map(({ id, method }) => method ?? id);
    expect(told.slice(0, 3)).toEqual(['open', log.method, changed.method]);
  });

  test('takes its time with the end of the handshake: nothing overtakes it', async ({ stage }) => {
    const slow: Rule = { on: 'notifications/initialized', steps: [{ wait: 200 }] };
    const cli = await stage.stdio(await stage.http(legacy('2025-06-18', slow)));
    await cli.client.request(1, 'tools/list');
    const taken = stage.run.methods;
    expect(taken.indexOf('tools/list')).toBeGreaterThan(taken.indexOf('notifications/initialized'));
    const at = (method: string): number =>
      stage.run.requests.find(({ body }) => body.includes(method))?.at ?? 0;
    expect(at('"tools/list"') - at('"notifications/initialized"')).toBeGreaterThanOrEqual(190);
  });
});

describe('what a client shows the bridge', () => {
  test('reaches no server: its token, its cookies and its session are its own', async ({
    stage,
  }) => {
    const servers = {
      one: { url: await stage.http(legacy('2025-06-18'), 'one'), headers: { 'X-One': 'secret-1' } },
      two: { url: await stage.http(modernServer(), 'two'), headers: { 'X-Two': 'secret-2' } },
    };
    const { urls } = await stage.serve(servers, '--token', 'token-of-the-bridge');
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    for (const url of Object.values(urls)) {
      const reply = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: 'Bearer token-of-the-bridge',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          cookie: 'session=of-the-client',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/list',
          'mcp-session-id': 'session-of-the-client',
          'last-event-id': 'event-of-the-client',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/list',
          params: { _meta: meta },
        }),
      });
      expect(reply.status).toBe(200);
      expect(await reply.json()).toMatchObject({ result: { tools: [{ name: 'echo' }] } });
    }
    for (const [name, own, other] of [
      ['one', 'x-one', 'x-two'],
      ['two', 'x-two', 'x-one'],
    ] as const) {
      const { requests } = stage.httpRun(name);
      expect(requests.length).toBeGreaterThan(0);
      for (const { headers } of requests) {
        expect(headers[own]).toMatch(/^secret-/);
        expect(headers).not.toHaveProperty(other);
        expect(JSON.stringify(headers)).not.toMatch(/of-the-bridge|of-the-client/);
      }
    }
  });
});
