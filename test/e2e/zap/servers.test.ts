import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { join } from 'node:path';
import { describe, expect } from 'vitest';

import { PeerServer, type Handler } from '../../fixtures/zapPeer/server.ts';
import { legacyTools, modernTools } from '../../fixtures/zapPeer/tools.ts';
import { until } from '../../support/until.ts';
import { CLI, test as staged, type Setting } from '../modernClients/support.ts';
import type { Stage } from '../reports/support/stage.ts';

/** Servers that speak MCP over ZAP and are made of the reference alone. */
const test = staged.extend<{ zap: (handler: Handler, over?: 'tcp') => Promise<Zap> }>({
  zap: async ({ stage }, use) => {
    const servers: PeerServer[] = [];
    await use(async (handler, over) => {
      const path = join(stage.folder, `peer-${servers.length}`);
      const server = await PeerServer.listen(over === 'tcp' ? 0 : path, handler);
      servers.push(server);
      const url = over === 'tcp' ? `zap+tcp://127.0.0.1:${server.port}` : `zap+unix://${path}`;
      return { server, url, path };
    });
    for (const server of servers) await server.close();
  },
});

interface Zap {
  readonly server: PeerServer;
  readonly url: string;
  readonly path: string;
}

const CAPABILITIES = { sampling: {}, roots: {}, elicitation: {} };

async function legacyClient(
  stage: Stage,
  url: string,
  setup: (client: Client) => void = () => undefined,
): Promise<Client> {
  const client = new Client({ name: 'legacy', version: '1' }, { capabilities: CAPABILITIES });
  setup(client);
  const report = join(stage.folder, 'report.jsonl');
  const args = [CLI, 'stdio', '--report', report, '--url', url];
  const env = Object.fromEntries(
    Object.entries(stage.env).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return client;
}

const said = (text: string): object => ({ content: [{ type: 'text', text }] });

async function modernClient(setting: Setting, url: string): ReturnType<Setting['open']> {
  return setting.open(['--url', url]);
}

describe.concurrent.each([['unix'], ['tcp']] as const)('over %s', (over) => {
  const place = over === 'tcp' ? over : undefined;

  test('a legacy client calls the tools of a legacy server', async ({ stage, zap }) => {
    const { url, server } = await zap(legacyTools(), place);
    const client = await legacyClient(stage, url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'ask']);
    const words = Array.from({ length: 20 }, (_, i) => ({ word: `ä${i}` }));
    const answers = await Promise.all(
      words.map((word) => client.callTool({ name: 'echo', arguments: word })),
    );
    expect(answers).toEqual(words.map((word) => said(JSON.stringify(word))));
    await client.close();
    expect(new Set(server.received.filter(({ id }) => id).map(({ session }) => session)).size).toBe(
      1,
    );
  });

  test('a modern client calls the tools of a modern server', async ({ setting, zap }) => {
    const { url } = await zap(modernTools(), place);
    const { client } = await modernClient(setting, url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'ask']);
    expect(await client.callTool({ name: 'echo', arguments: { word: 'ö' } })).toMatchObject(
      said('{"word":"ö"}'),
    );
  });
});

describe.concurrent('across the eras', () => {
  test('a modern server’s question reaches a legacy client', async ({ stage, zap }) => {
    const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const { url } = await zap(modernTools());
    const client = await legacyClient(stage, url, (own) =>
      own.setRequestHandler(ElicitRequestSchema, () => ({
        action: 'accept',
        content: { word: 'Stein' },
      })),
    );
    expect(await client.callTool({ name: 'ask' })).toMatchObject(said('It is Stein.'));
    await client.close();
  });

  test('a modern client calls the tools of a legacy server', async ({ setting, zap }) => {
    const { url } = await zap(legacyTools());
    const { client } = await modernClient(setting, url);
    expect(await client.callTool({ name: 'echo', arguments: { word: 'x' } })).toMatchObject(
      said('{"word":"x"}'),
    );
  });
});

