import { describe, expect } from 'vitest';

import type { Script } from '../../fixtures/raw/script.ts';
import { ignoreProbe, legacyServer, modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import type { Run } from '../reports/support/records.ts';
import { legacy } from '../reports/support/rules.ts';
import { initializeLine, test } from '../reports/support/stage.ts';
import { ChangingServer, remembered } from './support/changingServer.ts';

const WITHIN_MS = 10_000;
const PROBE = { probeMs: 200 };
const modern = modernServer();
/** A modern server that never says a word to `initialize`. */
const deaf: Script = modernServer({ on: 'initialize', steps: [] });
/** A server that speaks both eras. */
const dual: Script = modernServer(
  ...legacy('2025-11-25').rules.filter(({ on }) => on === 'initialize'),
);

const methodsOf = (runs: readonly Run[]): string[] => runs.flatMap(({ methods }) => methods);

describe.concurrent('a server that was legacy the last time', () => {
  test('and is modern and deaf to initialize now is probed beside it, and remembered as modern', async ({
    stage,
  }) => {
    const server = new ChangingServer(stage, legacy('2025-06-18'));
    await server.meetOverHttp();
    expect(remembered(stage)).toEqual(['legacy']);
    const before = server.runs.length;
    server.become(deaf);
    const { cli, client } = await server.serve({ ...PROBE, startMs: WITHIN_MS });
    const user = client();
    expect((await user.open()).error).toBeUndefined();
    const called = await user.request(2, 'tools/call', { name: 'echo' });
    expect(called.result).toMatchObject({ content: [{ type: 'text', text: 'ok' }] });
    const met = server.runs.slice(before);
    expect(met.map(({ methods }) => methods.slice(0, 2))).toEqual([
      ['initialize', 'server/discover'],
    ]);
    expect(remembered(stage)).toEqual(['modern']);
    await cli.end();

    const again = await server.serve(PROBE);
    await again.client().open();
    expect(server.runs.at(-1)?.methods[0]).toBe('server/discover');
  });

  test('and only slow to answer initialize now stays a legacy one', async ({ stage }) => {
    const server = new ChangingServer(stage, legacy('2025-06-18'));
    await server.meetOverHttp();
    const before = server.runs.length;
    const { rules } = legacyServer('2025-06-18', ignoreProbe);
    server.become({
      rules: rules.map((rule) =>
        rule.on === 'initialize' ? { ...rule, steps: [{ wait: 800 }, ...rule.steps] } : rule,
      ),
    });
    const { client } = await server.serve(PROBE);
    const user = client();
    expect((await user.open()).error).toBeUndefined();
    expect((await user.request(2, 'tools/list')).result).toMatchObject({
      tools: [{ name: 'echo' }],
    });
    const met = server.runs.slice(before);
    expect(methodsOf(met).filter((method) => method === 'initialize')).toHaveLength(1);
    expect(met).toHaveLength(1);
    expect(remembered(stage)).toEqual(['legacy']);
  });

  test('and names only modern revisions now is offered one legacy revision at most', async ({
    stage,
  }) => {
    const server = new ChangingServer(stage, legacy('2025-06-18'));
    await server.meetOverStdio();
    const before = server.runs.length;
    server.become(modern);
    const { client } = server.stdio();
    client.write(initializeLine());
    expect((await client.response('open', WITHIN_MS)).error).toBeUndefined();
    const methods = methodsOf(server.runs.slice(before));
    expect(methods).toContain('server/discover');
    const upToProbe = methods.slice(0, methods.indexOf('server/discover') + 1);
    expect(upToProbe).toEqual(['initialize', 'server/discover']);
    expect(methods.filter((method) => method === 'initialize')).toHaveLength(1);
    expect(remembered(stage)).toEqual(['modern']);
  });

  test('and is modern now serves two sessions that came at once by one connection', async ({
    stage,
  }) => {
    const server = new ChangingServer(stage, legacy('2025-06-18'));
    await server.meetOverHttp();
    const before = server.runs.length;
    server.become(modern);
    const { cli, client } = await server.serve();
    const users = [client(), client()];
    for (const { error } of await Promise.all(users.map((user) => user.open()))) {
      expect(error).toBeUndefined();
    }
    for (const user of users) {
      const { result } = await user.request(2, 'tools/call', { name: 'echo' });
      expect(result).toMatchObject({ content: [{ type: 'text', text: 'ok' }] });
    }
    const called = server.runs
      .slice(before)
      .filter(({ methods }) => methods.includes('tools/call'));
    expect(called.map((run) => run.of('tools/call').length)).toEqual([2]);
    expect(remembered(stage)).toEqual(['modern']);
    // What was started beside it for a moment is gone, or going.
    await until(() => server.alive.length === 1, WITHIN_MS);
    expect(server.alive.map(({ pid }) => pid)).toEqual(called.map(({ pid }) => pid));
    await cli.end();
  });
});

describe.concurrent('a revision that was pinned once', () => {
  test('says nothing of the era that is found out the next time', async ({ stage }) => {
    const server = new ChangingServer(stage, dual);
    await server.meetOverStdio('--revision', '2025-11-25');
    expect(server.runs.at(-1)?.methods).toEqual(['initialize', 'notifications/initialized']);
    await server.meetOverStdio();
    expect(server.runs.at(-1)?.methods).toEqual(['server/discover']);
    expect(remembered(stage)).toEqual(['modern']);
  });

  test('leaves the era alone that was found out before', async ({ stage }) => {
    const server = new ChangingServer(stage, dual);
    await server.meetOverStdio();
    await server.meetOverStdio('--revision', '2025-11-25');
    expect(remembered(stage)).toEqual(['modern']);
    await server.meetOverStdio();
    expect(server.runs.at(-1)?.methods).toEqual(['server/discover']);
  });
});
