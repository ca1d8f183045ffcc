import { describe, expect } from 'vitest';

import type { Rule } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { HttpClient } from './support/httpClient.ts';
import { answers, legacy } from './support/rules.ts';
import { test } from './support/stage.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'ed', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('a server that never answers a ping', () => {
  const deaf: Rule = { on: 'ping', steps: [{ hang: true }] };

  test('is not started again while it answers all else', async ({ stage }) => {
    const entry = stage.entry(legacy('2025-06-18', deaf), 'deaf', { timeouts: { requestMs: 300 } });
    const { urls } = await stage.serve({ deaf: entry });
    const client = new HttpClient(urls['deaf'] ?? '');
    await client.open();
    for (const id of [1, 3]) {
      const { error } = await client.request(id, 'ping');
      expect(error?.message).toContain('did not answer ping within 0.3 s');
      expect(await client.request(id + 1, 'tools/call', { name: 'echo' })).toMatchObject({
        result: { content: [{ text: 'ok' }] },
      });
    }
    expect(stage.runs('deaf')).toHaveLength(1);
  });
});

describe('an answer to a ping that is a list', () => {
  const script = legacy('2025-06-18', answers('ping', '[]'));

  test.for(['strict', 'permissive'])('is read as an empty one by %s', async (policy, { stage }) => {
    const { client } = await stage.stdio(script, { flags: ['--degrade', policy] });
    client.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    await client.response(1);
    expect(client.lines.at(-1)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(stage.report).toMatchObject([{ kind: 'report', feature: 'result-content' }]);
  });
});

describe('a ping', () => {
  test('of a legacy client is answered in the name of a modern server, which knows none', async ({
    stage,
  }) => {
    const { client } = await stage.stdio(modernServer());
    expect((await client.request(1, 'ping')).result).toEqual({});
    expect(stage.run.methods).not.toContain('ping');
  });

  test.for([
    ['modern', modernServer()],
    ['legacy', legacy('2025-11-25')],
  ] as const)('of a modern client is unknown before a %s server', async ([, script], { stage }) => {
    const { client } = stage.unopened(script);
    await client.request(1, 'tools/list', { _meta: META });
    expect((await client.request(2, 'ping', { _meta: META })).error?.code).toBe(-32601);
    expect(stage.runs()).toHaveLength(1);
  });
});