describe.concurrent('a legacy server, which can ask nothing', () => {
  test('is opened without the capabilities of its client, and says why it fails', async ({
    stage,
    zap,
  }) => {
    const { url } = await zap(legacyTools());
    const client = await legacyClient(stage, url);
    expect(await client.callTool({ name: 'ask' })).toMatchObject({
      ...said('The client cannot be asked; it declares: nothing.'),
      isError: true,
    });
    expect(stage.report.filter(({ kind }) => kind === 'warning')).toMatchObject([
      {
        topic: 'negotiation',
        message:
          "The server can ask nothing over ZAP, so that it is opened without the client's capabilities (sampling, roots, elicitation).",
      },
      {
        topic: 'negotiation',
        message:
          'The server can only answer over ZAP: progress and logs have no way, and of its capabilities these have none (logging, tools.listChanged, resources.subscribe).',
      },
    ]);
    await client.close();
  });

  test('and asks all the same, fails the call at once', async ({ stage, zap }) => {
    const { framed } = await import('../../fixtures/zapPeer/socket.ts');
    const tools = legacyTools();
    const { url } = await zap((frame, socket) => {
      if (frame.method !== 'tools/call') return tools(frame, socket);
      socket.write(framed({ kind: 'request', id: '1', method: 'roots/list' }));
      return undefined;
    });
    const client = await legacyClient(stage, url);
    await expect(client.callTool({ name: 'ask' })).rejects.toThrow(
      'The server asked roots/list, and over ZAP a question has no way to the client.',
    );
    await client.close();
  });
});

describe.concurrent.each([
  ['legacy', legacyTools],
  ['modern', modernTools],
])('of a %s server', (_, tools) => {
  test('a client is promised nothing that cannot reach it', async ({ stage, setting, zap }) => {
    const { url } = await zap(tools());
    const client = await legacyClient(stage, url);
    const promised = client.getServerCapabilities();
    expect(promised?.tools).toEqual({});
    expect(promised?.resources).toEqual({});
    expect(promised?.logging).toBeUndefined();
    await client.close();
    const { client: modern } = await modernClient(setting, url);
    expect(modern.getServerCapabilities()?.tools).toEqual({});
    expect(modern.getServerCapabilities()?.resources).toEqual({});
  });
});

test('a legacy server that was started again is introduced to its client again', async ({
  stage,
  zap,
}) => {
  const { url, path, server } = await zap(legacyTools());
  const client = await legacyClient(stage, url);
  await client.callTool({ name: 'echo' });
  await server.close();
  const next = await PeerServer.listen(path, legacyTools());
  // A call that meets the loss may be lost with it.
  await client.callTool({ name: 'echo' }).catch(() => undefined);
  expect(await client.callTool({ name: 'echo' })).toMatchObject(said('{}'));
  expect(next.received.map(({ method }) => method)).toContain('initialize');
  await client.close();
  await next.close();
});

test('a call that is cancelled lets go of its connection, and the server is told', async ({
  stage,
  zap,
}) => {
  const tools = legacyTools();
  const { url, server } = await zap((frame, socket) =>
    frame.method === 'tools/call' ? undefined : tools(frame, socket),
  );
  const client = await legacyClient(stage, url);
  const giveUp = new AbortController();
  const call = client.callTool({ name: 'echo' }, undefined, { signal: giveUp.signal });
  const asked = await until(() => server.received.find(({ method }) => method === 'tools/call'));
  const busy = server.sockets.size;
  giveUp.abort();
  await expect(call).rejects.toThrow();
  const told = await until(() =>
    server.received.find(({ method }) => method === 'notifications/cancelled'),
  );
  expect(JSON.parse(Buffer.from(told.params ?? []).toString())).toMatchObject({
    requestId: Number(asked.id),
  });
  await until(() => server.sockets.size <= busy);
  expect((await client.listTools()).tools).toHaveLength(2);
  await client.close();
});

test('where nobody is, the client is told what to do', async ({ stage }) => {
  const url = `zap+unix://${join(stage.folder, 'nobody')}`;
  await expect(legacyClient(stage, url)).rejects.toThrow(
    `There is no socket at ${url}. Start the server, or correct the path.`,
  );
});
