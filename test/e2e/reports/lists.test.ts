import { describe, expect } from 'vitest';

import type { Rule } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { answers, discoversChanges, legacy, listens } from './support/rules.ts';
import { test, type Stage } from './support/stage.ts';

const CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
const ANNOUNCED = 'notifications/tools/list_changed';
const tool = (name: string): string => `{"name":"${name}","inputSchema":{"type":"object"}}`;
const page = (name: string, cursor: string): string =>
  `{"tools":[${tool(name)}],"nextCursor":${cursor}}`;

/** Announces a change so often, all at once, in the course of a call. */
const storm = (times: number): Rule => ({
  on: 'tools/call',
  steps: [{ line: CHANGED, repeat: times }, { result: { content: [] } }],
});

function lists(stage: Stage): number {
  return stage.run.of('tools/list').length;
}

/** The names that `mcp-rosetta tools --json` shows, and its log. */
async function shown(
  stage: Stage,
  ...rules: readonly Rule[]
): Promise<{ names: unknown[]; log: string }> {
  const cli = stage.cli('tools', '--json', '--', ...stage.command(legacy('2025-11-25', ...rules)));
  expect(await cli.exit()).toBe(0);
  const tools = JSON.parse(cli.client.lines.join('\n')) as { name: unknown }[];
  return { names: tools.map(({ name }) => name), log: cli.stderr };
}

describe('the pages of a list', () => {
  test('are all read by the bridge itself', async ({ stage }) => {
    const { names } = await shown(
      stage,
      answers('tools/list', page('b', '"p3"'), { contains: '"p2"' }),
      answers('tools/list', `{"tools":[${tool('c')}]}`, { contains: '"p3"' }),
      answers('tools/list', page('a', '"p2"')),
    );
    expect(names).toEqual(['a', 'b', 'c']);
  });

  test('end at a repeated cursor, with a warning and every tool once', async ({ stage }) => {
    const { names, log } = await shown(stage, answers('tools/list', page('a', '"p2"')));
    expect(names).toEqual(['a']);
    expect(log).toContain('repeats a cursor');
  });

  test('end at a cursor of null, which is no cursor', async ({ stage }) => {
    const { names, log } = await shown(
      stage,
      answers('tools/list', page('b', 'null'), { contains: '"p2"' }),
      answers('tools/list', page('a', '"p2"')),
    );
    expect(names).toEqual(['a', 'b']);
    expect(log).toBe('');
  });

  test('end at the hundredth, which is told', async ({ stage }) => {
    const { names, log } = await shown(stage, answers('tools/list', page('a', '"p$IDTEXT"')));
    expect(names).toHaveLength(100);
    expect(log).toContain('more than 100 pages');
  });

  test('are the client’s own affair: cursors cross, but for null', async ({ stage }) => {
    const { client } = await stage.stdio(
      legacy(
        '2025-11-25',
        answers('tools/list', page('b', 'null'), { contains: '"p2"' }),
        answers('tools/list', page('a', '"p2"')),
      ),
    );
    client.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
    expect(await client.responseLine(2)).toBe(
      `{"jsonrpc":"2.0","id":2,"result":${page('a', '"p2"')}}`,
    );
    client.write('{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"p2"}}');
    expect((await client.response(4)).result).toEqual({
      tools: [{ name: 'b', inputSchema: { type: 'object' } }],
    });
    expect(stage.report).toMatchObject([{ feature: 'null-member', path: '/nextCursor' }]);
  });
});

describe('a burst of announcements that a list changed', () => {
  test('costs two lists at most, and nothing is told where nothing changed', async ({ stage }) => {
    const { client } = await stage.stdio(legacy('2025-11-25', storm(200)));
    await client.request(2, 'tools/list');
    await client.request(3, 'tools/call', { name: 'echo' });
    await until(() => lists(stage) === 2);
    // The server answers in order: with this the bridge has seen the list too.
    await client.request(4, 'ping');
    expect(client.heard(ANNOUNCED)).toEqual([]);
    expect(lists(stage)).toBeLessThanOrEqual(3);
  });

  test('is told once where something did', async ({ stage }) => {
    const { client } = await stage.stdio(
      legacy(
        '2025-11-25',
        storm(200),
        answers('tools/list', `{"tools":[${tool('one')}]}`, { nth: 1 }),
        answers('tools/list', `{"tools":[${tool('one')},${tool('two')}]}`),
      ),
    );
    await client.request(2, 'tools/list');
    await client.request(3, 'tools/call', { name: 'echo' });
    await client.message(({ method }) => method === ANNOUNCED);
    const { result } = await client.request(4, 'tools/list');
    expect(result?.['tools']).toMatchObject([{ name: 'one' }, { name: 'two' }]);
    expect(client.heard(ANNOUNCED)).toHaveLength(1);
    expect(lists(stage)).toBeLessThanOrEqual(4);
  });

  test('is told to a client that never read the list, without reading it', async ({ stage }) => {
    const { client } = await stage.stdio(legacy('2025-11-25', storm(200)));
    await client.request(3, 'tools/call', { name: 'echo' });
    await client.message(({ method }) => method === ANNOUNCED);
    expect(lists(stage)).toBe(0);
  });
});

