import { describe, expect } from 'vitest';

import type { Script } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { legacy } from '../reports/support/rules.ts';
import { initializeLine, test, type Stage } from '../reports/support/stage.ts';

const WITHIN_MS = 5_000;
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

describe.concurrent('a modern server that no longer takes the revision agreed on', () => {
  const unsupported = {
    error: { code: -32022, message: 'Unsupported', data: { supported: ['2026-07-28'] } },
  };
  const complete = (words: string) => ({ result: { resultType: 'complete', ...text(words) } });
  const servers = {
    stdio: { open: async (script: Script) => script, refuses: [unsupported] },
    http: {
      open: (script: Script, stage: Stage) => stage.http(script),
      refuses: [{ head: { status: 400 } }, unsupported],
    },
  };

  test.for(['stdio', 'http'] as const)(
    'over %s finishes the call beside the one it refused',
    async (transport, { stage }) => {
      const { open, refuses } = servers[transport];
      const script = modernServer(
        { on: 'tools/call', contains: '"long"', steps: [{ wait: 700 }, complete('long')] },
        { on: 'tools/call', contains: '"bad"', nth: 1, steps: [...refuses] },
      );
      const { client } = await stage.stdio(await open(script, stage));
      client.send({ id: 1, method: 'tools/call', params: { name: 'long' } });
      await until(() => stage.run.methods.includes('tools/call'));
      const recovered = await client.request(2, 'tools/call', { name: 'bad' });
      expect(recovered.result).toMatchObject(text('ok'));
      expect(await client.response(1, WITHIN_MS)).toMatchObject({ result: text('long') });
      expect(stage.run.lines.filter((line) => line.includes('"long"'))).toHaveLength(1);
    },
  );

  test.for(['stdio', 'http'] as const)(
    'over %s takes two calls again that it refused at once',
    async (transport, { stage }) => {
      const { open, refuses } = servers[transport];
      const script = modernServer(
        { on: 'tools/call', nth: 1, steps: [...refuses] },
        { on: 'tools/call', nth: 2, steps: [{ wait: 150 }, ...refuses] },
        { on: 'tools/call', steps: [{ wait: 400 }, complete('again')] },
      );
      const { client } = await stage.stdio(await open(script, stage));
      for (const id of [1, 2]) client.send({ id, method: 'tools/call', params: { name: 'echo' } });
      for (const id of [1, 2]) {
        expect(await client.response(id, WITHIN_MS)).toMatchObject({ result: text('again') });
      }
      if (transport === 'stdio') expect(stage.runs()).toHaveLength(1);
    },
  );
});

describe.concurrent('a call that is cancelled while the server is being opened', () => {
  test.for([
    ['modern', modernServer()],
    ['legacy', legacy('2025-11-25')],
  ] as const)('never reaches a %s server, and is not answered', async ([, script], { stage }) => {
    const { client } = stage.unopened({ start: [{ wait: 500 }], ...script });
    const call = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo"}}`;
    const lines = [
      initializeLine(),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      call(1),
      call(2),
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    ];
    client.write(lines.join('\n'));
    expect(await client.response(2)).toMatchObject({ result: text('ok') });
    // The server would have answered in order.
    expect(client.responses(1)).toEqual([]);
    expect(stage.run.of('tools/call')).toHaveLength(1);
    // The id is free again.
    client.write(call(1));
    expect(await client.response(1, WITHIN_MS)).toMatchObject({ result: text('ok') });
    await client.request(3, 'ping');
    expect(client.responses(1)).toHaveLength(1);
  });

  test('leaves the other members of its batch to be answered', async ({ stage }) => {
    const { client } = stage.unopened({ start: [{ wait: 500 }], ...legacy('2025-03-26') });
    client.write(initializeLine({ revision: '2025-03-26' }));
    const call = (id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo' },
    });
    client.write(JSON.stringify([call(1), call(2)]));
    client.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    const answers = await until(() => client.lines.find((line) => line.startsWith('[')), WITHIN_MS);
    expect(JSON.parse(answers)).toMatchObject([{ id: 2, result: text('ok') }]);
    expect(stage.run.of('tools/call')).toHaveLength(1);
  });
});

describe.concurrent('a `_meta` that is no object', () => {
  test.for(['null', '[1.0, "a"]', '"s\\u0041"', '1e2'])(
    'crosses between legacy peers as it is written: %s',
    async (meta, { stage }) => {
      const { client } = await stage.stdio(legacy('2025-11-25'));
      const params = `{"name":"echo", "_meta": ${meta} ,"arguments":{}}`;
      client.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
      await client.response(1);
      const line = stage.run.lines.find((each) => each.includes('tools/call'));
      expect(line).toContain(`"params":${params}`);
    },
  );
});
