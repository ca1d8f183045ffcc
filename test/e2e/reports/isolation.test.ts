import { describe, expect } from 'vitest';

import type { Rule } from '../../fixtures/raw/script.ts';
import { endlessLine, modernServer, noise } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { HttpClient } from './support/httpClient.ts';
import type { Run } from './support/records.ts';
import { legacy } from './support/rules.ts';
import { test } from './support/stage.ts';

const on = (steps: Rule['steps']): Rule => ({ on: 'tools/call', steps });

describe('of several servers behind one program', () => {
  test('each bad one is told of by itself, and the good ones answer meanwhile', async ({
    stage,
  }) => {
    const modern = await stage.http(modernServer());
    const crash = 'console.error("out of licences"); process.exit(7)';
    const { cli, urls } = await stage.serve({
      good: stage.entry(legacy('2025-06-18'), 'good'),
      modern: { url: modern },
      silent: stage.entry({ rules: [] }, 'silent', { timeouts: { probeMs: 100, startMs: 60_000 } }),
      crashing: { command: process.execPath, args: ['-e', crash] },
      missing: { command: 'no-such-server' },
      absent: { url: 'http://127.0.0.1:9/mcp' },
      flooding: stage.entry(legacy('2025-06-18', on([endlessLine])), 'flooding'),
      noisy: stage.entry({ ...legacy('2025-06-18', on([...noise, { exit: 5 }])) }, 'noisy'),
    });
    const client = (name: string): HttpClient => new HttpClient(urls[name] ?? '');

    const never = client('silent')
      .open()
      .catch(() => undefined);
    const failures = await Promise.all(
      ['crashing', 'missing', 'absent'].map(async (name) => (await client(name).open()).error),
    );
    expect(failures.map((error) => error?.message)).toEqual([
      expect.stringContaining('with code 7: out of licences'),
      expect.stringContaining('The command no-such-server was not found'),
      expect.stringContaining('127.0.0.1:9'),
    ]);
    const [flooding, noisy] = [client('flooding'), client('noisy')];
    await Promise.all([flooding.open(), noisy.open()]);
    const bad = [flooding, noisy].map((one) => one.request(1, 'tools/call', { name: 'w' }));

    for (const name of ['good', 'modern']) {
      const one = client(name);
      await one.open();
      const { result } = await one.request(1, 'tools/list');
      expect(result).toMatchObject({ tools: [{ name: 'echo' }] });
      const called = await one.request(2, 'tools/call', { name: 'echo' });
      expect(called.result).toMatchObject({ content: [{ text: 'ok' }] });
    }
    expect((await Promise.all(bad)).map(({ error }) => error?.message)).toEqual([
      expect.stringContaining('64 MiB'),
      expect.stringContaining('with code 5'),
    ]);
    // It is started again for the next call, which it was not told of.
    expect((await noisy.request(2, 'ping')).result).toEqual({});
    expect(stage.runs('noisy')).toHaveLength(2);
    expect(cli.hasExited).toBe(false);
    await cli.end();
    await never;
  });
});

describe('a cancelled call', () => {
  test('is told to its own server alone', async ({ stage }) => {
    const hangs = legacy('2025-06-18', on([{ hang: true }]));
    const { urls } = await stage.serve({
      one: stage.entry(hangs, 'one'),
      two: stage.entry(hangs, 'two'),
    });
    const clients = ['one', 'two'].map((name) => new HttpClient(urls[name] ?? ''));
    await Promise.all(clients.map((client) => client.open()));
    const calls = clients.map((client) =>
      client.post('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w"}}'),
    );
    const run = (name: string): Run | undefined => stage.runs(name).at(-1);
    const called = (name: string): boolean => run(name)?.methods.includes('tools/call') ?? false;
    await until(() => called('one') && called('two'));
    await clients[0]?.post(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    );
    await until(() => run('one')?.methods.includes('notifications/cancelled') ?? false);
    expect(run('two')?.methods).not.toContain('notifications/cancelled');
    await stage.end();
    await Promise.allSettled(calls);
  });
});

describe('of several clients of one server', () => {
  test('none gets the answer of another, though all use the same ids', async ({ stage }) => {
    const echoes: Rule[] = ['one', 'two', 'three'].map((text, index) => ({
      on: 'tools/call',
      contains: `"${text}"`,
      steps: [
        { wait: 300 - 100 * index },
        { result: { resultType: 'complete', content: [{ type: 'text', text }] } },
      ],
    }));
    const url = await stage.http(modernServer(...echoes));
    const { urls } = await stage.serve({ one: { url } });
    const texts = ['one', 'two', 'three'];
    const clients = texts.map(() => new HttpClient(urls['one'] ?? ''));
    await Promise.all(clients.map((client) => client.open()));
    const answers = await Promise.all(
      clients.map((client, i) => client.request(1, 'tools/call', { name: texts[i] })),
    );
    expect(answers.map(({ result }) => result?.['content'])).toEqual(
      texts.map((text) => [{ type: 'text', text }]),
    );
  });

  test('the others go on when the legacy server of one dies', async ({ stage }) => {
    const dies: Rule = { on: 'tools/call', contains: '"die"', steps: [{ exit: 1 }] };
    const { urls } = await stage.serve({ one: stage.entry(legacy('2025-06-18', dies), 'one') });
    const [first, second] = [new HttpClient(urls['one'] ?? ''), new HttpClient(urls['one'] ?? '')];
    await Promise.all([first.open(), second.open()]);
    await until(() => stage.runs('one').filter(({ methods }) => methods.length > 1).length >= 2);
    const { error } = await first.request(1, 'tools/call', { name: 'die' });
    expect(error?.message).toContain('exited with code 1');
    expect((await second.request(1, 'tools/call', { name: 'echo' })).error).toBeUndefined();
    expect((await first.request(2, 'tools/call', { name: 'echo' })).error).toBeUndefined();
  });
});
