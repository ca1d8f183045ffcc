import { describe, expect } from 'vitest';

import type { Rule, Script, Step } from '../../fixtures/raw/script.ts';
import { ignoreProbe, legacyServer, modernServer } from '../../fixtures/raw/scripts.ts';
import type { Members } from '../../support/rawClient.ts';
import { until } from '../../support/until.ts';
import type { Cli } from './support/cli.ts';
import { HttpClient } from './support/httpClient.ts';
import { legacy, unprobed } from './support/rules.ts';
import { test, type Stage } from './support/stage.ts';

/** Serves one server with these time limits. */
async function served(
  stage: Stage,
  script: Script,
  timeouts: Members,
): Promise<{ cli: Cli; client: HttpClient }> {
  const { cli, urls } = await stage.serve({ slow: stage.entry(script, 'slow', { timeouts }) });
  return { cli, client: new HttpClient(urls['slow'] ?? '') };
}

const progress: Step = {
  send: {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: '$TOKEN', progress: 0 },
  },
};
const done: Step = {
  result: { resultType: 'complete', content: [{ type: 'text', text: 'done' }] },
};

describe('a server that is slow to start', () => {
  const installing: Rule = {
    on: 'initialize',
    steps: [
      { stderr: 'npm: fetching 12 of 90\n' },
      { wait: 1000 },
      {
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'slow', version: '1' },
        },
      },
    ],
  };

  test('is waited for within its limit, and what it says meanwhile is shown', async ({ stage }) => {
    const script = legacyServer('2025-06-18', ignoreProbe, installing);
    const { cli, client } = await served(stage, script, { probeMs: 100, startMs: 20_000 });
    const opened = client.open();
    await cli.log('its last line on stderr: npm: fetching 12 of 90');
    expect((await opened).result).toMatchObject({ serverInfo: { name: 'slow' } });
    expect(stage.runs('slow')).toHaveLength(1);
  });

  test('may answer the probe late, and is a modern one then', async ({ stage }) => {
    const [rule] = modernServer().rules;
    const late: Rule = { on: 'server/discover', steps: [{ wait: 500 }, ...(rule?.steps ?? [])] };
    const script = modernServer(late, { on: 'initialize', steps: [{ hang: true }] });
    const { cli, client } = await served(stage, script, { probeMs: 100, startMs: 20_000 });
    expect((await client.open()).error).toBeUndefined();
    await cli.log('modern era');
    expect(stage.runs('slow')).toHaveLength(1);
  });

  test('is given up at its limit, with its last words', async ({ stage }) => {
    const script: Script = { start: [{ stderr: 'waiting for the database\n' }], rules: [] };
    const { client } = await served(stage, script, { probeMs: 100, startMs: 1500 });
    const { error } = await client.open();
    expect(error?.message).toBe(
      'The server did not answer within 1.5 s of its start. Its last line on stderr: waiting for the database',
    );
  });
});

describe('a tool that is slow', () => {
  const working = (times: number): Rule => ({
    on: 'tools/call',
    steps: [{ ...progress, repeat: times, everyMs: 100 }, done],
  });

  test.for([
    ['legacy', legacy('2025-06-18', working(12))],
    ['modern', modernServer(working(12))],
  ] as const)(
    'has more time for every sign of progress, though nobody asked a %s server for it',
    async ([, script], { stage }) => {
      const { client } = await served(stage, script, { requestMs: 800 });
      await client.open();
      const { result } = await client.request(1, 'tools/call', { name: 'w' });
      expect(result).toMatchObject({ content: [{ text: 'done' }] });
      const [call] = stage.runs('slow')[0]?.of('tools/call') ?? [];
      expect(call?.params?.['_meta']).toHaveProperty('progressToken');
    },
  );

  test('has a last limit, progress or not', async ({ stage }) => {
    const script = legacy('2025-06-18', working(1000));
    const { client } = await served(stage, script, { requestMs: 800, maxRequestMs: 1200 });
    await client.open();
    const { error } = await client.request(1, 'tools/call', { name: 'w' });
    expect(error?.message).toContain('did not answer tools/call within 1.2 s');
    await until(() => stage.runs('slow')[0]?.methods.includes('notifications/cancelled') ?? false);
  });
});

describe('a tool that never answers', () => {
  const hangs: Rule = { on: 'tools/call', steps: [{ hang: true }] };

  test('ends in an error for the client and a cancellation for the server', async ({ stage }) => {
    const { client } = await served(stage, legacy('2025-06-18', hangs), { requestMs: 300 });
    await client.open();
    const { error } = await client.request(1, 'tools/call', { name: 'w' });
    expect(error).toMatchObject({ code: -32603 });
    expect(error?.message).toContain('did not answer tools/call within 0.3 s');
    await until(() => stage.runs('slow')[0]?.methods.includes('notifications/cancelled') ?? false);
    const run = stage.runs('slow')[0];
    expect(run?.of('notifications/cancelled')[0]?.params).toMatchObject({
      requestId: run?.of('tools/call')[0]?.id,
    });
    expect((await client.request(2, 'ping')).result).toEqual({});
  });

  test('has its stream closed over HTTP', async ({ stage }) => {
    const url = await stage.http(modernServer({ ...hangs, sse: true }));
    const { urls } = await stage.serve({ slow: { url, timeouts: { requestMs: 300 } } });
    const client = new HttpClient(urls['slow'] ?? '');
    await client.open();
    const { error } = await client.request(1, 'tools/call', { name: 'w' });
    expect(error?.message).toContain('within 0.3 s');
    await until(() => stage.run.saw('aborted'));
  });

  test('is not waited for by a client that goes away', async ({ stage }) => {
    const cli = await stage.stdio(legacy('2025-06-18', unprobed, hangs));
    cli.client.send({ id: 1, method: 'tools/call', params: { name: 'w' } });
    await until(() => stage.run.of('tools/call').length === 1);
    cli.client.end();
    expect(await cli.exit()).toBe(0);
  });
});
