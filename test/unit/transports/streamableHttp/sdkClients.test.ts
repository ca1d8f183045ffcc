import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Client as Client1123 } from 'sdk-2025-03-26/client/index.js';
import { StreamableHTTPClientTransport as Http1123 } from 'sdk-2025-03-26/client/streamableHttp.js';
import { Client as Client1202 } from 'sdk-2025-06-18/client/index.js';
import { StreamableHTTPClientTransport as Http1202 } from 'sdk-2025-06-18/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answer, notify, request } from '../../../../src/protocol/frame.ts';
import { getAt, toRaw } from '../../../../src/protocol/rawJson.ts';
import { startEndpoint, type Endpoint, type Handler } from './endpoint.ts';
import { until } from './peers.ts';

const info = { name: 'peer', version: '1' };

/** The clients of three revisions behind one face. */
const clients = {
  '1.12.3': async (url: string) => {
    const client = new Client1123(info);
    await client.connect(new Http1123(new URL(url)) as Parameters<typeof client.connect>[0]);
    return client;
  },
  '1.20.2': async (url: string) => {
    const client = new Client1202(info);
    await client.connect(new Http1202(new URL(url)) as Parameters<typeof client.connect>[0]);
    return client;
  },
  '1.32.2': async (url: string) => {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return client;
  },
};

const versions = Object.keys(clients) as (keyof typeof clients)[];
const content = [{ type: 'text', text: 'done' }];

/** One of them, connected; the old ones are used only as far as the newest has the same. */
async function connect(version: keyof typeof clients, url: string): Promise<Client> {
  const client = (await clients[version](url)) as unknown as Client;
  onTestFinished(() => client.close());
  return client;
}

async function start(handlers: Readonly<Record<string, Handler>>): Promise<Endpoint> {
  return startEndpoint({
    initialize: (frame, channel) => {
      const version = frame.params && getAt(frame.params, ['protocolVersion']);
      const result = { protocolVersion: JSON.parse(String(version)) as string };
      channel.send(
        answer(
          frame,
          toRaw({ ...result, capabilities: { tools: {}, logging: {} }, serverInfo: info }),
        ),
      );
    },
    ...handlers,
  });
}

const progressing: Handler = (frame, channel) => {
  const token = frame.params && getAt(frame.params, ['_meta', 'progressToken']);
  for (const progress of [1, 2]) {
    const params = { progressToken: Number(String(token)), progress, total: 2 };
    channel.send(notify('notifications/progress', toRaw(params)), frame.id);
  }
  channel.send(answer(frame, toRaw({ content })));
};

describe.each(versions)('SDK client %s', (version) => {
  test('opens a session, calls and leaves', async () => {
    const endpoint = await start({
      'tools/call': (frame, channel) => channel.send(answer(frame, toRaw({ content }))),
    });
    const client = await connect(version, endpoint.url);
    await client.ping();
    expect(await client.callTool({ name: 'x' })).toMatchObject({ content });
    const methods = endpoint.sessions[0]?.received.map((one) => (one as { method: string }).method);
    expect(methods).toEqual(['initialize', 'notifications/initialized', 'ping', 'tools/call']);
  });

  test.each([
    ['that nothing was sent for', false],
    ['whose stream is open', true],
  ])('cancels a call %s, and knows of no error', async (_what, streams) => {
    let id: string | undefined;
    const endpoint = await start({
      'tools/call': (frame, channel) => {
        id = frame.id;
        const params = { level: 'info', data: 'hello' };
        if (streams) channel.send(notify('notifications/message', toRaw(params)), id);
      },
    });
    const client = await connect(version, endpoint.url);
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    const abort = new AbortController();
    const call = client.callTool({ name: 'x' }, undefined, { signal: abort.signal });
    await until(() => id !== undefined);
    abort.abort('enough');
    await expect(call).rejects.toThrow('enough');
    const session = endpoint.sessions[0];
    await until(() => session?.received.length === 4);
    session?.channel.drop(id ?? '');
    for (let turn = 0; turn < 5; turn++) await client.ping();
    expect(errors).toEqual([]);
  });

  test('gets every progress before its answer, in 200 calls out of 200', async () => {
    const endpoint = await start({ 'tools/call': progressing });
    const client = await connect(version, endpoint.url);
    let whole = 0;
    for (let run = 0; run < 200; run++) {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      await client.callTool({ name: 'x' }, undefined, { onprogress });
      if (seen.join() === '1,2') whole++;
    }
    expect(whole).toBe(200);
  });
});

describe('the newest legacy client', () => {
  test('answers a question on the stream of the call that raised it', async () => {
    let question: string | undefined;
    const endpoint = await start({
      'tools/call': (frame, channel) => {
        question = frame.id;
        const params = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
        channel.send(request('"q1"', 'elicitation/create', toRaw(params)), frame.id);
      },
    });
    const client = new Client(info, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
    onTestFinished(() => client.close());
    const call = client.callTool({ name: 'x' });
    const session = endpoint.sessions[0];
    await until(() => session?.received.length === 4);
    expect(session?.received[3]).toMatchObject({ id: 'q1', result: { action: 'accept' } });
    session?.channel.send(answer(request(question ?? '', ''), toRaw({ content })));
    expect(await call).toMatchObject({ content });
  });

  test('gets what belongs to no call on its standing stream', async () => {
    const endpoint = await start({});
    const client = new Client(info);
    const logs: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      logs.push(params.data);
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
    onTestFinished(() => client.close());
    const log = { level: 'info', data: 'hello' };
    endpoint.sessions[0]?.channel.send(notify('notifications/message', toRaw(log)));
    await until(() => logs.length === 1);
    expect(logs).toEqual(['hello']);
  });

  test('ends its session with DELETE', async () => {
    const endpoint = await start({});
    const client = new Client(info);
    const transport = new StreamableHTTPClientTransport(new URL(endpoint.url));
    await client.connect(transport);
    await transport.terminateSession();
    await client.close();
    expect(endpoint.sessions[0]?.closes).toBe(1);
  });

  test('two of them are served side by side, and one that leaves is not missed', async () => {
    const endpoint = await start({ 'tools/call': progressing });
    const one = await connect('1.32.2', endpoint.url);
    const two = await connect('1.20.2', endpoint.url);
    const calls = [one.callTool({ name: 'x' }), two.callTool({ name: 'x' })];
    expect(await Promise.all(calls)).toMatchObject([{ content }, { content }]);
    await one.close();
    expect(await two.callTool({ name: 'x' })).toMatchObject({ content });
  });
});

describe('a client of both eras', () => {
  test('takes the refusal of its probe for what it is and opens a legacy session', async () => {
    const endpoint = await start({
      'tools/call': (frame, channel) => channel.send(answer(frame, toRaw({ content }))),
    });
    const client = new ClientV2(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new HttpV2(new URL(endpoint.url)));
    onTestFinished(() => client.close());
    expect(await client.callTool({ name: 'x' })).toMatchObject({ content });
    expect(endpoint.sessions[0]?.received[0]).toMatchObject({
      method: 'initialize',
      params: { protocolVersion: '2025-11-25' },
    });
  });
});
