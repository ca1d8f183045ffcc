import { describe, expect, test } from 'vitest';
import type { ServerChannelListener } from '../../../../src/transports/transport.ts';
import type { Members, Message } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import { frameOf, legacy, messageOf, meta, modern, Stage, SUBSCRIPTION } from './stage.ts';

const CAPABILITIES = { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} };
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** A client of the legacy era, which is told whatever a transport other than ZAP could carry. */
class LegacyCaller {
  readonly messages: Message[] = [];
  readonly #listener: ServerChannelListener;

  constructor(stage: Stage) {
    const send = (frame: Parameters<typeof messageOf>[0]): void => {
      this.messages.push(messageOf(frame));
    };
    const channel = { send, drop: () => undefined, close: () => undefined };
    const first = frameOf({ id: 0, method: 'ping' });
    if (first.kind !== 'request') throw new Error('That is a request.');
    this.#listener = stage.bridge.accept(channel, first);
  }

  async request(id: number, method: string, params: Members): Promise<Message> {
    this.#listener.onFrame(frameOf({ id, method, params }));
    return until(() => this.messages.find((message) => message.id === id));
  }

  notify(method: string): void {
    this.#listener.onFrame(frameOf({ method }));
  }
}

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: { sampling: {} },
  clientInfo: { name: 'old', version: '1' },
};

const discovered = {
  supportedVersions: ['2026-07-28'],
  capabilities: CAPABILITIES,
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
};

describe('a server that can only answer', () => {
  test('of the modern era is never listened to', async () => {
    const stage = new Stage((message) => (message.method === 'server/discover' ? discovered : {}), {
      kind: 'zap',
    });
    const client = new LegacyCaller(stage);
    const opened = await client.request(1, 'initialize', INITIALIZE);
    expect(opened.result?.['capabilities']).toEqual({ tools: {}, resources: {} });
    client.notify('notifications/initialized');
    const refused = await client.request(2, 'resources/subscribe', { uri: 'a:b' });
    expect(refused.error?.message).toBe('The server does not offer to watch the resource a:b.');
    expect(stage.server.of('subscriptions/listen')).toEqual([]);
  });

  test('of the modern era gives a modern client a stream on which nothing will come', async () => {
    const stage = new Stage(
      modern(() => ({})),
      { kind: 'zap' },
    );
    const client = stage.client();
    const notifications = { toolsListChanged: true };
    client.send({
      id: 7,
      method: 'subscriptions/listen',
      params: { notifications, _meta: meta() },
    });
    const [acknowledged] = await client.heard(ACKNOWLEDGED);
    expect(acknowledged?.params).toEqual({ notifications: {}, _meta: { [SUBSCRIPTION]: 7 } });
    expect(stage.server.of('subscriptions/listen')).toEqual([]);
    await stage.bridge.close();
    expect(client.messages.at(-1)).toMatchObject({ id: 7, result: { resultType: 'complete' } });
  });

  test('of the legacy era is told of no capability of its client', async () => {
    const stage = new Stage(
      legacy(CAPABILITIES, () => ({})),
      { kind: 'zap' },
    );
    const client = new LegacyCaller(stage);
    const opened = await client.request(1, 'initialize', INITIALIZE);
    expect(opened.result?.['capabilities']).toEqual({ tools: {}, resources: {} });
    expect(stage.server.of('initialize')[0]?.params?.['capabilities']).toEqual({});
    expect(stage.events.filter(({ kind }) => kind === 'warning')).toHaveLength(2);
  });
});

test('a server that can do more keeps all it promises', async () => {
  const stage = new Stage(legacy(CAPABILITIES, () => ({})));
  const client = new LegacyCaller(stage);
  const opened = await client.request(1, 'initialize', INITIALIZE);
  expect(opened.result?.['capabilities']).toEqual(CAPABILITIES);
  expect(stage.server.of('initialize')[0]?.params?.['capabilities']).toEqual({ sampling: {} });
  expect(stage.events.filter(({ kind }) => kind === 'warning')).toEqual([]);
});
