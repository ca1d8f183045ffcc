import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { cliCommand, createWorkspace, type ReportLine } from '../../support/cli.ts';
import { connect, type ClientName, type Peer } from './clients.ts';
import { startSurroundings, type ServerName, type Surroundings } from './servers.ts';

/** One use of a server: what its tools answer, and what they ask. */
type Use = (peer: Peer, surroundings: Surroundings, revision: ClientName) => Promise<void>;

const PATIENCE_MS = 20_000;

const uses: Readonly<Record<ServerName, Use>> = {
  everything: async (peer, { folder }, revision) => {
    expect(await peer.call('echo', { message: 'hi' })).toBe('Echo: hi');
    expect(await peer.call('get-tiny-image')).toContain('\nimage\n');
    expect(await peer.call('get-structured-content', { location: 'Chicago' })).toContain('36');
    const work = { duration: 0.2, steps: 2 };
    expect(await peer.call('trigger-long-running-operation', work)).toContain('completed');
    expect(await peer.call('trigger-sampling-request', { prompt: 'Capital?' })).toContain('Paris');
    expect(await peer.call('get-roots-list')).toContain(`file://${folder}`);
    expect(new Set(peer.asked)).toEqual(new Set(['roots', 'sampling']));
    if (revision === '2024-11-05') return;
    expect(await peer.call('get-resource-links', { count: 1 })).toContain('resource_link');
    expect(await peer.call('trigger-elicitation-request')).toContain('Name: Ada');
    const url = 'https://example.com/consent';
    expect(await peer.call('trigger-url-elicitation', { url })).toContain('completed the URL');
    expect(peer.asked.slice(-2)).toEqual([expect.stringContaining('Please provide'), url]);
  },
  filesystem: async (peer, { folder }) => {
    const path = `${folder}/note.txt`;
    expect(await peer.call('read_text_file', { path })).toBe('What the file says.\n');
    expect(await peer.call('list_allowed_directories')).toBe(`Allowed directories:\n${folder}`);
    await expect(peer.call('read_text_file', { path: '/etc/hosts' })).rejects.toThrow('denied');
  },
  rooted: async (peer, { folder }) => {
    // The server takes the folder over in its own time.
    const deadline = performance.now() + PATIENCE_MS;
    let allowed = '';
    while (!allowed.includes(folder) && performance.now() < deadline) {
      allowed = await peer.call('list_allowed_directories');
    }
    expect(allowed).toBe(`Allowed directories:\n${folder}`);
    expect(peer.asked).toEqual(['roots']);
  },
  memory: async (peer, _surroundings, revision) => {
    const entity = { name: `Ada ${revision}`, entityType: 'person', observations: ['counts'] };
    expect(await peer.call('create_entities', { entities: [entity] })).toContain(entity.name);
    const found = await peer.call('open_nodes', { names: [entity.name] });
    expect(JSON.parse(found)).toMatchObject({ entities: [entity] });
  },
  playwright: async (peer, { page }) => {
    expect(await peer.call('browser_navigate', { url: page })).toContain('Page Title: A page');
    expect(await peer.call('browser_snapshot')).toContain('heading "What the page says"');
    expect(await peer.call('browser_take_screenshot')).toContain('image');
  },
  devtools: async (peer, { page }) => {
    expect(await peer.call('new_page', { url: page })).toContain('A page');
    expect(await peer.call('take_snapshot', { pageId: 2 })).toContain('heading "What the page');
    expect(await peer.call('list_pages')).toContain(page);
  },
};

const cells = (Object.keys(uses) as ServerName[]).flatMap((server) => [
  { server, revision: '2025-11-25' as const, reader: 'spec' },
  { server, revision: '2026-07-28' as const, reader: 'vscode' },
]);
const oldest = (['everything', 'filesystem', 'memory'] as const).map((server) => ({
  server,
  revision: '2024-11-05' as const,
  reader: 'spec',
}));

let surroundings: Surroundings;
beforeAll(async () => {
  surroundings = await startSurroundings();
});
afterAll(() => surroundings.close());

describe.concurrent('a published server, used through mcp-rosetta stdio', () => {
  test.each([...cells, ...oldest])(
    '$server by a client of $revision, reader $reader',
    async ({ server, revision, reader }) => {
      const workspace = createWorkspace();
      const { env, folder } = surroundings;
      const command = surroundings.command(server);
      const flags = ['--reader', reader, '--report', workspace.reportFile];
      const bridge = cliCommand('stdio', command, flags);
      // Each server a memory of its own: two that write one file lose what the other one wrote.
      const memory = { MEMORY_FILE_PATH: join(folder, `memory-${revision}.jsonl`) };
      const environment = { ...env, ...memory, ...workspace.environment };
      const peer = await connect(revision, bridge, environment, folder);
      try {
        expect(await peer.tools()).toEqual(await toolsOf(server, revision));
        await uses[server](peer, surroundings, revision);
        expect(peer.faults).toEqual([]);
        expect(inShort(workspace.report())).toEqual([]);
      } finally {
        await peer.close();
        workspace.remove();
      }
    },
  );
});

const listed = new Map<string, Promise<readonly string[]>>();

/** The tools that a server lists for a client without a bridge; one of them looks at what the client can be asked. */
function toolsOf(server: ServerName, client: ClientName): Promise<readonly string[]> {
  const isOldest = server === 'everything' && client === '2024-11-05';
  const revision = isOldest ? client : '2025-11-25';
  const program = server === 'rooted' ? 'filesystem' : server;
  const key = `${program} ${revision}`;
  const known = listed.get(key);
  if (known !== undefined) return known;
  const { env, folder } = surroundings;
  const tools = connect(revision, surroundings.command(program), env, folder).then(async (peer) => {
    const names = await peer.tools();
    await peer.close();
    return names;
  });
  listed.set(key, tools);
  return tools;
}

/** What was changed or refused, but for the dialect that editors do not know by name: it costs nothing. */
function inShort(report: readonly ReportLine[]): readonly string[] {
  return report
    .filter(({ feature, loss }) => feature !== 'schema-dialect' || loss !== 'none')
    .map(({ kind, tool, feature, path }) => `${kind} ${feature} ${tool ?? ''}${path}`);
}
