import { describe, expect } from 'vitest';

import { modernServer } from '../../fixtures/raw/scripts.ts';
import type { Message, RawClient } from '../../support/rawClient.ts';
import { until } from '../../support/until.ts';
import { HttpClient } from './support/httpClient.ts';
import { legacy } from './support/rules.ts';
import { test } from './support/stage.ts';

const BATCH =
  '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]';
const BATCHING = { revision: '2025-03-26' };

/** The arrays that a client was sent. */
const arrays = (client: RawClient): Message[][] =>
  client.lines.filter((line) => line.startsWith('[')).map((line) => JSON.parse(line) as Message[]);

async function array(client: RawClient): Promise<Message[]> {
  return until(() => arrays(client)[0]);
}

describe('a batch of a client of 2025-03-26', () => {
  test.for([
    ['legacy', legacy('2025-06-18')],
    ['modern', modernServer()],
  ] as const)(
    'is split for a %s server, and its answers gathered into one array',
    async ([, server], { stage }) => {
      const { client } = await stage.stdio(server, BATCHING);
      client.write(BATCH);
      const answers = await array(client);
      expect(answers).toHaveLength(2);
      expect(answers.find(({ id }) => id === 1)?.result).toEqual({});
      expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({
        tools: [{ name: 'echo' }],
      });
      expect(stage.run.lines.every((line) => line.startsWith('{'))).toBe(true);
      expect(client.responses(1)).toEqual([]);
    },
  );

  test('is answered for all that are left when one of it is cancelled', async ({ stage }) => {
    const { client } = await stage.stdio(
      legacy('2025-06-18', { on: 'tools/call', steps: [{ hang: true }] }),
      BATCHING,
    );
    client.write(BATCH.replace('"ping"', '"tools/call"'));
    await until(() => stage.run.of('tools/call').length === 1);
    client.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    expect((await array(client)).map(({ id }) => id)).toEqual([2]);
  });

  const hangs = legacy('2025-06-18', { on: 'tools/call', steps: [{ hang: true }] });
  const CALLS = '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w"}}]';
  const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';

  test('is not answered when all of it is cancelled', async ({ stage }) => {
    const { client } = await stage.stdio(hangs, BATCHING);
    client.write(CALLS);
    await until(() => stage.run.of('tools/call').length === 1);
    client.write(CANCEL);
    await client.request(3, 'ping');
    expect(arrays(client)).toEqual([]);
  });

  test('is not answered over HTTP either when all of it is cancelled', async ({ stage }) => {
    const { urls } = await stage.serve({ one: stage.entry(hangs, 'one') });
    const client = new HttpClient(urls['one'] ?? '');
    await client.open(BATCHING);
    const batch = client.post(CALLS);
    await until(() => stage.runs('one')[0]?.of('tools/call').length === 1);
    await client.post(CANCEL);
    expect(await batch).toMatchObject({ status: 202, lines: [''] });
  });

  test('is not answered where it asks nothing', async ({ stage }) => {
    const { client } = await stage.stdio(legacy('2025-06-18'), BATCHING);
    client.write('[{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]');
    await client.request(3, 'ping');
    expect(arrays(client)).toEqual([]);
    expect(stage.run.methods).toContain('notifications/roots/list_changed');
  });

  test('is split and gathered over HTTP', async ({ stage }) => {
    const { urls } = await stage.serve({ one: stage.entry(legacy('2025-06-18'), 'one') });
    const client = new HttpClient(urls['one'] ?? '');
    await client.open(BATCHING);
    const { status, lines } = await client.post(BATCH);
    expect(status).toBe(200);
    const answers = JSON.parse(lines[0] ?? '') as Message[];
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  });
});

describe('a batch of a client of another revision', () => {
  test.for(['2024-11-05', '2025-06-18', '2025-11-25'])(
    'is refused to %s, and nothing of it reaches the server',
    async (revision, { stage }) => {
      const { client } = await stage.stdio(legacy('2025-06-18'), { revision });
      client.write(BATCH);
      const refused = await client.message(({ id }) => id === null);
      expect(refused.error?.code).toBe(-32600);
      expect(refused.error?.message).toContain('2025-03-26 only');
      await client.request(3, 'ping');
      expect(client.responses(1)).toEqual([]);
      expect(stage.run.methods).not.toContain('tools/list');
    },
  );

  test('is refused over HTTP', async ({ stage }) => {
    const { urls } = await stage.serve({ one: stage.entry(legacy('2025-06-18'), 'one') });
    const client = new HttpClient(urls['one'] ?? '');
    await client.open();
    const { messages } = await client.post(BATCH);
    expect(messages).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(stage.runs('one')[0]?.methods).not.toContain('tools/list');
  });
});

describe('an empty batch', () => {
  test.for(['2025-03-26', '2025-11-25'])('is refused to %s', async (revision, { stage }) => {
    const { client } = await stage.stdio(legacy('2025-06-18'), { revision });
    client.write('[]');
    const { error } = await client.message(({ id }) => id === null);
    expect(error?.code).toBe(-32600);
  });
});

describe('a batch of the server', () => {
  test('is split, so that every client can read it', async ({ stage }) => {
    const log =
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hi"}}';
    const answer = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}';
    const { client } = await stage.stdio(
      legacy('2025-03-26', { on: 'tools/call', steps: [{ line: `[${log},${answer}]` }] }),
    );
    client.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w"}}');
    expect(await client.responseLine(1)).toBe('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    expect(client.lines).toContain(log);
    expect(arrays(client)).toEqual([]);
  });
});
