import { describe, expect, test } from 'vitest';
import type { Members } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import { type Caller, legacy, meta, modern, Stage, SUBSCRIPTION } from './stage.ts';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const TOOLS = 'notifications/tools/list_changed';
const PROMPTS = 'notifications/prompts/list_changed';
const UPDATED = 'notifications/resources/updated';
const CAPABILITIES = { tools: { listChanged: true }, resources: { subscribe: true } };

async function listen(client: Caller, id: number, notifications: Members) {
  client.send({ id, method: 'subscriptions/listen', params: { notifications, _meta: meta() } });
  const heard = await client.heard(ACKNOWLEDGED);
  return heard.at(-1)?.params;
}

describe('subscriptions/listen at a legacy server', () => {
  test('acknowledges first what the server can announce', async () => {
    const stage = new Stage(
      legacy(CAPABILITIES, ({ params }) =>
        params?.['uri'] === 'a:bad' ? { code: -32602, message: 'No' } : {},
      ),
    );
    const client = stage.client();
    const wishes = { toolsListChanged: true, promptsListChanged: true };
    const agreed = await listen(client, 7, { ...wishes, resourceSubscriptions: ['a:b', 'a:bad'] });
    expect(agreed).toEqual({
      notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] },
      _meta: { [SUBSCRIPTION]: 7 },
    });
    stage.server.say({ method: PROMPTS });
    stage.server.say({ method: TOOLS });
    stage.server.say({ method: UPDATED, params: { uri: 'a:c', x: 1.0 } });
    stage.server.say({ method: UPDATED, params: { uri: 'a:b', _meta: { kept: true } } });
    expect(client.messages.slice(1)).toMatchObject([
      { method: TOOLS, params: { _meta: { [SUBSCRIPTION]: 7 } } },
      { method: UPDATED, params: { uri: 'a:b', _meta: { kept: true, [SUBSCRIPTION]: 7 } } },
    ]);
  });

  test('tells each stream of its own, and unsubscribes when the last reader leaves', async () => {
    const stage = new Stage(legacy(CAPABILITIES, () => ({})));
    const [one, two] = [stage.client(), stage.client()];
    await listen(one, 1, { resourceSubscriptions: ['a:b'] });
    await listen(two, 2, { resourceSubscriptions: ['a:b'], toolsListChanged: true });
    expect(stage.server.of('resources/subscribe')).toHaveLength(1);
    stage.server.say({ method: TOOLS });
    expect(one.messages).toHaveLength(1);
    await two.heard(TOOLS);
    one.abandon(1);
    expect(stage.server.of('resources/unsubscribe')).toEqual([]);
    two.abandon(2);
    await until(() => stage.server.of('resources/unsubscribe').length === 1);
    expect(stage.server.of('resources/unsubscribe')[0]?.params).toMatchObject({ uri: 'a:b' });
  });

  test('tells of a part of what is watched', async () => {
    const stage = new Stage(legacy(CAPABILITIES, () => ({})));
    const client = stage.client();
    await listen(client, 1, { resourceSubscriptions: ['file:///a/'] });
    stage.server.say({ method: UPDATED, params: { uri: 'file:///a/b' } });
    expect(await client.heard(UPDATED)).toHaveLength(1);
  });

  test.each<[string, (stage: Stage) => unknown]>([
    ['the server is gone', ({ server }) => server.die()],
    ['the bridge ends', ({ bridge }) => bridge.close()],
    ['the listener closes', ({ bridge }) => bridge.endStreams()],
  ])('ends as one that nothing went wrong with when %s', async (_name, end) => {
    const stage = new Stage(legacy(CAPABILITIES, () => ({})));
    const client = stage.client();
    await listen(client, 1, { toolsListChanged: true });
    await end(stage);
    expect((await client.response(1)).result).toEqual({
      resultType: 'complete',
      _meta: { [SUBSCRIPTION]: 1 },
    });
  });

  test('needs to be told what to listen to', async () => {
    const client = new Stage(legacy({}, () => ({}))).client();
    const { error } = await client.request(1, 'subscriptions/listen');
    expect(error).toMatchObject({ code: -32602 });
  });
});

describe('subscriptions/listen at a modern server', () => {
  const listening = modern(({ id, method, params }, server) => {
    if (method !== 'subscriptions/listen') return { resultType: 'complete' };
    const { notifications } = params ?? {};
    const _meta = { [SUBSCRIPTION]: id };
    server.say({ method: ACKNOWLEDGED, params: { notifications, _meta } });
    server.say({ method: TOOLS, params: { _meta } });
    return undefined;
  });

  test('names the stream by the id of its own request', async () => {
    const stage = new Stage(listening);
    const client = stage.client();
    expect(await listen(client, 71, { toolsListChanged: true })).toEqual({
      notifications: { toolsListChanged: true },
      _meta: { [SUBSCRIPTION]: 71 },
    });
    expect((await client.heard(TOOLS))[0]?.params).toEqual({ _meta: { [SUBSCRIPTION]: 71 } });
    const id = stage.server.of('subscriptions/listen')[0]?.id;
    stage.server.say({ id, result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: id } } });
    expect((await client.response(71)).result?.['_meta']).toMatchObject({ [SUBSCRIPTION]: 71 });
  });

  test('ends when the server tears the stream down', async () => {
    const stage = new Stage(listening);
    const client = stage.client();
    await listen(client, 1, { toolsListChanged: true });
    const requestId = stage.server.of('subscriptions/listen')[0]?.id;
    stage.server.say({ method: 'notifications/cancelled', params: { requestId } });
    expect((await client.response(1)).result).toMatchObject({ resultType: 'complete' });
  });

  test('is cancelled at the server when the client goes away', async () => {
    const stage = new Stage(listening);
    const client = stage.client();
    await listen(client, 1, { toolsListChanged: true });
    client.abandon(1);
    await until(() => stage.server.of('notifications/cancelled').length === 1);
  });
});
