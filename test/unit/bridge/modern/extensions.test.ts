import { describe, expect, test } from 'vitest';
import type { Members, Message } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import type { ServerChannelListener } from '../../../../src/transports/transport.ts';
import {
  CAPABILITIES,
  frameOf,
  legacy,
  messageOf,
  meta,
  modern,
  Stage,
  type Script,
} from './stage.ts';

const UI = 'io.modelcontextprotocol/ui';

/** What a client and a server say of themselves beyond what any revision knows. */
const ofClient = {
  extensions: { [UI]: { mimeTypes: ['text/html;profile=mcp-app'] }, 'com.example/x': { a: [1] } },
  experimental: { odd: { deep: { er: null } } },
  'x-new': { y: 1 },
};
const ofServer = {
  tools: {},
  extensions: { [UI]: {}, 'com.example/y': { b: { c: 2 } } },
  experimental: { even: {} },
  'x-later': { z: [true] },
};

/** Extension methods: a request is answered with what it asked, and a tool call tells and asks on the way. */
const answers: Script = ({ method, params }) =>
  method === 'com.example/ask' ? { asked: params?.['what'], resultType: 'complete' } : undefined;

const servers: Readonly<Record<'legacy' | 'modern', () => Script>> = {
  legacy: () => legacy({ ...ofServer }, answers),
  modern: () => (message, server) => {
    const result = modern(answers)(message, server);
    return message.method === 'server/discover'
      ? { ...result, capabilities: ofServer, 'x-more': 1, _meta: { 'com.example/k': 'v' } }
      : result;
  },
};

/** What any client can do in these tests. */
interface Client {
  /** The answer in which the server introduces itself. */
  readonly introduction: Members;
  /** What each of its requests says besides. */
  readonly own: Members;
  readonly send: (message: Members) => void;
  readonly messages: readonly Message[];
  readonly request: (id: number, method: string, params: Members) => Promise<Message>;
}

async function legacyClient(stage: Stage): Promise<Client> {
  const messages: Message[] = [];
  const first = {
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: ofClient,
      clientInfo: { name: 'ed', version: '1' },
    },
  };
  const frame = frameOf(first);
  if (frame.kind !== 'request') throw new Error('That is no request.');
  const listener: ServerChannelListener = stage.bridge.accept(
    {
      send: (sent) => messages.push(messageOf(sent)),
      drop: () => undefined,
      close: () => undefined,
    },
    frame,
  );
  const send = (message: Members): void => listener.onFrame(frameOf(message));
  const response = (id: number): Promise<Message> =>
    until(() => messages.find((each) => each.method === undefined && each.id === id));
  send(first);
  const { result = {} } = await response(0);
  send({ method: 'notifications/initialized' });
  const request = (id: number, method: string, params: Members): Promise<Message> => {
    send({ id, method, params });
    return response(id);
  };
  return { introduction: result, own: {}, send, messages, request };
}

async function modernClient(stage: Stage): Promise<Client> {
  const caller = stage.client();
  const own = { _meta: meta(ofClient) };
  const { result = {} } = await caller.request(0, 'server/discover', own);
  return {
    introduction: result,
    own,
    send: (message) => caller.send(message),
    messages: caller.messages,
    request: (id, method, params) => caller.request(id, method, { ...own, ...params }),
  };
}

const clients = { legacy: legacyClient, modern: modernClient };
const pairs = (['legacy', 'modern'] as const).flatMap((client) =>
  (['legacy', 'modern'] as const).map((server) => ({ client, server })),
);

describe.each(pairs)('between a $client client and a $server server', ({ client, server }) => {
  test('what both can do beyond the protocol is known to the other', async () => {
    const stage = new Stage(servers[server]());
    const { introduction, request } = await clients[client](stage);
    expect(introduction).toMatchObject({ capabilities: ofServer });
    await request(1, 'com.example/ask', { what: 'that' });
    const told =
      server === 'legacy'
        ? stage.server.of('initialize')[0]?.params?.['capabilities']
        : (stage.server.of('com.example/ask')[0]?.params?.['_meta'] as Members)[CAPABILITIES];
    expect(told).toEqual(ofClient);
  });

  test('a request that no revision knows is asked and answered as it is', async () => {
    const stage = new Stage(servers[server]());
    const { request } = await clients[client](stage);
    const { result } = await request(1, 'com.example/ask', { what: { is: ['that'] } });
    expect(result).toMatchObject({ asked: { is: ['that'] } });
    expect(stage.server.of('com.example/ask')[0]?.params).toMatchObject({ what: { is: ['that'] } });
  });

  test('notifications that no revision knows pass both ways', async () => {
    const stage = new Stage(servers[server]());
    const { own, send, messages } = await clients[client](stage);
    send({ id: 1, method: 'tools/call', params: { ...own, name: 'a' } });
    await until(() => stage.server.of('tools/call').length > 0);
    send({ method: 'com.example/told', params: { news: [1] } });
    await until(() => stage.server.of('com.example/told').length > 0);
    expect(stage.server.of('com.example/told')[0]?.params).toEqual({ news: [1] });
    stage.server.say({ method: 'com.example/tell', params: { old: true } });
    const heard = await until(() => messages.find(({ method }) => method === 'com.example/tell'));
    expect(heard.params).toEqual({ old: true });
  });
});

