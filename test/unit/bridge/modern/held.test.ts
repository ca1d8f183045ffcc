import { describe, expect, test } from 'vitest';
import type { Members, Message } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import { type Caller, legacy, meta, Stage, type Script } from './stage.ts';

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const ALL = { elicitation: {}, sampling: {}, roots: {} };

/** A server that puts these questions in the course of every call, and answers with what it was answered. */
function asking(...rounds: readonly (readonly Members[])[]): Script {
  const calls = new Map<string, { call: unknown; left: number; round: number; got: unknown[] }>();
  let count = 0;
  return legacy({ tools: {} }, (message, server) => {
    const ask = (call: unknown, round: number, got: unknown[]): void => {
      const questions = rounds[round] ?? [];
      const state = { call, left: questions.length, round, got };
      for (const question of questions) {
        const id = `q${++count}`;
        calls.set(id, state);
        server.say({ id, ...question }, server.kind === 'stdio' ? undefined : Number(call));
      }
      if (questions.length > 0) return;
      const text = JSON.stringify(got);
      server.say({ id: call, result: { content: [{ type: 'text', text }] } });
    };
    if (message.method === 'tools/call') ask(message.id, 0, []);
    if (message.method !== undefined) return undefined;
    const state = calls.get(String(message.id));
    if (state === undefined) return undefined;
    state.got.push(message.result ?? message.error);
    if (--state.left === 0) ask(state.call, state.round + 1, state.got);
    return undefined;
  });
}

function call(client: Caller, id: number, more: Members = {}, capabilities: Members = ALL) {
  const params = { name: 'ask', arguments: { a: 1 }, _meta: meta(capabilities), ...more };
  client.send({ id, method: 'tools/call', params });
  return client.response(id);
}

const keysOf = ({ result }: Message): string[] => Object.keys(result?.['inputRequests'] ?? {});
const stateOf = ({ result }: Message): unknown => result?.['requestState'];
const textOf = ({ result }: Message): unknown => {
  const [block] = (result?.['content'] ?? []) as { text: string }[];
  return JSON.parse(block?.text ?? 'null');
};

describe('questions of a legacy server', () => {
  test.each(['stdio', 'streamableHttp'] as const)('become input_required over %s', async (kind) => {
    const stage = new Stage(asking([{ method: 'elicitation/create', params: FORM }]), { kind });
    const client = stage.client();
    const asked = await call(client, 1);
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'elicitation-1': { method: 'elicitation/create', params: FORM } },
      requestState: expect.stringMatching(/^[\w-]+\.[\w-]+$/) as unknown,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'old', version: '1' } },
    });
    const inputResponses = { 'elicitation-1': { action: 'accept', content: { n: 1 } } };
    const done = await call(client, 2, { inputResponses, requestState: stateOf(asked) });
    expect(textOf(done)).toEqual([{ action: 'accept', content: { n: 1 } }]);
    expect(done.result).toMatchObject({ resultType: 'complete' });
    expect(stage.server.of('tools/call')).toHaveLength(1);
  });

  test('come together in one result, and what is left unanswered is asked again', async () => {
    const stage = new Stage(
      asking([
        { method: 'elicitation/create', params: FORM },
        { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
        { method: 'roots/list' },
      ]),
    );
    const client = stage.client();
    const asked = await call(client, 1);
    expect(keysOf(asked)).toEqual(['elicitation-1', 'sampling-2', 'roots-3']);
    const first = { 'sampling-2': { role: 'assistant' }, stranger: {}, 'roots-3': 7 };
    const again = await call(client, 2, { inputResponses: first, requestState: stateOf(asked) });
    expect(keysOf(again)).toEqual(['elicitation-1', 'roots-3']);
    const rest = { 'elicitation-1': { action: 'decline' }, 'roots-3': { roots: [] } };
    const done = await call(client, 3, { inputResponses: rest, requestState: stateOf(again) });
    expect(textOf(done)).toEqual([{ role: 'assistant' }, { action: 'decline' }, { roots: [] }]);
  });

  test('come in as many rounds as the server wants', async () => {
    const round = [{ method: 'elicitation/create', params: FORM }];
    const client = new Stage(asking(round, round, round)).client();
    let asked = await call(client, 0);
    for (let id = 1; id <= 3; id++) {
      const inputResponses = { [keysOf(asked)[0] ?? '']: { action: 'accept', content: { id } } };
      asked = await call(client, id, { inputResponses, requestState: stateOf(asked) });
    }
    expect(textOf(asked)).toHaveLength(3);
  });
});

