import { describe, expect } from 'vitest';

import type { Rule, Step } from '../../fixtures/raw/script.ts';
import { legacy } from './support/rules.ts';
import { initializeLine, test } from './support/stage.ts';

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

describe('a server that answers a notification with an error', () => {
  const refuses = (message: string): Rule => ({
    on: 'notifications/initialized',
    steps: [{ send: { jsonrpc: '2.0', error: { code: -32601, message }, id: null } }],
  });

  test.for(['Method not found: notifications/initialized', 'Method not found'])(
    'costs no request its answer, and the client hears nothing of it: %s',
    async (message, { stage }) => {
      // The list is under way when the error comes, and nothing else is.
      const list: Rule = { on: 'tools/list', steps: [{ wait: 100 }, { result: { tools: [] } }] };
      const cli = stage.unopened(legacy('2025-06-18', refuses(message), list));
      cli.client.write(initializeLine());
      await cli.client.response('open');
      cli.client.write(`${INITIALIZED}\n${LIST}`);
      expect(await cli.client.response(1)).toHaveProperty('result.tools');
      expect(cli.client.messages.filter(({ error }) => error !== undefined)).toEqual([]);
      expect(cli.logged('answered a notification with an error')).toHaveLength(1);
      expect(stage.runs()).toHaveLength(1);
    },
  );

  test('is told from one that loses the id of a request', async ({ stage }) => {
    const error = { code: -32601, message: 'Method not found: prompts/list' };
    const forgetful: Rule = {
      on: 'prompts/list',
      steps: [{ send: { jsonrpc: '2.0', error, id: null } }],
    };
    const { client } = await stage.stdio(legacy('2025-06-18', forgetful));
    expect(await client.request(1, 'prompts/list')).toMatchObject({ error });
  });
});

describe('what a server says before it has answered initialize', () => {
  const log = (data: string): Step => ({
    send: { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } },
  });
  const early: Rule = {
    on: 'initialize',
    steps: [
      log('one'),
      { send: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } },
      log('two'),
      {
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: true }, logging: {} },
          serverInfo: { name: 'early', version: '1' },
        },
      },
    ],
  };

  test('is told to the client once it is initialized, in its order', async ({ stage }) => {
    const { client } = stage.unopened(legacy('2025-06-18', early));
    client.write(initializeLine());
    await client.response('open');
    client.write(INITIALIZED);
    await client.message(({ method }) => method === 'notifications/tools/list_changed');
    expect(client.messages[0]).toHaveProperty('id', 'open');
    const logs = client.messages.filter(({ method }) => method === 'notifications/message');
    expect(logs.map(({ params }) => params?.['data'])).toEqual(['one', 'two']);
  });
});

describe('a server that serves nobody before the client is initialized', () => {
  test('is told so by the bridge, however slow the client is', async ({ stage }) => {
    const { client } = stage.unopened(legacy('2025-06-18'));
    client.write(initializeLine());
    await client.response('open');
    client.write(LIST);
    expect(await client.response(1)).toHaveProperty('result.tools');
    client.write(INITIALIZED);
    await client.request(2, 'tools/list');
    const { methods } = stage.run;
    expect(methods.slice(methods.indexOf('initialize'))).toEqual([
      ...['initialize', 'notifications/initialized'],
      ...['tools/list', 'tools/list'],
    ]);
  });
});
