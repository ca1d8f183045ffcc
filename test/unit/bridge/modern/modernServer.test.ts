import { describe, expect, test } from 'vitest';
import type { Members } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import type { RequestFrame } from '../../../../src/protocol/frame.ts';
import { CAPABILITIES, frameOf, INFO, messageOf, meta, modern, Stage, VERSION } from './stage.ts';

describe('a modern client at a modern server', () => {
  test('is passed on as it speaks, and so is what it is answered', async () => {
    const answer = {
      resultType: 'complete',
      content: [{ type: 'text', text: '', x: [1] }],
      extra: null,
    };
    const stage = new Stage(modern(() => answer));
    const _meta = meta({ roots: {} }, { 'x.y/z': 1, progressToken: 'p' });
    const done = await stage.client().request(5, 'tools/call', { name: 'a', x: 1, _meta });
    expect(done.result).toEqual(answer);
    const { params } = stage.server.of('tools/call')[0] ?? {};
    const progressToken = expect.any(Number) as number;
    expect(params).toEqual({ name: 'a', x: 1, _meta: { ..._meta, progressToken } });
  });

  test('gets questions and what it does not know as they are', async () => {
    const asked = { resultType: 'input_required', inputRequests: {}, requestState: 's' };
    const client = new Stage(modern(() => asked)).client();
    expect((await client.request(1, 'tools/call', { name: 'a' })).result).toEqual(asked);
    expect((await client.request(2, 'x/y')).result).toEqual(asked);
  });

  test('gets the error of the server in its words', async () => {
    const error = { code: -32021, message: 'No', data: { requiredCapabilities: { roots: {} } } };
    const client = new Stage(modern(() => error)).client();
    expect((await client.request(1, 'tools/call', { name: 'a' })).error).toEqual(error);
  });

  test('is told of the revisions that the bridge serves', async () => {
    const client = new Stage(modern(() => undefined)).client();
    const { result } = await client.request(1, 'server/discover');
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28', 'draft'], ttlMs: 0 });
  });

  test('may speak the draft, in which the server is told its own revision', async () => {
    const stage = new Stage(modern(() => ({ resultType: 'complete' })));
    await stage.client().request(1, 'x/y', { _meta: { ...meta(), [VERSION]: 'draft' } });
    expect(stage.server.of('x/y')[0]?.params?.['_meta']).toMatchObject({ [VERSION]: '2026-07-28' });
  });

  test('shares one connection with all others', async () => {
    const stage = new Stage(modern(() => ({ resultType: 'complete' })));
    await stage.client().request(1, 'x/y');
    await stage.client().request(1, 'x/y', { _meta: meta({ roots: {} }) });
    expect(stage.servers).toHaveLength(1);
  });

  test('is answered once for each id, and told of an id that is still open', async () => {
    const stage = new Stage(modern(() => undefined));
    const client = stage.client();
    for (let i = 0; i < 2; i++) client.send({ id: 1, method: 'x/y', params: { _meta: meta() } });
    expect((await client.response(1)).error).toMatchObject({ code: -32600 });
  });

  test.each<[string, unknown]>([
    ['no _meta', undefined],
    ['a _meta that is no object', 7],
    ['no version', { [CAPABILITIES]: {} }],
    ['no capabilities', { [VERSION]: '2026-07-28' }],
    ['capabilities that are no object', { [VERSION]: '2026-07-28', [CAPABILITIES]: [] }],
    ['a client that is no object', { ...meta(), [INFO]: 'ed' }],
  ])('with %s is malformed', async (_name, _meta) => {
    const stage = new Stage(modern(() => ({})));
    const client = stage.client();
    client.send({ id: 1, method: 'tools/list', params: { _meta } });
    expect((await client.response(1)).error).toMatchObject({ code: -32602 });
    expect(stage.servers).toEqual([]);
  });

  test('of another revision is told which are served', async () => {
    const client = new Stage(modern(() => ({}))).client();
    const _meta = { ...meta(), [VERSION]: '2099-01-01' };
    const { error } = await client.request(1, 'tools/list', { _meta });
    const data = { supported: ['2026-07-28', 'draft'], requested: '2099-01-01' };
    expect(error).toMatchObject({ code: -32022, data });
  });
});

describe('a channel for both eras', () => {
  const INITIALIZE = {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'l', version: '1' },
    },
  };
  const open = (): { stage: Stage; send: (message: Members) => void; read: () => Members[] } => {
    const stage = new Stage(
      modern(() => ({ resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' })),
    );
    const read: Members[] = [];
    const listener = stage.bridge.accept(
      {
        send: (frame) => read.push(messageOf(frame) as Members),
        drop: () => undefined,
        close: () => undefined,
      },
      frameOf({ id: 0, ...INITIALIZE }) as RequestFrame,
    );
    return { stage, send: (message) => listener.onFrame(frameOf(message)), read: () => read };
  };

  test('lets each message decide by its own bytes', async () => {
    const { send, read } = open();
    send({ id: 1, method: 'tools/list', params: { _meta: meta() } });
    send({ id: 2, ...INITIALIZE });
    send({ id: 3, method: 'ping' });
    send({ id: 4, method: 'ping', params: { _meta: meta() } });
    await until(
      () => read().length === 4,
      undefined,
      () => JSON.stringify(read()),
    );
    const answers = new Map(read().map((message) => [message['id'], message]));
    expect(answers.get(1)).toMatchObject({ result: { resultType: 'complete' } });
    expect(answers.get(2)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    expect(answers.get(3)).toEqual({ jsonrpc: '2.0', id: 3, result: {} });
    expect(answers.get(4)).toMatchObject({ error: { code: -32601 } });
  });

  test('takes what shows no era for one of the era it has seen', async () => {
    const { send, read } = open();
    send({ id: 1, method: 'tools/list' });
    send({ id: 2, method: 'server/discover' });
    const other = open();
    other.send({ id: 3, method: 'tools/list', params: { _meta: meta() } });
    other.send({ id: 4, method: 'tools/list' });
    await until(() => read().length === 2 && other.read().length === 2);
    expect(read()).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32602 } }]);
    expect(other.read().find(({ id }) => id === 4)).toMatchObject({ error: { code: -32602 } });
  });
});
