import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConfiguredEntry } from '../../../../src/extension/config/configuredServers.ts';
import { Listener, type Address } from '../../../../src/extension/provider/listener.ts';
import { endpointPath, ServerRegistry } from '../../../../src/extension/servers/serverRegistry.ts';
import type { Surroundings } from '../../../../src/extension/servers/surroundings.ts';
import { scriptedCommand } from '../../../fixtures/raw/command.ts';
import { modernServer } from '../../../fixtures/raw/scripts.ts';
import { configuredEntry, SURROUNDINGS } from '../surroundings.ts';

const info = { name: 'client', version: '1' };
const { command, args } = scriptedCommand(modernServer());

/** An editor whose answers a test sets, and which counts what was begun for a server. */
const editor = { isTrusted: true, hasConsent: true, resolved: 0 };
const surroundings: Surroundings = {
  ...SURROUNDINGS,
  isTrusted: () => editor.isTrusted,
  hasConsent: () => editor.hasConsent,
  askConsent: async () => false,
  resolve: async ({ name }) => {
    editor.resolved++;
    return {
      kind: 'resolved',
      server: { kind: 'stdio', name, command, args, env: {}, cwd: process.cwd(), timeouts: {} },
      warnings: [],
    };
  },
};

let registry: ServerRegistry;
let listener: Listener;
let address: Address;

beforeEach(async () => {
  Object.assign(editor, { isTrusted: true, hasConsent: true, resolved: 0 });
  registry = new ServerRegistry(surroundings);
  registry.configure({ entries: [entry('one')], faulty: [], shadowed: [] });
  listener = new Listener(registry, ignore);
  address = await listener.address();
});

afterEach(async () => {
  await Promise.all([registry.close(), listener.close()]);
});

const eras = {
  legacy: async (url: URL, headers: Record<string, string>) => {
    const client = new LegacyClient(info);
    await client.connect(new LegacyTransport(url, { requestInit: { headers } }));
    return client;
  },
  modern: async (url: URL, headers: Record<string, string>) => {
    // It tries both eras, as an editor does that knows them.
    const client = new ModernClient(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client;
  },
};

function connect(era: keyof typeof eras, name = 'one', token = address.token) {
  const headers = { Authorization: `Bearer ${token}` };
  return eras[era](new URL(address.url + endpointPath(name)), headers);
}

const revisions = { legacy: '2025-11-25', modern: '2026-07-28' };

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  test('is served once the server is ready', async () => {
    await registry.find('one')?.prepare('editor');
    const client = await connect(era);
    expect(registry.find('one')?.sessions).toMatchObject([{ revision: revisions[era] }]);
    expect((await client.listTools()).tools).toMatchObject([{ name: 'echo' }]);
    await client.close();
  });

  test.each([
    ['has not been allowed to run', () => (editor.hasConsent = false)],
    ['does not run in Restricted Mode', () => (editor.isTrusted = false)],
    ['is disabled', () => configure({ disabled: true })],
    ['was stopped', () => undefined],
  ])('is told that the server %s, and nothing begins', async (reason, arrange) => {
    arrange();
    await expect(connect(era)).rejects.toThrow(reason);
    expect(editor.resolved).toBe(0);
  });

  test('is told of a server that is no more', async () => {
    await expect(connect(era, 'other')).rejects.toThrow('There is no server "other" any more.');
  });

  test('needs the token', async () => {
    await registry.find('one')?.prepare('editor');
    await expect(connect(era, 'one', 'wrong')).rejects.toThrow(/401|bearer token/);
  });
});

test('consent that is withdrawn holds from the next message of a modern client on', async () => {
  const server = registry.find('one');
  await server?.prepare('editor');
  const client = await connect('modern');
  await client.listTools();
  editor.hasConsent = false;
  await expect(client.listTools()).rejects.toThrow('has not been allowed to run');
  editor.hasConsent = true;
  await server?.stop();
  await expect(client.listTools()).rejects.toThrow('was stopped');
  await client.close();
});

test('with clients of both eras the tools are judged for the older one', async () => {
  const server = registry.find('one');
  await server?.prepare('editor');
  const modern = await connect('modern');
  await modern.listTools();
  expect(server?.legs).toMatchObject({ upstream: '2026-07-28', downstream: '2026-07-28' });
  const legacy = await connect('legacy');
  await legacy.listTools();
  expect(server?.sessions.map(({ revision }) => revision)).toEqual(['2026-07-28', '2025-11-25']);
  expect(server?.legs).toMatchObject({ upstream: '2026-07-28', downstream: '2025-11-25' });
  await Promise.all([modern.close(), legacy.close()]);
});

test('a modern client that never lists does not keep the tools from being looked at', async () => {
  const server = registry.find('one');
  await server?.prepare('editor');
  const client = await connect('modern');
  await client.callTool({ name: 'echo' });
  expect(server?.tools).toBeUndefined();
  await server?.look();
  expect(server?.tools).toMatchObject([{ name: 'echo' }]);
  await client.close();
});

function configure(members: Partial<ConfiguredEntry['entry']>): void {
  registry.configure({ entries: [entry('one', members)], faulty: [], shadowed: [] });
}

function entry(name: string, members: Partial<ConfiguredEntry['entry']> = {}): ConfiguredEntry {
  const stdio = { kind: 'stdio', command, args, env: {}, disabled: false, timeouts: {} } as const;
  return configuredEntry(name, { ...stdio, ...members } as ConfiguredEntry['entry']);
}

function ignore(): void {
  return undefined;
}
