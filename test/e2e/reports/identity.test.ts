import { describe, expect } from 'vitest';

import type { Rule } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { answers, legacy } from './support/rules.ts';
import { test } from './support/stage.ts';

const SLOW =
  '{"jsonrpc":"2.0","id":101,"method":"tools/call","params":{"name":"slow","arguments":{}}}';
const CANCEL =
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":101,"reason":"user"}}';
const call = (id: string, more = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"w","arguments":{}${more}}}`;

describe('the ids of requests', () => {
  test('come back with their value and their type', async ({ stage }) => {
    const { client } = await stage.stdio(
      legacy('2025-11-25', answers('prompts/list', '{"prompts":[]}')),
    );
    client.write('{"jsonrpc":"2.0","id":0,"method":"tools/list"}');
    client.write('{"jsonrpc":"2.0","id":"0","method":"ping"}');
    client.write('{"jsonrpc":"2.0","id":"4f0c-uuid","method":"prompts/list"}');
    expect((await client.response(0)).result).toMatchObject({ tools: [{ name: 'echo' }] });
    expect((await client.response('0')).result).toEqual({});
    expect((await client.response('4f0c-uuid')).result).toEqual({ prompts: [] });
  });

  test('are the bridge’s own towards the server, so that no two are alike', async ({ stage }) => {
    const { client } = await stage.stdio(legacy('2025-11-25'));
    await client.request(1, 'ping');
    await client.request(1, 'ping');
    const ids = stage.run.messages.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.for([['strict'], ['permissive']] as const)(
    'may lose their type at the server, with a warning under %s',
    async ([policy], { stage }) => {
      const quoted: Rule = {
        on: 'tools/call',
        steps: [{ line: '{"jsonrpc":"2.0","id":"$IDTEXT","result":{"content":[]}}' }],
      };
      const cli = await stage.stdio(legacy('2025-11-25', quoted), { flags: ['--degrade', policy] });
      cli.client.write(call('3'));
      expect(await cli.client.responseLine(3)).toBe(
        '{"jsonrpc":"2.0","id":3,"result":{"content":[]}}',
      );
      expect(cli.logged('the answer was accepted')).toHaveLength(1);
    },
  );

  test('may not be used twice at a time', async ({ stage }) => {
    const done = '{"content":[{"type":"text","text":"first"}]}';
    const slow: Rule = { on: 'tools/call', steps: [{ wait: 200 }, ...answers('', done).steps] };
    const { client } = await stage.stdio(legacy('2025-11-25', slow));
    client.write(
      '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"slow","arguments":{"n":1}}}',
    );
    client.write(
      '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"slow","arguments":{"n":2}}}',
    );
    await until(() => client.responses(8).length === 2);
    expect(client.responses(8)).toMatchObject([
      { error: { code: -32600 } },
      { result: { content: [{ text: 'first' }] } },
    ]);
    expect(stage.run.of('tools/call')).toMatchObject([{ params: { arguments: { n: 1 } } }]);
  });
});

describe('answers to nobody', () => {
  const NULL_ID = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}';

  test('without an id fail the one request that is open', async ({ stage }) => {
    const cli = await stage.stdio(
      legacy('2025-11-25', { on: 'tools/call', steps: [{ line: NULL_ID }] }),
    );
    cli.client.write(call('8'));
    const { error } = await cli.client.response(8);
    expect(error).toMatchObject({ code: -32700, message: 'Parse error' });
    expect(cli.logged('without an id')).toHaveLength(1);
  });

  test('without an id are only logged where several are open', async ({ stage }) => {
    const cli = await stage.stdio(
      legacy(
        '2025-11-25',
        { on: 'tools/call', contains: '"a"', steps: [{ wait: 200 }, { result: { content: [] } }] },
        { on: 'tools/call', steps: [{ line: NULL_ID }, { result: { content: [] } }] },
      ),
    );
    cli.client.send({ id: 1, method: 'tools/call', params: { name: 'a' } });
    cli.client.send({ id: 2, method: 'tools/call', params: { name: 'b' } });
    expect((await cli.client.response(2)).error).toBeUndefined();
    expect((await cli.client.response(1)).error).toBeUndefined();
    expect(cli.logged('without an id')).toHaveLength(1);
  });

  test('that are late or of an unknown id are dropped with one warning', async ({ stage }) => {
    const cli = await stage.stdio(
      legacy('2025-11-25', {
        on: 'tools/call',
        steps: [
          { line: '{"jsonrpc":"2.0","id":777,"result":{}}' },
          { result: { content: [] } },
          { result: { content: [{ type: 'text', text: 'again' }] } },
        ],
      }),
    );
    await cli.client.request(8, 'tools/call', { name: 'w' });
    await cli.client.request(9, 'ping');
    expect(cli.client.responses(8)).toMatchObject([{ result: { content: [] } }]);
    expect(cli.client.responses(777)).toEqual([]);
    expect(stage.report).toMatchObject([{ kind: 'warning', topic: 'unknown-id' }]);
  });
});

describe('an answer of the client to no question', () => {
  test('is nobody’s business', async ({ stage }) => {
    const { client } = await stage.stdio(legacy('2025-11-25'));
    client.write('{"jsonrpc":"2.0","id":"nobody-asked","result":{"action":"accept"}}');
    client.write('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}');
    await client.request(2, 'ping');
    expect(stage.run.methods).not.toContain('response');
    expect(client.lines).toHaveLength(2);
  });
});

describe('a cancelled request', () => {
  test('is cancelled over stdio under the id that the server knows', async ({ stage }) => {
    const { client } = await stage.stdio(
      legacy('2025-11-25', {
        on: 'tools/call',
        steps: [{ wait: 300 }, { result: { content: [] } }],
      }),
    );
    client.write(SLOW);
    client.write(CANCEL);
    const [cancelled] = await until(() => {
      const heard = stage.run.of('notifications/cancelled');
      return heard.length > 0 && heard;
    });
    const [slow] = stage.run.of('tools/call');
    expect(cancelled?.params).toEqual({ requestId: slow?.id, reason: 'user' });
    // The server answers all the same, and only then takes the next call.
    await client.request(102, 'tools/call', { name: 'slow' });
    expect(client.responses(101)).toEqual([]);
  });

  test('is cancelled over HTTP by closing its stream', async ({ stage }) => {
    const slow: Rule = { on: 'tools/call', contains: '"slow"', sse: true, steps: [{ hang: true }] };
    const { client } = await stage.stdio(await stage.http(modernServer(slow)));
    client.write(SLOW);
    await until(() => stage.run.of('tools/call').length === 1);
    client.write(CANCEL);
    await until(() => stage.run.saw('aborted'));
    await client.request(102, 'tools/call', { name: 'echo' });
    expect(stage.run.methods).not.toContain('notifications/cancelled');
    expect(client.responses(101)).toEqual([]);
  });

  test('that nobody knows is nobody’s business', async ({ stage }) => {
    const { client } = await stage.stdio(legacy('2025-11-25'));
    client.write(CANCEL);
    client.write(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"open"}}',
    );
    await client.request(2, 'ping');
    expect(stage.run.methods).not.toContain('notifications/cancelled');
  });
});

describe('progress', () => {
  const progress = (token: string): string =>
    `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":0,"total":1}}`;
  const working: Rule = {
    on: 'tools/call',
    steps: [
      { line: progress('"tool-call-1"') },
      { line: progress('$TOKEN') },
      { result: { content: [] } },
      { line: progress('$TOKEN') },
    ],
  };

  test.for(['0', '""', '"0"', '1.0', '9007199254740993', '"a\\u0062"'])(
    'comes back under the token %s, ahead of the answer alone',
    async (token, { stage }) => {
      const { client } = await stage.stdio(legacy('2025-11-25', working));
      client.write(call('1', `,"_meta":{"progressToken":${token}}`));
      await client.response(1);
      await client.request(2, 'ping');
      const told = client.lines.filter((line) => line.includes('notifications/progress'));
      expect(told).toEqual([progress(token)]);
      const order = client.messages.map(({ id, method }) => method ?? id);
      expect(order.indexOf('notifications/progress')).toBeLessThan(order.indexOf(1));
    },
  );

  test('is not told to a client that did not ask for it', async ({ stage }) => {
    const { client } = await stage.stdio(legacy('2025-11-25', working));
    client.write(call('1'));
    await client.response(1);
    await client.request(2, 'ping');
    expect(client.heard('notifications/progress')).toEqual([]);
  });

  test('is asked for under a token of its own each time', async ({ stage }) => {
    const { client } = await stage.stdio(modernServer(working));
    client.write(call('1', ',"_meta":{"progressToken":0}'));
    client.write(call('2', ',"_meta":{"progressToken":0}'));
    client.write(call('3'));
    await client.response(3);
    const tokens = stage.run
      .of('tools/call')
      .map(({ params }) => (params?.['_meta'] as { progressToken: unknown }).progressToken);
    expect(new Set(tokens).size).toBe(3);
  });
});
