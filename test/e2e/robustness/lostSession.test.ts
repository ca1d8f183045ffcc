import { describe, expect } from 'vitest';

import type { Rule } from '../../fixtures/raw/script.ts';
import { startListening } from '../../support/childProcess.ts';
import { fixtureCommand } from '../../support/fixture.ts';
import { until } from '../../support/until.ts';
import { HttpClient } from '../reports/support/httpClient.ts';
import { test } from '../reports/support/stage.ts';
import { badRequest, forgets, notFound, sessionsOf, text, tool } from './forgets.ts';

const NOT_RETRIED = /session was lost, and the call not retried/;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'ed', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe.concurrent('a session that a legacy server over HTTP has forgotten', () => {
  test.for([
    ['404', notFound],
    ['400 and words', badRequest],
  ] as const)('and says so by %s is opened anew once', async ([, steps], { stage }) => {
    const loses: Rule = { on: 'tools/call', nth: [2, 4], gather: 3, steps: [...steps] };
    const slow: Rule = { on: 'tools/call', nth: 1, steps: [{ wait: 300 }, { result: text('ok') }] };
    const { client } = await stage.stdio(await stage.http(forgets(slow, loses)));
    await client.request('list', 'tools/list');
    client.send({ id: 1, method: 'tools/call', params: { name: 'plain' } });
    await until(() => stage.run.methods.includes('tools/call'));
    for (const [id, name] of [
      [2, 'read'],
      [3, 'same'],
      [4, 'write'],
    ] as const) {
      client.send({ id, method: 'tools/call', params: { name } });
    }
    for (const id of [1, 2, 3]) {
      expect(await client.response(id)).toMatchObject({ result: text('ok') });
    }
    const { error } = await client.response(4);
    expect(error?.message).toMatch(NOT_RETRIED);
    expect(sessionsOf(stage, 'initialize')).toEqual([undefined, undefined]);
    expect(sessionsOf(stage, 'tools/call')).toEqual([
      ...['first', 'first', 'first', 'first'],
      ...['second', 'second'],
    ]);
    for (const id of ['open', 1, 2, 3, 4]) expect(client.responses(id)).toHaveLength(1);
    expect(await client.request(5, 'tools/call', { name: 'write' })).toMatchObject({
      result: text('ok'),
    });
  });

  test('is the same session to a modern client', async ({ stage }) => {
    const loses: Rule = { on: 'tools/call', nth: [1, 2], gather: 2, steps: [...notFound] };
    const { client } = stage.unopened(await stage.http(forgets(loses)));
    await client.request(1, 'tools/list', { _meta: META });
    client.send({ id: 2, method: 'tools/call', params: { name: 'read', _meta: META } });
    client.send({ id: 3, method: 'tools/call', params: { name: 'plain', _meta: META } });
    expect(await client.response(2)).toMatchObject({ result: text('ok') });
    expect((await client.response(3)).error?.message).toMatch(NOT_RETRIED);
    expect(sessionsOf(stage, 'initialize')).toEqual([undefined, undefined]);
  });

  test('is no concern of a client’s own session', async ({ stage }) => {
    const loses: Rule = { on: 'tools/call', nth: 1, steps: [...notFound] };
    const { urls } = await stage.serve({ one: { url: await stage.http(forgets(loses)) } });
    const user = new HttpClient(urls['one'] ?? '');
    await user.open();
    expect((await user.request(1, 'tools/call', { name: 'echo' })).error?.message).toMatch(
      NOT_RETRIED,
    );
    expect(await user.request(2, 'tools/call', { name: 'echo' })).toMatchObject({
      result: text('ok'),
    });
  });

  test('is set to what the old one was set to', async ({ stage }) => {
    const loses: Rule = { on: 'tools/call', nth: 1, steps: [...notFound] };
    const { client } = await stage.stdio(await stage.http(forgets(loses)));
    await client.request(1, 'logging/setLevel', { level: 'debug' });
    await client.request(2, 'resources/subscribe', { uri: 'test://one' });
    await client.request(3, 'tools/list');
    await client.request(4, 'tools/call', { name: 'read' });
    expect(sessionsOf(stage, 'logging/setLevel')).toEqual(['first', 'second']);
    expect(sessionsOf(stage, 'resources/subscribe')).toEqual(['first', 'second']);
    const { methods } = stage.run;
    expect(
      methods.slice(methods.lastIndexOf('initialize'), methods.lastIndexOf('tools/call')),
    ).toEqual([
      ...['initialize', 'notifications/initialized'],
      ...['logging/setLevel', 'resources/subscribe'],
    ]);
  });

  test('tells of tools that are others in the new one', async ({ stage }) => {
    const loses: Rule = { on: 'tools/call', nth: 1, steps: [...notFound] };
    const others: Rule = {
      on: 'tools/list',
      nth: 2,
      steps: [{ result: { tools: [tool('new')] } }],
    };
    const { client } = await stage.stdio(await stage.http(forgets(loses, others)));
    await client.request(1, 'tools/list');
    await client.request(2, 'tools/call', { name: 'read' });
    await client.message(({ method }) => method === 'notifications/tools/list_changed');
  });

  test('and again right away ends in an error', async ({ stage }) => {
    const loses: Rule = { on: 'tools/call', nth: [1, 2], steps: [...notFound] };
    const { client } = await stage.stdio(await stage.http(forgets(loses)));
    await client.request(1, 'tools/list');
    const { error } = await client.request(2, 'tools/call', { name: 'read' });
    expect(error?.message).toMatch(/lost again/);
    expect(sessionsOf(stage, 'initialize')).toHaveLength(2);
    expect(await client.request(3, 'tools/call', { name: 'read' })).toMatchObject({
      result: text('ok'),
    });
  });

  test('and does not open again ends in an error that says so', async ({ stage }) => {
    const loses: Rule = { on: 'tools/call', nth: 1, steps: [...notFound] };
    const refuses: Rule = { on: 'initialize', nth: 2, steps: [{ head: { status: 503 } }] };
    const { client } = await stage.stdio(await stage.http(forgets(loses, refuses)));
    await client.request(1, 'tools/list');
    const { error } = await client.request(2, 'tools/call', { name: 'read' });
    expect(error?.message).toMatch(/has lost the session, and no other could be opened: .*503/);
    expect(await client.request(3, 'tools/call', { name: 'read' })).toMatchObject({
      result: text('ok'),
    });
  });

  test('and does not open again for a reason with a secret in it keeps that to itself', async ({
    stage,
  }) => {
    const loses: Rule = { on: 'tools/call', nth: 1, steps: [...notFound] };
    const error = { code: -32000, message: 'no more sessions for key-4711' };
    const refuses: Rule = { on: 'initialize', nth: [2, 9], steps: [{ error }] };
    const url = `${await stage.http(forgets(loses, refuses))}?api_key=key-4711`;
    const { client } = await stage.stdio(url);
    await client.request(1, 'tools/list');
    const lost = await client.request(2, 'tools/call', { name: 'read' });
    expect(lost.error?.message).toMatch(/has lost the session.*no more sessions for •••$/);
    const again = await client.request(3, 'tools/call', { name: 'read' });
    expect(again.error?.message).toMatch(/could not be opened.*no more sessions for •••$/);
  });

  test('fails a request that is no call in words that fit it', async ({ stage }) => {
    const loses: Rule = { on: 'x-vendor/do', nth: 1, steps: [...notFound] };
    const { client } = await stage.stdio(await stage.http(forgets(loses)));
    const { error } = await client.request(1, 'x-vendor/do');
    expect(error?.message).toMatch(/session was lost, and the request not repeated/);
    expect(error?.message).not.toContain('tool');
  });

  test('keeps a call that is cancelled meanwhile from the new one', async ({ stage }) => {
    const loses: Rule = { on: 'tools/call', nth: 1, steps: [...notFound] };
    const slow: Rule = {
      on: 'initialize',
      nth: 2,
      steps: [
        { wait: 500 },
        { head: { headers: { 'Mcp-Session-Id': 'second' } } },
        {
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'scripted', version: '1' },
          },
        },
      ],
    };
    const { client } = await stage.stdio(await stage.http(forgets(loses, slow)));
    await client.request(1, 'tools/list');
    client.send({ id: 2, method: 'tools/call', params: { name: 'read' } });
    await until(() => stage.run.of('initialize').length === 2);
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    client.send({ id: 3, method: 'tools/call', params: { name: 'read' } });
    expect(await client.response(3)).toMatchObject({ result: text('ok') });
    expect(client.responses(2)).toEqual([]);
    expect(sessionsOf(stage, 'tools/call')).toEqual(['first', 'second']);
    expect(stage.run.methods).not.toContain('notifications/cancelled');
  });
});

describe('a server on the SDK that is started again', () => {
  test('is the same server to its client', async ({ stage }) => {
    const command = fixtureCommand('everythingLegacy', 'http');
    const first = await startListening(command);
    const { client } = await stage.stdio(first.url);
    const before = await client.request(1, 'tools/list');
    await first.stop();
    const port = ['--port', new URL(first.url).port];
    const second = await startListening({ ...command, args: [...command.args, ...port] });
    try {
      const after = await client.request(2, 'tools/list');
      expect(after.result).toEqual(before.result);
      const quoted = await client.request(3, 'tools/call', { name: 'test_simple_text' });
      expect(quoted.error).toBeUndefined();
    } finally {
      await second.stop();
    }
  });
});
