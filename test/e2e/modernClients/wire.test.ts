import type { Script } from '../../fixtures/raw/script.ts';
import { describe, expect } from 'vitest';

import type { Members, Message } from '../../support/rawClient.ts';
import { until } from '../../support/until.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { answers, legacy } from '../reports/support/rules.ts';
import type { Stage } from '../reports/support/stage.ts';
import { test } from './support.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const META = {
  [VERSION]: '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'ed', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
};

function request(id: unknown, method: string, params: Members = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: META } });
}

function post(
  url: string,
  id: unknown,
  method: string,
  params: Members = {},
  signal?: AbortSignal,
) {
  const name = params['name'] ?? params['uri'];
  const named = typeof name === 'string' ? { 'mcp-name': name } : undefined;
  const headers = { ...HEADERS, 'mcp-method': method, ...named };
  return fetch(url, {
    method: 'POST',
    headers,
    body: request(id, method, params),
    signal: signal ?? null,
  });
}

/** A raw server over a transport, as the target of a bridge. */
async function target(
  stage: Stage,
  script: Script,
  transport: 'stdio' | 'http',
): Promise<string[]> {
  return transport === 'stdio'
    ? ['--', ...stage.command(script)]
    : ['--url', await stage.http(script)];
}

describe.for(['stdio', 'http'] as const)(
  'a modern client and a modern server over %s',
  (transport) => {
    const result =
      '{ "resultType":"complete","content":[{"type":"text","text":"\\u0041"}],"n":12345678901234567890,"f":1.0,"x":{"b":1,"a":2} }';

    test('read each other byte for byte', async ({ stage }) => {
      const server = await target(stage, modernServer(answers('tools/call', result)), transport);
      const { client } = stage.cli('stdio', ...server);
      const params = '{ "name":"echo","arguments":{"f":1e3,"s":"\\u00e4"},"x":1.0,"_meta":';
      const meta = `{ "${VERSION}":"2026-07-28", "io.modelcontextprotocol/clientCapabilities":{ },"progressToken":"mine","k":-0 }`;
      client.write(
        `{"jsonrpc":"2.0", "id" : "a\\u0062", "method":"tools/call","params":${params}${meta} }}`,
      );
      expect(await client.responseLine('ab')).toBe(
        `{"jsonrpc":"2.0","id":"a\\u0062","result":${result}}`,
      );
      const [line = ''] =
        stage.run.of('tools/call').length > 0
          ? stage.run.lines.filter((each) => each.includes('tools/call'))
          : [];
      const sent = `"params":${params}${meta.replace('"mine"', '')} }}`;
      expect(line.replace(/"progressToken":\d+/, '"progressToken":')).toContain(sent);
    });
  },
);

describe('a bridge on stdio', () => {
  test('serves both eras on one pipe, from a cold start', async ({ stage }) => {
    const { client } = stage.unopened(legacy('2025-06-18'));
    client.write(request(1, 'tools/call', { name: 'echo' }));
    expect((await client.response(1)).result).toMatchObject({ resultType: 'complete' });
    const opened = await client.request('open', 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'legacy', version: '1' },
    });
    expect(opened.result).toMatchObject({ protocolVersion: '2025-06-18' });
    const [listed] = await Promise.all([
      client.request(2, 'tools/list'),
      client.request(3, 'tools/list', { _meta: META }),
    ]);
    expect(listed.result).not.toHaveProperty('resultType');
    expect((await client.response(3)).result).toMatchObject({ resultType: 'complete', ttlMs: 0 });
    const names = stage.runs().flatMap((run) => run.of('initialize').map(nameOf));
    expect(names.sort()).toEqual(['ed', 'legacy']);
  });

  test('ends a stream as it should when it is told to end', async ({ stage }) => {
    const cli = stage.unopened(legacy('2025-11-25'));
    const notifications = { toolsListChanged: true };
    cli.client.write(request('s', 'subscriptions/listen', { notifications }));
    await until(() => cli.client.messages.length > 0);
    cli.kill('SIGTERM');
    expect((await cli.client.response('s')).result).toEqual({
      resultType: 'complete',
      _meta: { [SUBSCRIPTION]: 's' },
    });
    expect(await cli.exit()).toBe(0);
  });
});

describe('a bridge over HTTP', () => {
  test('serves both eras at one address', async ({ stage, setting }) => {
    const url = await setting.serve(['--', ...stage.command(legacy('2025-11-25'))]);
    const modern = await post(url, 1, 'tools/call', { name: 'echo' });
    expect(modern.status).toBe(200);
    expect(await modern.json()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'l', version: '1' },
    };
    const opened = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': HEADERS['content-type'], accept: HEADERS.accept },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    expect(opened.headers.get('mcp-session-id')).not.toBeNull();
    const gone = await fetch(url, { headers: HEADERS });
    expect([gone.status, gone.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.for(['stdio', 'http'] as const)(
    'takes a closed connection for a cancellation, at a legacy server over %s',
    async (transport, { stage, setting }) => {
      const silent = legacy('2025-11-25', { on: 'tools/call', sse: true, steps: [{ hang: true }] });
      const url = await setting.serve(await target(stage, silent, transport));
      const leaving = new AbortController();
      const call = post(url, 1, 'tools/call', { name: 'echo' }, leaving.signal);
      call.catch(() => undefined);
      const seen = (method: string): Message[] =>
        stage
          .runs()
          .concat(stage.run)
          .flatMap((run) => run.of(method));
      await until(() => seen('tools/call').length > 0);
      leaving.abort();
      await until(() => seen('notifications/cancelled').length > 0);
      const requestId = seen('tools/call')[0]?.id;
      expect(seen('notifications/cancelled')[0]?.params).toMatchObject({ requestId });
    },
  );

  test('ends a stream as it should when it is told to end', async ({ stage }) => {
    const server = ['--', ...stage.command(legacy('2025-11-25'))];
    const cli = stage.cli('serve', ...server);
    const url = (await cli.log('listening on ')).slice('listening on '.length);
    const stream = await post(url, 's', 'subscriptions/listen', { notifications: {} });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    cli.kill('SIGTERM');
    const events = (await stream.text()).split('\n\n').filter((event) => event !== '');
    const result = { resultType: 'complete', _meta: { [SUBSCRIPTION]: 's' } };
    expect(events).toHaveLength(2);
    expect(JSON.parse(events[1]?.split('data: ')[1] ?? '')).toMatchObject({ id: 's', result });
    expect(await cli.exit()).toBe(0);
  });

  test('answers what nobody implements with 404', async ({ stage, setting }) => {
    const unknown = { on: 'x/y', steps: [{ error: { code: -32601, message: 'No' } }] };
    const url = await setting.serve(['--', ...stage.command(legacy('2025-11-25', unknown))]);
    for (const method of ['x/y', 'ping', 'initialize']) {
      const answer = await post(url, 1, method);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32601 } });
    }
  });
});

function nameOf({ params }: Message): unknown {
  return (params?.['clientInfo'] as Members | undefined)?.['name'];
}