describe('a requestState', () => {
  const question = [{ method: 'elicitation/create', params: FORM }];

  test.each<[string, (state: string) => Members]>([
    ['that was changed', (state) => ({ requestState: `x${state}` })],
    ['that is no state', () => ({ requestState: 'abc' })],
    ['of another request', (state) => ({ requestState: state, arguments: { a: 2 } })],
  ])('%s is refused, and nothing is sent', async (_name, change) => {
    const stage = new Stage(asking(question));
    const client = stage.client();
    const asked = await call(client, 1);
    const before = stage.server.received.length;
    const refused = await call(client, 2, change(String(stateOf(asked))));
    expect(refused.error).toMatchObject({ code: -32602 });
    expect(stage.server.received).toHaveLength(before);
  });

  test('of another bridge or another client is refused', async () => {
    const one = new Stage(asking(question));
    const asked = await call(one.client(), 1);
    const requestState = stateOf(asked);
    const other = await call(new Stage(asking(question)).client(), 1, { requestState });
    expect(other.error).toMatchObject({ code: -32602 });
    const stranger = await call(one.client(), 1, { requestState }, { elicitation: { form: {} } });
    expect(stranger.error).toMatchObject({ code: -32602 });
  });

  test('serves once', async () => {
    const client = new Stage(asking(question, question)).client();
    const asked = await call(client, 1);
    const inputResponses = { 'elicitation-1': { action: 'cancel' } };
    const retry = { inputResponses, requestState: stateOf(asked) };
    expect(keysOf(await call(client, 2, retry))).toEqual(['elicitation-2']);
    expect((await call(client, 3, retry)).error).toMatchObject({ code: -32602 });
  });

  test('expires, and the server is told', async () => {
    const stage = new Stage(asking(question), { modern: { lifeMs: 10 } });
    const client = stage.client();
    const asked = await call(client, 1);
    await until(() => stage.server.of('notifications/cancelled').length === 1);
    expect(stage.server.received.at(-2)).toMatchObject({ id: 'q1', result: { action: 'cancel' } });
    const late = await call(client, 2, { requestState: stateOf(asked) });
    expect(late.error).toMatchObject({ code: -32602 });
  });
});

