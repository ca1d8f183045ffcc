import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';

import { PeerClient } from '../../fixtures/zapPeer/client.ts';
import { PeerServer } from '../../fixtures/zapPeer/server.ts';
import { textOf } from '../../fixtures/zapPeer/socket.ts';
import { legacyTools, modernTools } from '../../fixtures/zapPeer/tools.ts';
import { until } from '../../support/until.ts';
import type { Cli } from '../reports/support/cli.ts';
import { test as staged, type Stage } from '../reports/support/stage.ts';

type Target = readonly string[];

/** What is served over ZAP, and connections to it that are made of the reference alone. */
interface Served {
  readonly cli: Cli;
  readonly path: string;
  readonly open: (session?: string) => Promise<PeerClient>;
}

const test = staged.extend<{ served: (target: Target) => Promise<Served> }>({
  served: async ({ stage }, use) => {
    const clients: PeerClient[] = [];
    await use(async (target) => {
      const { cli, path } = await serve(stage, target);
      const open = async (session = ''): Promise<PeerClient> => {
        const client = await PeerClient.open({ path }, session);
        clients.push(client);
        return client;
      };
      return { cli, path, open };
    });
    for (const client of clients) await client.close();
  },
});

async function serve(stage: Stage, target: Target): Promise<{ cli: Cli; path: string }> {
  const path = join(stage.folder, 'bridge');
  const cli = stage.cli('serve', '--zap', `zap+unix://${path}`, ...target);
  expect(await cli.log('listening on ')).toBe(`listening on zap+unix://${path}`);
  return { cli, path };
}

function everything(era: 'Legacy' | 'Modern'): Target {
  const file = fileURLToPath(new URL(`../../fixtures/everything${era}/stdio.ts`, import.meta.url));
  return ['--', process.execPath, file];
}

const LEGACY = {
  protocolVersion: '2025-11-25',
  capabilities: { sampling: {}, elicitation: {}, roots: {} },
  clientInfo: { name: 'zap peer', version: '1' },
};

