import { describe, expect } from 'vitest';

import { until } from '../../support/until.ts';
import { test, type Peer, type Upstream } from './support.ts';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

const servers: readonly [string, Upstream][] = [
  ...(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const).map(
    (revision): [string, Upstream] => [
      `${revision} over stdio`,
      { folder: 'olderServers', transport: 'stdio', args: [revision] },
    ],
  ),
  ...(['2025-03-26', '2025-06-18', '2025-11-25'] as const).map((revision): [string, Upstream] => [
    `${revision} over HTTP`,
    { folder: 'olderServers', transport: 'http', args: [revision] },
  ]),
];

async function textOf(client: Peer['client'], name: string, more = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { name: 'Ada' }, ...more });
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}

describe.each(['stdio', 'serve'] as const)('a client of 2026-07-28 at mcp-rosetta %s', (face) => {
  test.for(servers)('uses a server of %s', async ([, upstream], { setting }) => {
    const { client, heard, asked } = await setting.connect(face, upstream);
    const revision = upstream.args?.[0];
    expect(client.getServerVersion()).toMatchObject({ name: `old-${revision}` });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('greet');
    expect(await textOf(client, 'greet')).toBe('Hello, Ada!');
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'hi' }]);
    expect((await client.getPrompt({ name: 'hi' })).messages).toHaveLength(1);
    const watched = { uri: 'file:///watched' };
    expect((await client.readResource(watched)).contents).toMatchObject([{ text: 'watched' }]);
    await expect(client.readResource({ uri: 'file:///gone' })).rejects.toMatchObject({
      code: -32602,
    });

    const progress: number[] = [];
    await client.callTool(
      { name: 'progress' },
      { onprogress: (news) => void progress.push(news.progress) },
    );
    expect(progress).toEqual([1, 2]);

    await textOf(client, 'log');
    expect(heard).toEqual([]);
    await textOf(client, 'log', { _meta: { [LOG_LEVEL]: 'info' } });
    await until(() => heard.length > 0);
    expect(heard).toEqual(['notifications/message']);

    expect(await textOf(client, 'elicit')).toContain('"Ada"');
    expect(await textOf(client, 'sample')).toContain('Paris');
    expect(await textOf(client, 'roots')).toContain('file:///work');
    expect(asked).toEqual(['What is your name?', 'sampling']);

    const stream = await client.listen({
      toolsListChanged: true,
      resourceSubscriptions: [watched.uri],
    });
    await textOf(client, 'touch');
    await until(() => heard.length >= 3);
    expect(heard.slice(1).sort()).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]);
    await stream.close();
  });

  test('names the capability that a tool lacks', async ({ setting }) => {
    const upstream: Upstream = { folder: 'olderServers', transport: 'stdio', args: ['2025-11-25'] };
    const { client } = await setting.connect(face, upstream, {});
    await expect(client.callTool({ name: 'sample' })).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
  });

  test.for<Upstream>([
    { folder: 'everythingModern', transport: 'stdio' },
    { folder: 'everythingModern', transport: 'http' },
    { folder: 'everythingLegacy', transport: 'stdio' },
    { folder: 'everythingLegacy', transport: 'http' },
  ])('uses $folder over $transport', async (upstream, { setting }) => {
    const { client, asked, heard } = await setting.connect(face, upstream);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(20);
    expect(await textOf(client, 'test_simple_text')).not.toBe('');
    expect(await textOf(client, 'test_input_required_result_elicitation')).toBe('Hello, Ada!');
    expect(asked).toEqual(['What is your name?']);
    await textOf(client, 'test_input_required_result_multiple_inputs');
    expect(asked).toHaveLength(3);
    const stream = await client.listen({ toolsListChanged: true });
    await textOf(client, 'test_trigger_tool_change');
    await until(() => heard.includes('notifications/tools/list_changed'));
    await stream.close();
  });
});