describe('a question that cannot be put', () => {
  test('is refused at once, and the call that fails over it names the capability', async () => {
    const stage = new Stage(
      legacy({ tools: {} }, (message, server) => {
        if (message.method === 'tools/call')
          server.say({ id: 'q', method: 'sampling/createMessage' });
        if (message.id === 'q') {
          expect(message.error).toMatchObject({ code: -32601 });
          const [asked] = server.of('tools/call');
          server.say({ id: asked?.id, result: { content: [], isError: true } });
        }
        return undefined;
      }),
    );
    const failed = await call(stage.client(), 1, {}, {});
    expect(failed.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
    const refusals = stage.events.filter(({ kind }) => kind === 'refusal');
    expect(refusals).toMatchObject([
      { method: 'tools/call', refusal: { feature: 'client-capability' } },
    ]);
  });

  test('leaves a call alone that gets on without it', async () => {
    const client = new Stage(asking([{ method: 'roots/list' }])).client();
    const done = await call(client, 1, {}, {});
    expect(textOf(done)).toMatchObject([{ code: -32601 }]);
  });

  test('belongs to no call, and the server waits for it before it answers what cannot ask', async () => {
    const stage = new Stage(legacy({}, () => undefined));
    stage.client().send({ id: 1, method: 'resources/list', params: { _meta: meta(ALL) } });
    await until(() => stage.servers.length > 0 && stage.server.of('resources/list').length === 1);
    stage.server.say({ id: 'q', method: 'roots/list' });
    await until(() => stage.server.received.some(({ id }) => id === 'q'));
    expect(stage.server.received.at(-1)).toMatchObject({ error: { code: -32601 } });
  });
});

describe('a question that belongs to no call', () => {
  const roots = { roots: [{ uri: 'file:///work' }] };
  const inputResponses = { 'roots-1': roots };

  /** A server that asks for the roots as soon as it may, and answers its calls at once. */
  const curious = (): Script =>
    legacy({ tools: {} }, ({ method }, server) => {
      if (method === 'notifications/initialized') server.say({ id: 'q', method: 'roots/list' });
      return method === undefined
        ? undefined
        : { content: [{ type: 'text', text: '1' }], tools: [] };
    });

  const answerOf = (stage: Stage): Promise<Message> =>
    until(() => stage.server.received.find(({ id, method }) => id === 'q' && method === undefined));

  /** A client that has opened its session by asking nothing of the server. */
  async function opened(stage: Stage, capabilities: Members = ALL): Promise<Caller> {
    const client = stage.client();
    await client.request(0, 'server/discover', { _meta: meta(capabilities) });
    return client;
  }

  test('goes with the next one, which the server gets after the answer', async () => {
    const stage = new Stage(curious());
    const client = await opened(stage);
    const asked = await call(client, 1);
    expect(asked.result).toMatchObject({ inputRequests: { 'roots-1': { method: 'roots/list' } } });
    expect(stage.server.of('tools/call')).toEqual([]);
    const done = await call(client, 2, { inputResponses, requestState: stateOf(asked) });
    expect(textOf(done)).toBe(1);
    const order = stage.server.received.slice(-2);
    expect(order).toMatchObject([{ id: 'q', result: roots }, { method: 'tools/call' }]);
    expect(textOf(await call(client, 3))).toBe(1);
  });

  test('does not keep back what cannot ask', async () => {
    const stage = new Stage(curious(), { modern: { graceMs: 10_000 } });
    const client = await opened(stage);
    await client.request(1, 'tools/list', { _meta: meta(ALL) });
    expect(keysOf(await call(client, 2))).toEqual(['roots-1']);
  });

  test('that the server withdraws while the client is away lets the call go on', async () => {
    const stage = new Stage(curious());
    const client = await opened(stage);
    const asked = await call(client, 1);
    stage.server.say({ method: 'notifications/cancelled', params: { requestId: 'q' } });
    const done = await call(client, 2, { inputResponses, requestState: stateOf(asked) });
    expect(textOf(done)).toBe(1);
  });

  test('that the server withdraws before any call is not asked', async () => {
    const stage = new Stage(curious());
    const client = await opened(stage);
    stage.server.say({ method: 'notifications/cancelled', params: { requestId: 'q' } });
    expect(textOf(await call(client, 1))).toBe(1);
  });

  test('is given up when no call comes, and told of', async () => {
    const stage = new Stage(curious(), { modern: { lifeMs: 20 } });
    await opened(stage);
    expect((await answerOf(stage)).error).toMatchObject({ code: -32601 });
    expect(stage.events).toContainEqual(
      expect.objectContaining({ kind: 'warning', topic: 'undeliverable' }),
    );
  });

  test('is refused at once where the client cannot be asked', async () => {
    const stage = new Stage(curious());
    const client = await opened(stage, {});
    expect((await answerOf(stage)).error).toMatchObject({ code: -32601 });
    expect(textOf(await call(client, 1, {}, {}))).toBe(1);
  });

  test('comes with the next one where that at which it came is answered first', async () => {
    const stage = new Stage(
      legacy({ tools: {} }, ({ id, method }, server) => {
        if (method !== 'tools/call') return undefined;
        if (server.of('tools/call').length === 1) server.say({ id: 'q', method: 'roots/list' });
        server.say({ id, result: { content: [{ type: 'text', text: '1' }] } });
        return undefined;
      }),
    );
    const client = stage.client();
    expect(textOf(await call(client, 1))).toBe(1);
    const asked = await call(client, 2);
    expect(keysOf(asked)).toEqual(['roots-1']);
    const done = await call(client, 3, { inputResponses, requestState: stateOf(asked) });
    expect(textOf(done)).toBe(1);
    expect((await answerOf(stage)).result).toEqual(roots);
  });
});

describe('a held call', () => {
  const question = [{ method: 'elicitation/create', params: FORM }];

  test('is cancelled with the request that waits for it', async () => {
    const stage = new Stage(asking(question, []), {
      modern: { quietMs: 10_000, collectMs: 10_000 },
    });
    const client = stage.client();
    client.send({ id: 1, method: 'tools/call', params: { name: 'ask', _meta: meta(ALL) } });
    await until(() => stage.servers.length > 0 && stage.server.of('tools/call').length === 1);
    client.abandon(1);
    await until(() => stage.server.of('notifications/cancelled').length === 1);
    expect(client.messages).toEqual([]);
  });

  test('forgets a question that the server withdraws', async () => {
    const stage = new Stage(asking([...question, ...question]));
    const client = stage.client();
    const asked = await call(client, 1);
    stage.server.say({ method: 'notifications/cancelled', params: { requestId: 'q1' } });
    const again = await call(client, 2, { requestState: stateOf(asked) });
    expect(keysOf(again)).toEqual(['elicitation-2']);
  });

  test('keeps what the server says meanwhile, and its answer', async () => {
    const stage = new Stage(asking(question));
    const client = stage.client();
    const _meta = meta(ALL, { progressToken: 'mine' });
    const asked = await call(client, 1, { _meta });
    const [sent] = stage.server.of('tools/call');
    const progressToken = (sent?.params?.['_meta'] as Members)['progressToken'];
    stage.server.say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    stage.server.say({ id: sent?.id, result: { content: [], isError: true } });
    const late = meta(ALL, { progressToken: 'new' });
    const inputResponses = { 'elicitation-1': { action: 'decline' } };
    const retry = { _meta: late, inputResponses, requestState: stateOf(asked) };
    const done = await call(client, 2, retry);
    expect(done.result).toMatchObject({ isError: true, resultType: 'complete' });
    const answer = stage.server.received.find(({ id }) => id === 'q1');
    expect(answer?.result).toEqual({ action: 'decline' });
    const [progress] = await client.heard('notifications/progress');
    expect(progress?.params).toMatchObject({ progressToken: 'new', progress: 1 });
  });
});

describe('a demand to visit an address first', () => {
  const url = 'https://example.com/sign-in';
  const elicitations = [{ mode: 'url', url, elicitationId: 'e', message: 'Sign in' }];
  const URL_ABLE = { elicitation: { url: {} } };
  const demanding = (): Script => {
    let calls = 0;
    return legacy({ tools: {} }, ({ method }) => {
      if (method !== 'tools/call') return undefined;
      if (++calls > 1) return { content: [] };
      return { code: -32042, message: 'First sign in', data: { elicitations } };
    });
  };

  test('is a question, and the call is made again afterwards', async () => {
    const stage = new Stage(demanding());
    const client = stage.client();
    const asked = await call(client, 1, {}, URL_ABLE);
    expect(asked.result?.['inputRequests']).toEqual({
      'elicitation-1': {
        method: 'elicitation/create',
        params: { mode: 'url', url, message: 'Sign in' },
      },
    });
    const inputResponses = { 'elicitation-1': { action: 'accept' } };
    const retry = { inputResponses, requestState: stateOf(asked) };
    const done = await call(client, 2, retry, URL_ABLE);
    expect(done.result).toMatchObject({ resultType: 'complete', content: [] });
    expect(stage.server.of('tools/call')).toHaveLength(2);
    expect(stage.server.of('tools/call')[1]?.params).not.toHaveProperty('requestState');
  });

  test('that is declined ends the call', async () => {
    const client = new Stage(demanding()).client();
    const asked = await call(client, 1, {}, URL_ABLE);
    const inputResponses = { 'elicitation-1': { action: 'decline' } };
    const done = await call(client, 2, { inputResponses, requestState: stateOf(asked) }, URL_ABLE);
    expect(done.result).toMatchObject({ isError: true, resultType: 'complete' });
  });

  test('is refused by name where the client cannot be sent anywhere', async () => {
    const done = await call(new Stage(demanding()).client(), 1, {}, { elicitation: {} });
    expect(done.result).toMatchObject({ _meta: { bridge: { refused: 'elicitation-url' } } });
  });
});
