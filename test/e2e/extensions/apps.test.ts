import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect } from 'vitest';

import {
  APP_TYPE,
  APP_URI,
  appContents,
  appResource,
  appServer,
  appTools,
  UI,
} from '../../fixtures/raw/apps.ts';
import { test } from '../reports/support/stage.ts';
import { CLI } from '../reports/support/cli.ts';

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const info = { name: 'host', version: '1' };
const extensions = { [UI]: { mimeTypes: [APP_TYPE] } };

type Server = { command: string; args: string[]; env: Record<string, string> };

const clients = {
  '2025-11-25': async (server: Server) => {
    const client = new LegacyClient(info, { capabilities: { extensions } });
    await client.connect(new LegacyTransport(server));
    return client;
  },
  '2026-07-28': async (server: Server) => {
    const client = new ModernClient(info, {
      capabilities: { extensions },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    });
    await client.connect(new ModernTransport(server));
    return client;
  },
};

const revisions = ['2025-11-25', '2026-07-28'] as const;
const pairs = revisions.flatMap((client) => revisions.map((server) => ({ client, server })));

describe.each(pairs)('a host of $client and a server of $server', ({ client, server }) => {
  test('know each other’s apps, and the page arrives as it was written', async ({ stage }) => {
    const env = stage.env as Record<string, string>;
    const args = [CLI, 'stdio', '--', ...stage.command(appServer(server))];
    const host = await clients[client]({ command: process.execPath, args, env });
    try {
      expect(host.getServerCapabilities()?.extensions).toEqual(extensions);
      expect((await host.listTools()).tools).toMatchObject(appTools);
      expect((await host.listResources()).resources).toEqual([appResource]);
      expect((await host.readResource({ uri: APP_URI })).contents).toEqual([appContents]);
    } finally {
      await host.close();
    }
    const told =
      server === '2026-07-28'
        ? stage.run.of('tools/list')[0]?.params?.['_meta']
        : stage.run.of('initialize')[0]?.params;
    const key = server === '2026-07-28' ? CLIENT_CAPABILITIES : 'capabilities';
    expect(told).toMatchObject({ [key]: { extensions } });
  });
});