function meta(capabilities: object = {}): object {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'zap peer', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

describe.concurrent.each(['Legacy', 'Modern'] as const)('in front of a server: %s', (era) => {
  test('a legacy client is served, on as many connections as it likes', async ({ served }) => {
    const { open, path } = await served(everything(era));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const client = await open('s');
    const opened = await client.call('initialize', LEGACY);
    expect(opened).toMatchObject({ protocolVersion: '2025-11-25', capabilities: { tools: {} } });
    expect(JSON.stringify(opened['capabilities'])).not.toMatch(/listChanged|subscribe|logging/);
    client.notify('notifications/initialized');
    expect(await client.call('tools/call', { name: 'test_simple_text' })).toMatchObject({
      content: [{ type: 'text' }],
    });
    const others = await Promise.all(Array.from({ length: 5 }, () => open('s')));
    const answers = await Promise.all(
      others.map((other, i) => other.ask('tools/list', {}, { id: `"p${i}"`, seq: BigInt(90 + i) })),
    );
    expect(answers.map((frame) => [frame?.id, frame?.seq, frame?.session])).toEqual(
      others.map((_, i) => [`"p${i}"`, BigInt(90 + i), 's']),
    );
  });

  test('a modern client is served', async ({ served }) => {
    const { open } = await served(everything(era));
    const client = await open();
    const opened = await client.call('server/discover', { _meta: meta() });
    expect(JSON.stringify(opened['capabilities'])).not.toMatch(/listChanged|subscribe|logging/);
    const params = { _meta: meta(), name: 'test_simple_text' };
    expect(await client.call('tools/call', params)).toMatchObject({ resultType: 'complete' });
  });

  test('a modern client is asked by the result of its request', async ({ served }) => {
    const { open } = await served(everything(era));
    const client = await open();
    const _meta = meta({ elicitation: { form: {} }, sampling: {} });
    const [name, args] =
      era === 'Legacy'
        ? ['test_sampling', { prompt: 'hi' }]
        : ['test_input_required_result_sampling', {}];
    const asked = await client.call('tools/call', { _meta, name, arguments: args });
    expect(asked).toMatchObject({ resultType: 'input_required' });
    const [key] = Object.keys(asked['inputRequests'] as object);
    const words = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Paris' } };
    const answered = await client.call('tools/call', {
      _meta,
      name,
      arguments: args,
      inputResponses: { [key ?? '']: words },
      requestState: asked['requestState'],
    });
    expect(JSON.stringify(answered)).toContain('Paris');
  });

  test('a legacy client’s question is refused with words, and the call ends', async ({
    served,
  }) => {
    const { open } = await served(everything(era));
    const client = await open('s');
    await client.call('initialize', LEGACY);
    client.notify('notifications/initialized');
    const name = era === 'Legacy' ? 'test_sampling' : 'test_input_required_result_sampling';
    const answer = await client.ask('tools/call', { name, arguments: { prompt: 'hi' } });
    expect(answer?.error?.message ?? textOf(answer?.result)).toMatch(/sampling/i);
    expect(client.received).toEqual([]);
  });

  test('a call that tells its progress has its answer alone, which is said once', async ({
    served,
  }) => {
    const { open, cli } = await served(everything(era));
    const client = await open('s');
    await client.call('initialize', LEGACY);
    client.notify('notifications/initialized');
    const params = { name: 'test_tool_with_progress', _meta: { progressToken: 1 } };
    for (let i = 0; i < 2; i++) {
      expect(await client.call('tools/call', params)).toMatchObject({ content: [{}] });
    }
    expect(client.received).toEqual([]);
    expect(cli.logged('Over ZAP a client is told nothing but answers')).toHaveLength(1);
  });

  test('a client that wants to listen is refused', async ({ served }) => {
    const { open } = await served(everything(era));
    const client = await open();
    const params = { _meta: meta(), notifications: { toolsListChanged: true } };
    expect((await client.ask('subscriptions/listen', params))?.error).toMatchObject({
      code: -32601,
      message: 'Over ZAP a client is told nothing but answers, so that it cannot listen.',
    });
  });
});

describe.concurrent.each([
  ['legacy', legacyTools],
  ['modern', modernTools],
])('from ZAP to ZAP, with a %s server', (era, tools) => {
  test('session, number and signature are carried, and recorded', async ({ stage, served }) => {
    const there = join(stage.folder, 'there');
    const handler = tools();
    const theirs = { subject: 'did:server', sig: new Uint8Array([9]) };
    const server = await PeerServer.listen(there, async (frame, socket) => {
      const answer = await handler(frame, socket);
      return answer && { ...answer, ...theirs };
    });
    const recording = join(stage.folder, 'recording.jsonl');
    const { open } = await served(['--record', recording, '--url', `zap+unix://${there}`]);
    const client = await open('talk');
    const mine = { subject: 'did:me', sig: new Uint8Array([1, 2, 3]) };
    const common = era === 'modern' ? { _meta: meta() } : {};
    if (era === 'legacy') {
      await client.ask('initialize', LEGACY, { ...mine, seq: 70n });
      client.notify('notifications/initialized');
    }
    const params = { ...common, name: 'echo', arguments: { word: 'x' } };
    const answer = await client.ask('tools/call', params, { ...mine, id: '"call"', seq: 77n });
    expect(answer).toMatchObject({ session: 'talk', seq: 77n, id: '"call"', ...theirs });
    expect(textOf(answer?.result)).toContain('{\\"word\\":\\"x\\"}');
    const call = await until(() => server.received.find(({ method }) => method === 'tools/call'));
    expect(call).toMatchObject({ session: 'talk', seq: 77n, subject: 'did:me', sig: mine.sig });
    if (era === 'legacy') {
      const opening = server.received.filter(({ session }) => session === 'talk');
      expect(opening[0]).toMatchObject({ method: 'initialize', seq: 70n });
    }
    const recorded = readFileSync(recording, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"tools/call"'));
    const provenance = { session: 'talk', seq: '77', subject: 'did:me', sig: '010203' };
    expect(recorded.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { leg: 'downstream', from: 'client', provenance },
      { leg: 'upstream', from: 'bridge', provenance },
    ]);
    await server.close();
  });
});

test('a port on the loopback is served, with a word on who can reach it', async ({ stage }) => {
  const cli = stage.cli('serve', '--zap', 'zap+tcp://127.0.0.1:0', ...everything('Modern'));
  const line = await cli.log('listening on ');
  const port = Number(/^listening on zap\+tcp:\/\/127\.0\.0\.1:(\d+)$/.exec(line)?.[1]);
  expect(cli.logged('Every user of this machine can reach the server')).toHaveLength(1);
  const client = await PeerClient.open({ host: '127.0.0.1', port });
  expect(await client.call('tools/list', { _meta: meta() })).toHaveProperty('tools');
  await client.close();
});

test('a socket that is served already is left alone', async ({ stage, served }) => {
  const { path, open } = await served(everything('Modern'));
  const second = stage.cli('serve', '--zap', `zap+unix://${path}`, ...everything('Modern'));
  await until(() => second.hasExited);
  expect(second.stderr).toContain(`Something listens at ${path} already.`);
  expect(await (await open()).call('tools/list', { _meta: meta() })).toHaveProperty('tools');
});
