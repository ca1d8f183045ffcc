import { describe, expect } from 'vitest';

import type { Rule } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { HttpClient } from '../reports/support/httpClient.ts';
import type { Run } from '../reports/support/records.ts';
import { initializeLine, test } from '../reports/support/stage.ts';
import { ChangingServer } from './support/changingServer.ts';
import { never } from './support/never.ts';
import {
  agrees,
  announcesTools,
  discovers,
  LISTEN,
  listening,
  subscribeLine,
  tells,
  TOOLS_CHANGED,
  UPDATED,
  watchesResources,
} from './support/subscriptions.ts';

const WITHIN_MS = 5_000;
const URIS = ['a:1', 'a:2', 'a:3'];
const withdrawn = {
  send: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '$ID' } },
};

/** The resources that a request to listen names. */
function watchedBy(run: Run): unknown[] {
  return run.of(LISTEN).map(({ params }) => {
    const filter = params?.['notifications'] as { resourceSubscriptions?: unknown } | undefined;
    return filter?.resourceSubscriptions;
  });
}

/** The streams that the bridge has ended itself. */
function ended(run: Run): unknown[] {
  return run.of('notifications/cancelled').map(({ params }) => params?.['requestId']);
}

describe.concurrent('resources that are subscribed to all at once', () => {
  test('are all watched, and each is told of', async ({ stage }) => {
    const updates = URIS.map((uri) => tells(UPDATED, { uri }));
    const { client } = await stage.stdio(
      modernServer(
        watchesResources,
        listening([agrees(...URIS), ...updates], { contains: '"a:3"' }),
        listening([agrees('a:1', 'a:2')], { contains: '"a:2"' }),
        listening([agrees('a:1')]),
      ),
    );
    client.write(URIS.map((uri, index) => subscribeLine(index + 1, uri)).join('\n'));
    for (const [index] of URIS.entries()) {
      const { result, error } = await client.response(index + 1, WITHIN_MS);
      expect(error).toBeUndefined();
      expect(result).toEqual({});
    }
    expect(watchedBy(stage.run).at(-1)).toEqual(URIS);
    await until(() => client.heard(UPDATED).length >= URIS.length, WITHIN_MS);
    expect(client.heard(UPDATED).map(({ params }) => params?.['uri'])).toEqual(URIS);
    // The last stream is the one that stays.
    await client.request(9, 'ping');
    const streams = stage.run.of(LISTEN).map(({ id }) => id);
    expect(ended(stage.run)).not.toContain(streams.at(-1));
  });

  test('are all told of, though the server agrees to the earlier stream after the later', async ({
    stage,
  }) => {
    const { client } = await stage.stdio(
      modernServer(
        watchesResources,
        listening(
          [
            agrees('a:1', 'a:2'),
            { wait: 600 },
            ...URIS.slice(0, 2).map((uri) => tells(UPDATED, { uri })),
          ],
          { contains: '"a:2"' },
        ),
        listening([{ wait: 300 }, agrees('a:1')]),
      ),
    );
    client.write(subscribeLine(1, 'a:1'));
    await until(() => stage.run.of(LISTEN).length > 0);
    client.write(subscribeLine(2, 'a:2'));
    for (const id of [1, 2]) expect((await client.response(id, WITHIN_MS)).result).toEqual({});
    await until(() => client.heard(UPDATED).length >= 2, WITHIN_MS);
    const told = client.heard(UPDATED).map(({ params }) => params?.['uri']);
    expect(told.toSorted()).toEqual(['a:1', 'a:2']);
    const [older, newer] = stage.run.of(LISTEN).map(({ id }) => id);
    await until(() => ended(stage.run).includes(older), WITHIN_MS);
    expect(ended(stage.run)).not.toContain(newer);
  });
});

describe.concurrent('a subscription to which the server never agrees', () => {
  const REQUEST_MS = 400;
  const refusals: readonly (readonly [string, Rule])[] = [
    ['never answers the request to listen', listening([])],
    [
      'answers the request to listen at once',
      { on: LISTEN, steps: [{ result: { resultType: 'complete' } }] },
    ],
    [
      'refuses the request to listen',
      { on: LISTEN, steps: [{ error: { code: -32603, message: 'No' } }] },
    ],
    ['withdraws the request to listen', listening([withdrawn])],
  ];

  test.for(refusals)(
    'is answered with an error where the server %s',
    async ([, rule], { stage }) => {
      const script = modernServer(watchesResources, rule);
      const { urls } = await stage.serve({
        one: stage.entry(script, 'one', { timeouts: { requestMs: REQUEST_MS } }),
      });
      const user = new HttpClient(urls['one'] ?? '');
      await user.open();
      // With this the bridge has taken in all that opens a session.
      await user.request(9, 'ping');
      let answered = false;
      const answer = user.post(subscribeLine(1, 'a:1')).then(({ messages }) => {
        answered = true;
        return messages;
      });
      answer.catch(() => undefined);
      await until(() => answered, WITHIN_MS);
      expect(await answer).toMatchObject([
        { id: 1, error: { code: expect.any(Number) as number } },
      ]);
      expect(stage.runs('one').flatMap(watchedBy)).toContainEqual(['a:1']);
      // The session is none the worse for it.
      expect((await user.request(2, 'tools/call', { name: 'echo' })).error).toBeUndefined();
    },
  );

  test('is answered with an error where the connection of the stream is lost', async ({
    stage,
  }) => {
    const lost: Rule = {
      on: LISTEN,
      sse: true,
      steps: [{ head: { status: 200 } }, { close: true }],
    };
    const url = await stage.http(modernServer(watchesResources, lost));
    const { client } = await stage.stdio(url);
    client.write(subscribeLine(1, 'a:1'));
    expect((await client.response(1, WITHIN_MS)).error).toBeDefined();
  });
});