test('a modern server’s introduction keeps what the older one has no words for', async () => {
  const stage = new Stage(servers.modern());
  const { introduction } = await legacyClient(stage);
  expect(introduction).toEqual({
    protocolVersion: '2025-11-25',
    capabilities: ofServer,
    serverInfo: { name: 'fake', version: 'unknown' },
    'x-more': 1,
    _meta: { 'com.example/k': 'v' },
  });
});

describe('a request of a legacy server that no revision knows', () => {
  const ask = { id: 'q', method: 'com.example/ask', params: { you: 1 } };
  const answerOf = (stage: Stage): Promise<Message> =>
    until(() => stage.server.received.find(({ id, method }) => id === 'q' && method === undefined));

  test('reaches a client of its era, and the answer the server', async () => {
    const stage = new Stage(servers.legacy());
    const { messages, send } = await legacyClient(stage);
    stage.server.say(ask);
    const asked = await until(() => messages.find(({ method }) => method === 'com.example/ask'));
    expect(asked.params).toEqual({ you: 1 });
    send({ id: asked.id, result: { me: 2 } });
    expect((await answerOf(stage)).result).toEqual({ me: 2 });
  });

  test('is refused for a modern client, who is asked by results alone; both sides are told', async () => {
    const stage = new Stage(servers.legacy());
    const { messages } = await modernClient(stage);
    stage.server.say(ask);
    expect((await answerOf(stage)).error).toMatchObject({ code: -32601 });
    expect(messages.filter(({ method }) => method !== undefined)).toEqual([]);
    expect(stage.events).toContainEqual(
      expect.objectContaining({
        kind: 'warning',
        topic: 'undeliverable',
        message: expect.stringContaining('com.example/ask') as string,
      }),
    );
  });
});

test('what belongs to no request cannot be told to a modern client, and is not lost in silence', async () => {
  const stage = new Stage(servers.legacy());
  const { messages } = await modernClient(stage);
  stage.server.say({ method: 'com.example/tell' });
  const warning = await until(() =>
    stage.events.find((event) => event.kind === 'warning' && event.topic === 'undeliverable'),
  );
  expect(warning).toMatchObject({ message: expect.stringContaining('com.example/tell') as string });
  expect(messages.filter(({ method }) => method !== undefined)).toEqual([]);
});

describe('a notification of a modern client on a channel of its own, as over HTTP,', () => {
  const told = { method: 'com.example/told', params: { a: 1 } };
  const isLost = (stage: Stage): boolean =>
    stage.events.some((event) => event.kind === 'warning' && event.topic === 'undeliverable');

  test.each(['legacy', 'modern'] as const)(
    'reaches the %s server of the only client',
    async (era) => {
      const stage = new Stage(servers[era]());
      await modernClient(stage);
      stage.client().send(told);
      await until(() => stage.server.of(told.method).length > 0);
    },
  );

  test('reaches the server of the client that it names', async () => {
    const stage = new Stage(servers.legacy());
    await modernClient(stage);
    await stage.client().request(0, 'server/discover', { _meta: meta({ roots: {} }) });
    expect(stage.servers).toHaveLength(2);
    stage.client().send({ ...told, params: { a: 1, _meta: meta(ofClient) } });
    await until(() => (stage.servers[0]?.of(told.method).length ?? 0) > 0);
    expect(stage.server.of(told.method)).toEqual([]);
    stage.client().send(told);
    expect(isLost(stage)).toBe(true);
  });

  test('is not lost in silence where no server is open', () => {
    const stage = new Stage(servers.modern());
    stage.client().send(told);
    expect(isLost(stage)).toBe(true);
  });
});