describe('a server that announces a change after every list', () => {
  test('is slowed down and told of, and its client left in peace', async ({ stage }) => {
    const cli = await stage.stdio(
      legacy('2025-11-25', {
        on: 'tools/list',
        steps: [
          { line: `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[${tool('a')}]}}` },
          { line: CHANGED },
        ],
      }),
    );
    await cli.client.request(2, 'tools/list');
    await cli.log('announces changes of tools/list that change nothing');
    expect(cli.client.heard(ANNOUNCED)).toEqual([]);
    expect(lists(stage)).toBeLessThanOrEqual(5);
  });
});

describe('a modern server’s announcements', () => {
  const told = `{"jsonrpc":"2.0","method":"${ANNOUNCED}","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$ID}}}`;
  const first = answers(
    'tools/list',
    `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[${tool('one')}]}`,
    { nth: 1 },
  );

  test('are asked for, and reach the client as its revision knows them', async ({ stage }) => {
    const { client } = await stage.stdio(
      modernServer(discoversChanges, listens({ wait: 100 }, { line: told })),
    );
    const line = await client.line(({ method }) => method === ANNOUNCED);
    expect(line).not.toContain('subscriptionId');
    expect(stage.run.of('subscriptions/listen')).toMatchObject([
      { params: { notifications: { toolsListChanged: true } } },
    ]);
  });

  test('that came before it was listened to are made good by one look', async ({ stage }) => {
    const late: Rule = { ...listens(), steps: [{ wait: 500 }, ...listens().steps] };
    const { client } = await stage.stdio(modernServer(discoversChanges, late, first));
    await client.request(2, 'tools/list');
    await client.message(({ method }) => method === ANNOUNCED);
    expect(lists(stage)).toBe(2);
  });

  test('are listened to again, ever more patiently, when the stream ends', async ({ stage }) => {
    const ends: Rule = {
      ...listens(),
      steps: [...listens().steps.slice(0, 1), { result: { resultType: 'complete' } }],
    };
    const url = await stage.http(modernServer(discoversChanges, { ...ends, nth: 1 }, listens()));
    const { client } = await stage.stdio(url);
    await until(() => stage.run.of('subscriptions/listen').length === 2);
    await client.request(2, 'tools/list');
  });

  test('are listened to again when the connection was lost', async ({ stage }) => {
    const lost: Rule = {
      ...listens(),
      nth: [1, 2],
      steps: [...listens().steps.slice(0, 1), { close: true }],
    };
    await stage.stdio(await stage.http(modernServer(discoversChanges, lost, listens())));
    await until(() => stage.run.of('subscriptions/listen').length === 3);
  });
});

describe('the hints of a tool', () => {
  const list =
    '{"tools":[{"name":"upsert","title":"Top title","inputSchema":{"type":"object"},"annotations":{"title":"Ann title","readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}},{"name":"bare","inputSchema":{"type":"object"}}]}';
  const hinting = legacy('2025-11-25', answers('tools/list', list));

  test.for(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'cross byte for byte to %s, those that are false too',
    async (revision, { stage }) => {
      const { client } = await stage.stdio(hinting, { revision });
      client.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
      expect(await client.responseLine(2)).toBe(`{"jsonrpc":"2.0","id":2,"result":${list}}`);
      expect(stage.report).toEqual([]);
    },
  );

  test('are declared true, declared false or not declared', async ({ stage }) => {
    const cli = stage.cli('tools', '--json', '--', ...stage.command(hinting));
    expect(await cli.exit()).toBe(0);
    const no = { declared: false, value: false, source: 'declared' };
    expect(JSON.parse(cli.client.lines.join('\n'))).toMatchObject([
      {
        name: 'upsert',
        title: 'Top title',
        hints: { readOnlyHint: no, destructiveHint: no, idempotentHint: no, openWorldHint: no },
      },
      {
        name: 'bare',
        hints: { destructiveHint: { declared: null, value: true, source: 'default' } },
      },
    ]);
  });

  test('are told apart in the table too', async ({ stage }) => {
    const cli = stage.cli('tools', '--', ...stage.command(hinting));
    expect(await cli.exit()).toBe(0);
    const row = (name: string): string[] =>
      (cli.client.lines.find((line) => line.startsWith(name)) ?? '').split(/ {2,}/);
    expect(row('upsert')).toEqual(['upsert', 'no', 'no', 'no', 'no', 'Top title']);
    expect(row('bare')).toEqual(['bare', '(no)', '(yes)', '(no)', '(yes)']);
  });
});
