import { describe, expect } from 'vitest';

import type { Rule, Step } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { answers, legacy } from '../reports/support/rules.ts';
import { test } from '../reports/support/stage.ts';

const WITHIN_MS = 5_000;
const ELICIT = 'elicitation/create';
const form = {
  method: ELICIT,
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
};
const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
const CLIENT = { capabilities: { elicitation: {}, sampling: {} } };
const done: Step = {
  result: { resultType: 'complete', content: [{ type: 'text', text: 'done' }] },
};

function asks(inputRequests: object, more: Partial<Rule> = {}): Rule {
  const result = { resultType: 'input_required', inputRequests, requestState: 's' };
  return { on: 'tools/call', ...more, steps: [{ result }] };
}

describe.concurrent('a question of a legacy server', () => {
  const CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
  const TOOLS = '{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}';

  test('is put to the client, though the bridge lists the tools for itself at that time', async ({
    stage,
  }) => {
    const listed = answers('tools/list', TOOLS, { nth: 1 });
    const { client } = await stage.stdio(
      legacy(
        '2025-11-25',
        { ...listed, steps: [...listed.steps, { wait: 50 }, { line: CHANGED }] },
        // The bridge never hears the end of the list that it asked for.
        { on: 'tools/list', steps: [] },
        { on: 'tools/call', steps: [{ send: { jsonrpc: '2.0', id: 77, ...form } }] },
      ),
      CLIENT,
    );
    await client.request(1, 'tools/list');
    await until(() => stage.run.of('tools/list').length === 2, WITHIN_MS);
    client.write('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}');
    const question = await client.message(({ method }) => method === ELICIT, WITHIN_MS);
    client.send({ id: question.id, result: { action: 'accept', content: {} } });
    await until(() => stage.run.messages.some(({ id }) => id === 77), WITHIN_MS);
    await client.request(3, 'ping');
    expect(stage.run.messages.filter(({ id }) => id === 77)).toMatchObject([
      { result: { action: 'accept', content: {} } },
    ]);
  });

  test('is put to the client where no call is under way but the bridge’s own', async ({
    stage,
  }) => {
    const listed = answers('tools/list', TOOLS, { nth: 1 });
    const { client } = await stage.stdio(
      legacy(
        '2025-11-25',
        { ...listed, steps: [...listed.steps, { wait: 50 }, { line: CHANGED }] },
        { on: 'tools/list', steps: [{ send: { jsonrpc: '2.0', id: 77, ...form } }] },
      ),
      CLIENT,
    );
    await client.request(1, 'tools/list');
    const question = await client.message(({ method }) => method === ELICIT, WITHIN_MS);
    client.send({ id: question.id, result: { action: 'decline' } });
    await until(() => stage.run.messages.some(({ id }) => id === 77), WITHIN_MS);
    await client.request(3, 'ping');
    expect(stage.run.messages.filter(({ id }) => id === 77)).toMatchObject([
      { result: { action: 'decline' } },
    ]);
  });
});

describe.concurrent('several questions of a modern server at once', () => {
  test('are not put to the client where one of them is of an unknown kind', async ({ stage }) => {
    const unknown = { method: 'foo/bar', params: {} };
    const { client } = await stage.stdio(modernServer(asks({ a: form, b: unknown })), CLIENT);
    const { result, error } = await client.request(1, 'tools/call', { name: 'echo' });
    expect(error ?? result).toMatchObject(error === undefined ? { isError: true } : {});
    expect(JSON.stringify(error ?? result)).toContain('foo/bar');
    await client.request(2, 'ping');
    expect(client.heard(ELICIT)).toEqual([]);
    expect(stage.run.of('tools/call')).toHaveLength(1);
  });

  test('are withdrawn where the client fails at one of them', async ({ stage }) => {
    const { client } = await stage.stdio(modernServer(asks({ a: form, b: sampling })), CLIENT);
    client.send({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    const elicitation = await client.message(({ method }) => method === ELICIT);
    const { id } = await client.message(({ method }) => method === sampling.method);
    client.send({ id, error: { code: -1, message: 'The user said no' } });
    const { error } = await client.response(1, WITHIN_MS);
    expect(error).toMatchObject({ code: -1, message: 'The user said no' });
    await client.message(({ method }) => method === 'notifications/cancelled', WITHIN_MS);
    expect(client.heard('notifications/cancelled').map(({ params }) => params)).toMatchObject([
      { requestId: elicitation.id },
    ]);
    // Who answers all the same does no harm.
    client.send({ id: elicitation.id, result: { action: 'accept', content: {} } });
    await client.request(2, 'ping');
    expect(stage.run.of('tools/call')).toHaveLength(1);
    expect(client.responses(1)).toHaveLength(1);
  });
});

describe.concurrent('a modern server that asks again and again', () => {
  const ROUNDS = 10;

  test('is served where it finishes after ten questions', async ({ stage }) => {
    const { client } = await stage.stdio(
      modernServer(asks({ a: form }, { nth: [1, ROUNDS] }), { on: 'tools/call', steps: [done] }),
      CLIENT,
    );
    client.send({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    for (let round = 1; round <= ROUNDS; round += 1) {
      await until(() => client.heard(ELICIT).length === round, WITHIN_MS);
      client.send({
        id: client.heard(ELICIT).at(-1)?.id,
        result: { action: 'accept', content: {} },
      });
    }
    const { result } = await client.response(1, WITHIN_MS);
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect(stage.run.of('tools/call')).toHaveLength(ROUNDS + 1);
  });

  test('is refused its eleventh question, and the client told so', async ({ stage }) => {
    const { client } = await stage.stdio(modernServer(asks({ a: form })), CLIENT);
    client.send({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    for (let round = 1; round <= ROUNDS; round += 1) {
      await until(() => client.heard(ELICIT).length === round, WITHIN_MS);
      client.send({
        id: client.heard(ELICIT).at(-1)?.id,
        result: { action: 'accept', content: {} },
      });
    }
    const { error } = await client.response(1, WITHIN_MS);
    expect(error?.message).toMatch(/asked for input/);
    expect(client.heard(ELICIT)).toHaveLength(ROUNDS);
    expect(stage.run.of('tools/call')).toHaveLength(ROUNDS + 1);
  });

  test('is given time where it asks for nothing', async ({ stage }) => {
    const { client } = await stage.stdio(
      modernServer(asks({}, { nth: [1, 3] }), { on: 'tools/call', steps: [done] }),
      CLIENT,
    );
    const { result } = await client.request(1, 'tools/call', { name: 'echo' });
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    const times = stage.run.entries.flatMap((entry) =>
      entry.event === 'line' && entry.line.includes('"tools/call"') ? [entry.at] : [],
    );
    expect(times).toHaveLength(4);
    for (const [index, at] of times.slice(1).entries()) {
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(100);
    }
  });
});
