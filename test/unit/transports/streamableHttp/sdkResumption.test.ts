import type { Socket } from 'node:net';
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as Client1123 } from 'sdk-2025-03-26/client/index.js';
import { StreamableHTTPClientTransport as Http1123 } from 'sdk-2025-03-26/client/streamableHttp.js';
import { Agent, buildConnector, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { answer, fail, notify, type RequestFrame } from '../../../../src/protocol/frame.ts';
import { getAt, toRaw } from '../../../../src/protocol/rawJson.ts';
import type { ServerChannel } from '../../../../src/transports/transport.ts';
import { startEndpoint, type Endpoint } from './endpoint.ts';
import { until } from './peers.ts';

const info = { name: 'peer', version: '1' };
const content = [{ type: 'text', text: 'done' }];

/** The connections of every client here; the clients use the `fetch` of Node. */
const sockets = new Set<Socket>();

/** Breaks off every connection, as a network does. */
function cut(): void {
  for (const socket of sockets) socket.resetAndDestroy();
}

beforeEach(() => {
  const before = getGlobalDispatcher();
  const connect = buildConnector({});
  const agent = new Agent({
    connect: (options, done) =>
      connect(options, (...outcome) => {
        const [error, socket] = outcome;
        if (error === null) {
          sockets.add(socket);
          socket.once('close', () => sockets.delete(socket));
        }
        done(...outcome);
      }),
  });
  setGlobalDispatcher(agent);
  onTestFinished(() => {
    setGlobalDispatcher(before);
    return agent.close();
  });
});

type OnProgress = (progress: { progress: number }) => void;

/** A client as far as it matters here. */
interface Peer {
  onerror?: ((error: Error) => void) | undefined;
  call(onprogress: OnProgress): Promise<unknown>;
  ping(): Promise<unknown>;
}

/** An older client, which takes its options as a third argument. */
function peerOf(client: Client): Peer {
  onTestFinished(() => client.close());
  return Object.assign(client, {
    call: (onprogress: OnProgress) => client.callTool({ name: 'x' }, undefined, { onprogress }),
  });
}

const clients = {
  '1.12.3': async (url: string): Promise<Peer> => {
    const client = new Client1123(info);
    await client.connect(new Http1123(new URL(url)) as Parameters<typeof client.connect>[0]);
    return peerOf(client as unknown as Client);
  },
  '1.32.2': async (url: string): Promise<Peer> => {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return peerOf(client);
  },
  '2.4.0': async (url: string): Promise<Peer> => {
    const client = new ClientV2(info, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new HttpV2(new URL(url)));
    onTestFinished(() => client.close());
    const call = (onprogress: OnProgress) => client.callTool({ name: 'x' }, { onprogress });
    return Object.assign(client, { call });
  },
};

interface Call {
  readonly request: RequestFrame;
  readonly channel: ServerChannel;
}

/** An endpoint that leaves the answer to the test. */
async function start(
  options: Parameters<typeof startEndpoint>[1] = {},
): Promise<Endpoint & { readonly calls: Call[] }> {
  const calls: Call[] = [];
  const endpoint = await startEndpoint(
    {
      initialize: (frame, channel) => {
        const version = frame.params && getAt(frame.params, ['protocolVersion']);
        const protocolVersion = JSON.parse(String(version)) as string;
        const capabilities = { tools: {} };
        channel.send(answer(frame, toRaw({ protocolVersion, capabilities, serverInfo: info })));
      },
      'tools/call': (request, channel) => void calls.push({ request, channel }),
    },
    { patienceMs: 5, retryMs: 20, ...options },
  );
  return { ...endpoint, calls };
}

function progress({ request }: Call, n: number) {
  const token = request.params && getAt(request.params, ['_meta', 'progressToken']);
  const params = { progressToken: Number(String(token)), progress: n };
  return notify('notifications/progress', toRaw(params));
}

/** Calls, and resolves once the first progress has arrived. */
async function callOf(client: Peer, { calls }: { readonly calls: Call[] }) {
  const seen: number[] = [];
  const result = client.call(({ progress }) => void seen.push(progress));
  await until(() => calls.length === 1);
  const [call] = calls;
  if (call === undefined) throw new Error('unreachable');
  call.channel.send(progress(call, 1), call.request.id);
  await until(() => seen.length === 1);
  return { call, seen, result };
}

describe.each(['1.12.3', '1.32.2', '2.4.0'] as const)('SDK client %s', (version) => {
  test('gets the answer and each progress once, though its connection broke', async () => {
    const endpoint = await start();
    const client = await clients[version](endpoint.url);
    const { call, seen, result } = await callOf(client, endpoint);
    cut();
    await until(() => sockets.size === 0);
    call.channel.send(progress(call, 2), call.request.id);
    call.channel.send(answer(call.request, toRaw({ content })));
    expect(await result).toMatchObject({ content });
    expect(seen).toEqual([1, 2]);
    expect(endpoint.sessions[0]?.received.filter(isCall)).toHaveLength(1);
    expect(endpoint.sessions[0]?.abandoned).toEqual([]);
  });
});

function isCall(message: unknown): boolean {
  return (message as { method?: string }).method === 'tools/call';
}

describe.each(['1.32.2', '2.4.0'] as const)('SDK client %s', (version) => {
  test('comes back for its answer where its connection is held for so long only', async () => {
    const endpoint = await start({ holdMs: 30 });
    const client = await clients[version](endpoint.url);
    const { call, seen, result } = await callOf(client, endpoint);
    await until(() => sockets.size > 0);
    for (let n = 2; n <= 4; n++) {
      call.channel.send(progress(call, n), call.request.id);
      await until(() => seen.length === n);
    }
    call.channel.send(answer(call.request, toRaw({ content })));
    expect(await result).toMatchObject({ content });
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  test('leaves it at the error that it got on a stream', async () => {
    const endpoint = await start();
    const client = await clients[version](endpoint.url);
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    const { call, result } = await callOf(client, endpoint);
    call.channel.send(fail(call.request, -32603, 'No'));
    await expect(result).rejects.toThrow('No');
    for (let turn = 0; turn < 20; turn++) await client.ping();
    expect(errors).toEqual([]);
  });
});
