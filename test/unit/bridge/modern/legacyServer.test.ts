import { describe, expect, test } from 'vitest';
import type { Members } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import { legacy, LOG_LEVEL, meta, SERVER_INFO, Stage, VERSION } from './stage.ts';

const OLD = { [SERVER_INFO]: { name: 'old', version: '1' } };

describe('a modern client at a legacy server', () => {
  test('discovers what the server said of itself', async () => {
    const stage = new Stage(legacy({ tools: { listChanged: true } }, () => undefined));
    const { result } = await stage.client().request(1, 'server/discover');
    expect(result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', 'draft'],
      capabilities: { tools: { listChanged: true } },
      instructions: 'Be kind.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: OLD,
    });
  });

  test('is introduced with its own name and capabilities', async () => {
    const stage = new Stage(legacy({}, () => ({})));
    await stage.client().request(1, 'x/y', { _meta: meta({ roots: {}, x: 1 }) });
    expect(stage.server.of('initialize')[0]?.params).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { roots: {}, x: 1 },
      clientInfo: { name: 'ed', version: '1' },
    });
    expect(stage.server.of('notifications/initialized')).toHaveLength(1);
  });

  test('may keep its name to itself', async () => {
    const stage = new Stage(legacy({}, () => ({})));
    const { [VERSION]: version, ...rest } = meta();
    const capabilities = rest['io.modelcontextprotocol/clientCapabilities'];
    const _meta = {
      [VERSION]: version,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    expect((await stage.client().request(1, 'x/y', { _meta })).result).toBeDefined();
    expect(stage.server.of('initialize')[0]?.params).toMatchObject({
      clientInfo: { name: 'unnamed client', version: '0' },
    });
  });

  test('is asked for no more than the server knows', async () => {
    const stage = new Stage(legacy({}, () => ({})));
    const _meta = meta({}, { [LOG_LEVEL]: 'info', traceparent: '00-1', 'x.y/z': [1] });
    const more = { a: 1, inputResponses: {}, _meta };
    await stage.client().request(1, 'tools/list', more);
    const { params } = stage.server.of('tools/list')[0] ?? {};
    expect(params).toEqual({
      a: 1,
      _meta: { traceparent: '00-1', 'x.y/z': [1], progressToken: expect.any(Number) as number },
    });
  });

  test.each<[string, Members]>([
    ['tools/list', { ttlMs: 0, cacheScope: 'private', tools: [] }],
    ['resources/read', { ttlMs: 0, cacheScope: 'private', contents: [] }],
    ['tools/call', { content: [] }],
    ['x/unknown', {}],
  ])('gets the result of %s as its revision wants it', async (method, expected) => {
    const stage = new Stage(
      legacy({ tools: {} }, () => ({ tools: [], contents: [], content: [], _meta: { kept: 1 } })),
    );
    const { result } = await stage.client().request(1, method, { name: 'a', uri: 'b:c' });
    expect(result).toMatchObject({ resultType: 'complete', ...expected });
    expect(result?.['_meta']).toEqual({ kept: 1, ...OLD });
    expect('ttlMs' in (result ?? {})).toBe('ttlMs' in expected);
  });

  test('hears of a resource that was not found in the code of its revision', async () => {
    const stage = new Stage(legacy({}, () => ({ code: -32002, message: 'Gone', data: { a: 1 } })));
    const client = stage.client();
    const read = await client.request(1, 'resources/read', { uri: 'a:b' });
    expect(read.error).toEqual({ code: -32602, message: 'Gone', data: { a: 1, uri: 'a:b' } });
    const other = await client.request(2, 'tools/call', { name: 'a' });
    expect(other.error).toEqual({ code: -32002, message: 'Gone', data: { a: 1 } });
    expect(stage.events).toContainEqual(
      expect.objectContaining({
        kind: 'report',
        steps: [expect.objectContaining({ feature: 'error-code', loss: 'none' }) as unknown],
      }),
    );
  });

  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe'])(
    'has no %s',
    async (method) => {
      const stage = new Stage(legacy({}, () => ({})));
      const { error } = await stage.client().request(1, method, { uri: 'a:b' });
      expect(error).toMatchObject({ code: -32601 });
      expect(stage.servers).toEqual([]);
    },
  );
});

