import { existsSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { Client as ModernClient } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, onTestFinished } from 'vitest';

import { serverTarget } from '../../support/everything.ts';
import { RawClient } from '../../support/rawClient.ts';
import { SocketClientTransport } from '../../support/socketClientTransport.ts';
import { until } from '../../support/until.ts';
import type { Cli } from '../reports/support/cli.ts';
import { legacy } from '../reports/support/rules.ts';
import { initializeLine, test, type Stage } from '../reports/support/stage.ts';
import type { Revision } from '../../../src/protocol/revision.ts';
import { progressOf, OLD_REVISIONS, oldSdk } from './clients.ts';
import { listen } from './listen.ts';

/** `mcp-rosetta serve --socket` in front of a server. */
async function serve(
  stage: Stage,
  ...target: readonly string[]
): Promise<{ path: string; cli: Cli }> {
  const path = join(stage.folder, 'served.sock');
  const cli = stage.cli('serve', '--socket', path, ...target);
  expect(await cli.log('listening on ')).toBe(`listening on ${path}`);
  return { path, cli };
}

/** The flags that name a server on the SDK of a revision behind a socket; it ends with the test. */
async function socketServer(revision: Revision): Promise<readonly string[]> {
  const { target, stop } = await serverTarget(revision, 'socket');
  onTestFinished(stop);
  if (!('url' in target)) throw new Error('It has no address.');
  return ['--url', target.url];
}

async function connectOld(revision: Revision, path: string): Promise<Client> {
  const sdk = oldSdk(revision);
  const capabilities = { sampling: {}, roots: {} };
  const client = new sdk.Client({ name: 'old', version: '1.0.0' }, { capabilities });
  client.setRequestHandler(sdk.types.ListRootsRequestSchema, () => ({
    roots: [{ uri: 'file:///work' }],
  }));
  await client.connect(new SocketClientTransport(path));
  onTestFinished(() => client.close());
  return client;
}

async function connectModern(path: string): Promise<ModernClient> {
  const client = new ModernClient(
    { name: 'modern', version: '1.0.0' },
    {
      capabilities: { roots: {} },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work' }] }));
  const transport = new SocketClientTransport(path);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

const textOf = ({ content }: object & { content?: unknown }): string =>
  (content as { text: string }[])[0]?.text ?? '';

describe.each(OLD_REVISIONS)('an SDK of %s on both sockets', (revision) => {
  test('calls, is asked and told, beside a client of the modern era', async ({ stage }) => {
    const { path } = await serve(stage, ...(await socketServer(revision)));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const old = await connectOld(revision, path);
    const modern = await connectModern(path);
    const echo = { name: 'json_schema_2020_12_tool', arguments: { name: 'Ada' } };
    expect(textOf(await old.callTool(echo))).toContain('Ada');
    expect(textOf(await modern.callTool(echo))).toContain('Ada');
    const roots = { name: 'test_input_required_result_list_roots' };
    expect(textOf(await old.callTool(roots))).toContain('file:///work');
    expect(textOf(await modern.callTool(roots))).toContain('file:///work');
    expect(await progressOf(old)).toEqual([0, 50, 100]);
  });
});

test('a modern server on a socket serves clients of both eras', async ({ stage }) => {
  const { path, cli } = await serve(stage, ...(await socketServer('2026-07-28')));
  const old = await connectOld('2024-11-05', path);
  const modern = await connectModern(path);
  const names = async (client: Pick<Client, 'listTools'>): Promise<number> =>
    (await client.listTools()).tools.length;
  expect(await names(old)).toBeGreaterThan(5);
  expect((await modern.listTools()).tools.length).toBeGreaterThan(5);
  expect(cli.logged('legacy era')).toEqual([]);
});

test('a server that hangs up on the probe is connected to again', async ({ stage }) => {
  const upstream = join(stage.folder, 'server.sock');
  let connections = 0;
  const initialized = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    serverInfo: { name: 'shy', version: '1' },
  };
  await listen(upstream, (socket: Socket) => {
    connections++;
    const client = new RawClient(socket, socket);
    const answer = (): void => {
      const [first] = client.messages;
      if (first === undefined) return;
      if (first.method !== 'initialize') socket.end();
      else client.send({ id: first.id, result: initialized });
    };
    socket.once('data', answer);
  });
  const cli = stage.unopened(`unix://${upstream}`);
  cli.client.write(initializeLine({}));
  const opened = await cli.client.response('open');
  expect(opened.result).toMatchObject({ serverInfo: { name: 'shy' } });
  expect(connections).toBe(2);
});

describe('the socket of the program', () => {
  const silent = legacy('2025-06-18', { on: 'tools/call', steps: [] });

  const open = (path: string): { client: RawClient; socket: Socket } => {
    const socket = connect(path);
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return { client: new RawClient(socket, socket), socket };
  };

  test('is gone with it, and its client that goes in the middle of a call takes its server along', async ({
    stage,
  }) => {
    const { path, cli } = await serve(stage, '--', ...stage.command(silent));
    const { client, socket } = open(path);
    client.write(initializeLine({}));
    await client.response('open');
    client.send({ id: 2, method: 'tools/call', params: { name: 'echo', arguments: {} } });
    await until(() => stage.run.methods.includes('tools/call'));
    socket.destroy();
    await until(() => stage.run.saw('eof'));
    await cli.end();
    expect(existsSync(path)).toBe(false);
  });

  test('is not taken from a program that has it', async ({ stage }) => {
    const { path } = await serve(stage, '--', ...stage.command(legacy('2025-06-18')));
    const other = stage.cli('serve', '--socket', path, '--', ...stage.command(silent, 'other'));
    expect(await other.log(`Something listens at ${path} already.`)).not.toBe('');
    expect(await other.exit()).toBe(1);
    const { client } = open(path);
    client.write(initializeLine({}));
    expect((await client.response('open')).error).toBeUndefined();
  });
});