describe.concurrent('a stream that a server ends by withdrawing the request for it', () => {
  test('is asked for again, and its client hears nothing of that', async ({ stage }) => {
    const { client } = await stage.stdio(
      modernServer(
        announcesTools,
        listening([agrees(), withdrawn], { nth: 1 }),
        listening([agrees(), tells(TOOLS_CHANGED)]),
      ),
    );
    await client.message(({ method }) => method === TOOLS_CHANGED, WITHIN_MS);
    expect(client.heard('notifications/cancelled')).toEqual([]);
    expect(stage.run.of(LISTEN)).toHaveLength(2);
  });

  test('is asked for ever more patiently', async ({ stage }) => {
    const { client } = await stage.stdio(
      modernServer(announcesTools, listening([agrees(), withdrawn])),
    );
    await until(() => stage.run.of(LISTEN).length >= 4, 2 * WITHIN_MS);
    const times = stage.run.entries.flatMap((entry) =>
      entry.event === 'line' && entry.line.includes(LISTEN) ? [entry.at] : [],
    );
    const [first = 0, second = 0, third = 0] = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    expect(first).toBeGreaterThanOrEqual(100);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    await client.request(1, 'ping');
    expect(client.heard('notifications/cancelled')).toEqual([]);
  });
});

describe.concurrent('a stream that was lost', () => {
  test('is asked for again though the server was busy once', async ({ stage }) => {
    const url = await stage.http(
      modernServer(
        announcesTools,
        { on: LISTEN, sse: true, nth: 1, steps: [agrees(), { wait: 100 }, { close: true }] },
        { on: LISTEN, nth: 2, steps: [{ head: { status: 503 } }, { line: 'busy', end: '' }] },
        listening([agrees(), tells(TOOLS_CHANGED)]),
      ),
    );
    const { client } = await stage.stdio(url);
    await client.message(({ method }) => method === TOOLS_CHANGED, WITHIN_MS);
    expect(stage.run.of(LISTEN)).toHaveLength(3);
  });
});

describe.concurrent('an error without an id', () => {
  const nameless = {
    send: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
  };

  test('is the answer to the one call under way, and the stream stays', async ({ stage }) => {
    const { client } = await stage.stdio(
      modernServer(announcesTools, listening([agrees(), { wait: 600 }, tells(TOOLS_CHANGED)]), {
        on: 'tools/call',
        steps: [nameless],
      }),
    );
    await until(() => stage.run.of(LISTEN).length === 1);
    const { error } = await client.request(1, 'tools/call', { name: 'echo' });
    expect(error).toMatchObject({ code: -32700, message: 'Parse error' });
    await client.message(({ method }) => method === TOOLS_CHANGED, WITHIN_MS);
    expect(stage.run.of(LISTEN)).toHaveLength(1);
    expect(ended(stage.run)).toEqual([]);
  });

  test('does not end the stream where no call is under way', async ({ stage }) => {
    const { client } = await stage.stdio(
      modernServer(
        announcesTools,
        listening([agrees(), { wait: 200 }, nameless, { wait: 100 }, tells(TOOLS_CHANGED)], {
          nth: 1,
        }),
        listening([agrees()]),
      ),
    );
    await client.message(({ method }) => method === TOOLS_CHANGED, WITHIN_MS);
    expect(stage.run.of(LISTEN)).toHaveLength(1);
  });
});

describe.concurrent('a modern server that died and cannot be started', () => {
  test('is left alone until the next request', async ({ stage }) => {
    const script = modernServer(
      discovers({ tools: { listChanged: true }, resources: { subscribe: true } }),
      listening([agrees('a:1')], { contains: '"a:1"' }),
      listening([agrees()]),
      { on: 'tools/call', contains: '"die"', steps: [{ exit: 1 }] },
    );
    const server = new ChangingServer(stage, script);
    const { client } = server.stdio();
    client.write(initializeLine());
    await client.response('open');
    client.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await until(() => server.runs.at(-1)?.of(LISTEN).length === 1);
    server.remove();
    expect((await client.request(1, 'tools/call', { name: 'die' })).error).toBeDefined();
    client.write(subscribeLine(2, 'a:1'));
    expect((await client.response(2, WITHIN_MS)).error).toBeDefined();

    const tried = server.starts;
    await never(() => server.starts > tried, 2_500);
    server.become(script);
    expect((await client.request(3, 'tools/call', { name: 'echo' })).error).toBeUndefined();
    expect(server.starts).toBe(tried + 1);
    client.write(subscribeLine(4, 'a:1'));
    expect((await client.response(4, WITHIN_MS)).result).toEqual({});
    expect(server.starts).toBe(tried + 1);
  });
});
