import { describe, expect } from 'vitest';

import type { Script } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { answers, legacy } from './support/rules.ts';
import { test, type Stage } from './support/stage.ts';

const PAY =
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"pay","arguments":{"eur":3}}}';
const ASKS =
  '{"resultType":"input_required","inputRequests":{"ok":{"method":"elicitation/create","params":{"mode":"form","message":"Pay 3 EUR?","requestedSchema":{"type":"object","properties":{"yes":{"type":"boolean"}},"required":["yes"]}}}},"requestState":"s1"}';
const PAID = '{"resultType":"complete","content":[{"type":"text","text":"paid"}]}';
const shop: Script = modernServer(
  answers('tools/call', PAID, { contains: '"requestState":"s1"' }),
  answers('tools/call', ASKS),
);
const FORM = { capabilities: { elicitation: { form: {} } } };

describe('a modern server that asks for input in the course of a call', () => {
  test('has its question put to the client, and gets the answer under a new id', async ({
    stage,
  }) => {
    const { client } = await stage.stdio(shop, FORM);
    client.write(PAY);
    const question = await client.message(({ method }) => method === 'elicitation/create');
    expect(question).toEqual({
      jsonrpc: '2.0',
      id: expect.any(String) as string,
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'Pay 3 EUR?',
        requestedSchema: {
          type: 'object',
          properties: { yes: { type: 'boolean' } },
          required: ['yes'],
        },
      },
    });
    client.send({ id: question.id, result: { action: 'accept', content: { yes: true } } });
    const { result } = await client.response(7);
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'paid' }] });

    const [first, retry, ...others] = stage.run.of('tools/call');
    expect(others).toEqual([]);
    expect(retry?.id).not.toBe(first?.id);
    expect(retry?.params).toMatchObject({
      name: 'pay',
      arguments: { eur: 3 },
      inputResponses: { ok: { action: 'accept', content: { yes: true } } },
      requestState: 's1',
    });
    expect(client.responses(7)).toHaveLength(1);
  });

  test('hears of a client that fails at an elicitation as of one that cancels it', async ({
    stage,
  }) => {
    const { client } = await stage.stdio(shop, FORM);
    client.write(PAY);
    const { id } = await client.message(({ method }) => method === 'elicitation/create');
    client.send({ id, error: { code: -32603, message: 'no window' } });
    await client.response(7);
    expect(stage.run.of('tools/call').at(-1)?.params).toMatchObject({
      inputResponses: { ok: { action: 'cancel' } },
    });
  });

  test.for([['strict'], ['permissive']] as const)(
    'is refused under %s where the client cannot be asked',
    async ([policy], { stage }) => {
      const { client } = await stage.stdio(shop, { flags: ['--degrade', policy] });
      client.write(PAY);
      const { result } = await client.response(7);
      expect(result).toMatchObject({
        isError: true,
        content: [
          { type: 'text', text: expect.stringContaining('does not support elicitation') as string },
        ],
        _meta: { bridge: { refused: 'client-capability' } },
      });
      expect(stage.report).toMatchObject([
        { kind: 'refusal', feature: 'client-capability', tool: 'pay' },
      ]);
      expect(stage.run.of('tools/call')).toHaveLength(1);
    },
  );

  test('has its question withdrawn when the client cancels the call', async ({ stage }) => {
    const { client } = await stage.stdio(shop, FORM);
    client.write(PAY);
    const { id } = await client.message(({ method }) => method === 'elicitation/create');
    client.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
    const [cancelled] = await until(() => {
      const heard = client.heard('notifications/cancelled');
      return heard.length > 0 && heard;
    });
    expect(cancelled?.params).toEqual({ requestId: id });
    await client.request(8, 'ping');
    expect(client.responses(7)).toEqual([]);
    expect(stage.run.of('tools/call')).toHaveLength(1);
  });
});

describe.each(['modern', 'legacy'] as const)('a form of today from a %s server', (era) => {
  const PARAMS =
    '{"message":"Prio?","requestedSchema":{"type":"object","properties":{"p":{"type":"string","oneOf":[{"const":"lo","title":"Low"},{"const":"hi","title":"High"}]},"tags":{"type":"array","items":{"type":"string","enum":["x","y"]}}},"required":["p"]}}';
  const ELICIT = 'elicitation/create';
  const inputRequests = `{"q":{"method":"${ELICIT}","params":${PARAMS}}}`;
  const asks = `{"resultType":"input_required","inputRequests":${inputRequests},"requestState":"s1"}`;
  const line = `{"jsonrpc":"2.0","id":3,"method":"${ELICIT}","params":${PARAMS}}`;
  const server: Script =
    era === 'modern'
      ? modernServer(
          answers('tools/call', PAID, { contains: '"requestState":"s1"' }),
          answers('tools/call', asks),
        )
      : legacy('2025-11-25', { on: 'tools/call', steps: [{ line }] });
  const older = { revision: '2025-06-18', capabilities: { elicitation: {} } };

  /** What the server was answered, as it stands on the wire. */
  const answered = (stage: Stage): Promise<string> =>
    until(() => {
      const lines = stage.run.entries.flatMap((entry) =>
        entry.event === 'line' ? [entry.line] : [],
      );
      return lines.find((each) => each.includes('"action"')) ?? false;
    });

  test('is refused by name to a client of 2025-06-18, and nobody is asked', async ({ stage }) => {
    const { client } = await stage.stdio(server, older);
    client.write(PAY);
    const [refusal] = await until(() => stage.report.length > 0 && stage.report);
    expect(refusal).toMatchObject({
      kind: 'refusal',
      feature: 'elicitation-multi-select',
      path: '/requestedSchema/properties/tags',
      hint: expect.stringContaining('allow "elicitation-multi-select"') as string,
    });
    expect(client.heard(ELICIT)).toEqual([]);
  });

  test('is asked of that client in its own fields where the policy allows it', async ({
    stage,
  }) => {
    const flags = ['--degrade', 'elicitation-multi-select'];
    const { client } = await stage.stdio(server, { ...older, flags });
    client.write(PAY);
    const asked = await client.message(({ method }) => method === ELICIT);
    expect(asked.params).toEqual({
      message: 'Prio?',
      requestedSchema: {
        type: 'object',
        properties: {
          p: { type: 'string', enum: ['lo', 'hi'], enumNames: ['Low', 'High'] },
          tags: { type: 'string', description: 'any of: x, y; separate several by commas' },
        },
        required: ['p'],
      },
    });
    client.send({ id: asked.id, result: { action: 'accept', content: { p: 'hi', tags: 'y' } } });
    expect(await answered(stage)).toContain(
      '{"action":"accept","content":{"p":"hi","tags":["y"]}}',
    );
    expect(stage.report.map(({ feature, loss }) => `${feature} ${loss}`)).toEqual([
      'elicitation-titled-enum none',
      'elicitation-multi-select lossy',
      'elicitation-multi-select none',
    ]);
  });

  test('reaches a client of 2025-11-25 as it stands', async ({ stage }) => {
    const { client } = await stage.stdio(server, FORM);
    client.write(PAY);
    const asked = await client.line(({ method }) => method === ELICIT);
    expect(asked).toContain(PARAMS);
    const content = '{"p":"hi","tags":[]}';
    const { id } = JSON.parse(asked) as { id: string };
    client.write(
      `{"jsonrpc":"2.0","id":"${id}","result":{"action":"accept","content":${content}}}`,
    );
    expect(await answered(stage)).toContain(`{"action":"accept","content":${content}}`);
    expect(stage.report).toEqual([]);
  });
});