describe('the session at a legacy server', () => {
  const names = (stage: Stage): unknown[] =>
    stage.servers.flatMap((server) =>
      server.of('initialize').map(({ params }) => params?.['capabilities']),
    );

  test('is one for each distinct client, over however many channels', async () => {
    const stage = new Stage(legacy({}, () => ({})));
    await stage.client().request(1, 'x/y');
    await Promise.all([stage.client().request(1, 'x/y'), stage.client().request(1, 'x/y')]);
    await stage.client().request(1, 'x/y', { _meta: meta({ roots: {} }) });
    // The first server was probed before its era was known.
    expect(names(stage)).toEqual([{}, { roots: {} }]);
  });

  test('ends when its client has been silent for long, and is opened anew', async () => {
    const stage = new Stage(
      legacy({}, () => ({})),
      { modern: { idleMs: 10 } },
    );
    await stage.client().request(1, 'x/y');
    const { server } = stage;
    await until(() => server.closed);
    expect(stage.bridge.isInUse).toBe(false);
    await stage.client().request(1, 'x/y');
    expect(stage.server).not.toBe(server);
  });

  test('is opened anew when the server is gone; what was under way fails at once', async () => {
    const stage = new Stage(legacy({}, ({ method }) => (method === 'x/hang' ? undefined : {})));
    const client = stage.client();
    await client.request(1, 'x/y');
    client.send({ id: 2, method: 'x/hang', params: { _meta: meta() } });
    const { server } = stage;
    await until(() => server.of('x/hang').length === 1);
    server.die();
    expect((await client.response(2)).error).toMatchObject({ code: -32603 });
    expect((await client.request(3, 'x/y')).result).toBeDefined();
    expect(stage.server).not.toBe(server);
  });

  test('ends for the client silent the longest when there are too many', async () => {
    const stage = new Stage(legacy({}, () => ({})));
    for (let i = 0; i <= 32; i++) {
      await stage.client().request(1, 'x/y', { _meta: meta({ number: i }) });
    }
    expect(stage.servers.map(({ closed }) => closed).indexOf(false)).toBe(1);
    expect(stage.servers.filter(({ closed }) => !closed)).toHaveLength(32);
  });

  test('ends with the bridge, and what is under way is answered', async () => {
    const stage = new Stage(legacy({}, ({ method }) => (method === 'x/hang' ? undefined : {})));
    const client = stage.client();
    await client.request(1, 'x/y');
    client.send({ id: 2, method: 'x/hang', params: { _meta: meta() } });
    await until(() => stage.server.of('x/hang').length === 1);
    await stage.bridge.close();
    expect((await client.response(2)).error).toMatchObject({ code: -32603 });
    expect(stage.servers.every(({ closed }) => closed)).toBe(true);
    expect(stage.bridge.isInUse).toBe(false);
  });
});

describe('a request under way', () => {
  test('is cancelled at the server when its client goes away', async () => {
    const stage = new Stage(legacy({}, () => undefined));
    const client = stage.client();
    client.send({ id: 1, method: 'tools/call', params: { name: 'a', _meta: meta() } });
    await until(() => stage.servers.length > 0 && stage.server.of('tools/call').length === 1);
    client.abandon(1);
    await until(() => stage.server.of('notifications/cancelled').length === 1);
    const requestId = stage.server.of('tools/call')[0]?.id;
    expect(stage.server.of('notifications/cancelled')[0]?.params).toMatchObject({ requestId });
    expect(client.dropped).toEqual(['1']);
  });

  test('hears of its progress under its own token', async () => {
    const stage = new Stage(
      legacy({}, ({ params }, server) => {
        const { progressToken } = (params?.['_meta'] ?? {}) as Members;
        server.say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
        return { content: [] };
      }),
    );
    const client = stage.client();
    await client.request(1, 'tools/call', { name: 'a', _meta: meta({}, { progressToken: 'p' }) });
    expect(await client.heard('notifications/progress')).toMatchObject([
      { params: { progressToken: 'p', progress: 1 } },
    ]);
  });
});

describe('log messages', () => {
  const talking = legacy({ logging: {} }, ({ method }, server) => {
    if (method !== 'tools/call') return {};
    for (const level of ['debug', 'warning']) {
      server.say({ method: 'notifications/message', params: { level, data: level } });
    }
    return { content: [] };
  });
  const call = (level?: string): Members => ({
    name: 'a',
    _meta: meta({}, level === undefined ? {} : { [LOG_LEVEL]: level }),
  });

  test('reach only a request that asks for them, at its level or above', async () => {
    const stage = new Stage(talking);
    const silent = stage.client();
    await silent.request(1, 'tools/call', call());
    expect(silent.messages).toHaveLength(1);
    expect(stage.server.of('logging/setLevel')).toEqual([]);
    const client = stage.client();
    await client.request(1, 'tools/call', call('info'));
    const heard = await client.heard('notifications/message');
    expect(heard.map(({ params }) => params?.['level'])).toEqual(['warning']);
  });

  test('make the server as talkative as the requests under way want it, and no oftener than needed', async () => {
    const stage = new Stage(talking);
    const client = stage.client();
    for (const [id, level] of ['info', 'info', 'debug', 'error'].entries()) {
      await client.request(id, 'tools/call', call(level));
    }
    const levels = stage.server.of('logging/setLevel').map(({ params }) => params?.['level']);
    expect(levels).toEqual(['info', 'debug', 'error']);
  });

  test('of a level that is none are refused', async () => {
    const { error } = await new Stage(talking).client().request(1, 'tools/call', call('loud'));
    expect(error).toMatchObject({ code: -32602 });
  });
});
