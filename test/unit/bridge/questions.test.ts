import { describe, expect, test } from 'vitest';
import { parsePolicy, STRICT, type DegradePolicy } from '../../../src/translate/policy.ts';
import type { Members, Message } from '../../support/rawClient.ts';
import { until } from '../../support/until.ts';
import { type Caller, legacy, meta, modern, Stage, type Script } from './modern/stage.ts';

const ELICIT = 'elicitation/create';
const FORMS = { elicitation: {} };
const TAGS = { type: 'array', items: { type: 'string', enum: ['x', 'y'] } };
const PICK = {
  message: 'Pick',
  requestedSchema: { type: 'object', properties: { tags: TAGS }, required: ['tags'] },
};
const CALL = { id: 1, method: 'tools/call', params: { name: 'ask' } };
const DONE = { resultType: 'complete', content: [] };

function allowing(features: string): DegradePolicy {
  const parsed = parsePolicy(features);
  return parsed.kind === 'policy' ? parsed.policy : STRICT;
}

/** A modern server that asks this in the course of every call, and is done once it is answered. */
const askingModern = (params: Members, method = ELICIT): Script =>
  modern((message) => {
    if (message.method !== 'tools/call') return undefined;
    if (message.params?.['inputResponses'] !== undefined) return DONE;
    return { resultType: 'input_required', inputRequests: { q: { method, params } } };
  });

/** A legacy server that asks this in the course of every call, and is done once it is answered. */
const askingLegacy = (params: Members, method = ELICIT, revision = '2025-11-25'): Script =>
  legacy(
    { tools: {} },
    (message, server) => {
      if (message.method === 'tools/call') server.say({ id: 'q', method, params });
      const [asked] = server.of('tools/call');
      if (message.id === 'q') server.say({ id: asked?.id, result: { content: [] } });
      return undefined;
    },
    revision,
  );

/** The nth question to the client. */
async function question(client: Caller, nth = 1, method = ELICIT): Promise<Message> {
  return (await client.heard(method, nth))[nth - 1] ?? {};
}

const accept = (content: Members): Members => ({ action: 'accept', content });
const reported = (stage: Stage): unknown[] =>
  stage.events.flatMap((event) => {
    if (event.kind === 'refusal') return [`refused ${event.refusal.feature}`];
    if (event.kind !== 'report') return [];
    return event.steps.map(({ feature, path, loss }) => `${feature} ${path} ${loss}`);
  });

describe.each([
  ['modern', askingModern(PICK)],
  ['legacy', askingLegacy(PICK)],
] as const)('a choice of several values from a %s server', (era, script) => {
  const answered = ({ server }: Stage): unknown =>
    era === 'modern'
      ? server.of('tools/call')[1]?.params?.['inputResponses']
      : { q: server.received.find(({ id, method }) => id === 'q' && method === undefined)?.result };

  test('is typed by a client of 2025-06-18, and reaches the server as an array', async () => {
    const stage = new Stage(script, { policy: allowing('elicitation-multi-select') });
    const client = await stage.legacyClient('2025-06-18', FORMS);
    client.send(CALL);
    const asked = await question(client);
    expect(asked.params).toEqual({
      message: 'Pick',
      requestedSchema: {
        type: 'object',
        properties: {
          tags: { type: 'string', description: 'any of: x, y; separate several by commas' },
        },
        required: ['tags'],
      },
    });
    client.send({ id: asked.id, result: accept({ tags: 'y, x' }) });
    await client.response(1);
    expect(answered(stage)).toEqual({ q: accept({ tags: ['y', 'x'] }) });
    expect(reported(stage)).toEqual([
      'elicitation-multi-select /requestedSchema/properties/tags lossy',
      'elicitation-multi-select /content/tags none',
    ]);
  });

  test('is asked for once more where the answer does not fit, with what was wrong', async () => {
    const stage = new Stage(script, { policy: allowing('elicitation-multi-select') });
    const client = await stage.legacyClient('2025-06-18', FORMS);
    client.send(CALL);
    client.send({ id: (await question(client)).id, result: accept({ tags: 'z' }) });
    const again = await question(client, 2);
    expect(again.params).toMatchObject({
      message: 'Pick\n\nThe answer did not fit. tags: any of these are wanted: x, y.',
    });
    client.send({ id: again.id, result: accept({ tags: 'x' }) });
    await client.response(1);
    expect(answered(stage)).toEqual({ q: accept({ tags: ['x'] }) });
  });

  test('is cancelled for the server, and reported, where it never fits', async () => {
    const stage = new Stage(script, { policy: allowing('elicitation-multi-select') });
    const client = await stage.legacyClient('2025-06-18', FORMS);
    client.send(CALL);
    client.send({ id: (await question(client)).id, result: accept({}) });
    client.send({ id: (await question(client, 2)).id, result: accept({ tags: 'z' }) });
    await client.response(1);
    expect(answered(stage)).toEqual({ q: { action: 'cancel' } });
    expect(reported(stage)).toContain('elicitation-form /content/tags lossy');
    expect(client.messages.filter(({ method }) => method === ELICIT)).toHaveLength(2);
  });

  test('is withdrawn the second time, too, where the client cancels the call', async () => {
    const stage = new Stage(script, { policy: allowing('elicitation-multi-select') });
    const client = await stage.legacyClient('2025-06-18', FORMS);
    client.send(CALL);
    client.send({ id: (await question(client)).id, result: accept({ tags: 'z' }) });
    const again = await question(client, 2);
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    const [cancelled] = await client.heard('notifications/cancelled');
    expect(cancelled?.params).toEqual({ requestId: again.id });
  });

  test('is refused by name under strict', async () => {
    const stage = new Stage(script);
    const client = await stage.legacyClient('2025-06-18', FORMS);
    client.send(CALL);
    await client.response(1);
    expect(reported(stage)).toEqual(['refused elicitation-multi-select']);
    expect(client.messages.filter(({ method }) => method === ELICIT)).toEqual([]);
  });
});

describe('an answer that does not fit a form the client was shown as it is', () => {
  const form = {
    message: 'm',
    requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } },
  };

  test.each([
    ['modern', askingModern(form)],
    ['legacy', askingLegacy(form)],
  ] as const)('reaches a %s server with a warning', async (_era, script) => {
    const stage = new Stage(script);
    const client = await stage.legacyClient('2025-11-25', FORMS);
    client.send(CALL);
    client.send({ id: (await question(client)).id, result: accept({ n: 'many' }) });
    await client.response(1);
    expect(JSON.stringify(stage.server.received)).toContain('{"n":"many"}');
    expect(reported(stage)).toEqual(['elicitation-form /content/n warning']);
  });

  test('reaches a legacy server from a modern client, too', async () => {
    const stage = new Stage(askingLegacy(form));
    const client = stage.client();
    const params = { name: 'ask', _meta: meta(FORMS) };
    client.send({ id: 1, method: 'tools/call', params });
    const { result } = await client.response(1);
    const inputResponses = { 'elicitation-1': accept({ n: 'many' }) };
    const retry = { ...params, inputResponses, requestState: result?.['requestState'] };
    client.send({ id: 2, method: 'tools/call', params: retry });
    await client.response(2);
    expect(stage.server.received.at(-1)?.result).toEqual(accept({ n: 'many' }));
    expect(reported(stage)).toEqual(['elicitation-form /content/n warning']);
  });
});

describe('what a model answers to an older server', () => {
  const SAMPLE = 'sampling/createMessage';
  const script = askingLegacy({ messages: [], maxTokens: 1 }, SAMPLE, '2025-06-18');
  const text = { type: 'text', text: 'a' };
  const said = (content: unknown): Members => ({ role: 'assistant', model: 'm', content });
  const asked = async (content: unknown): Promise<Stage> => {
    const stage = new Stage(script);
    const client = await stage.legacyClient('2025-11-25', { sampling: {} });
    client.send(CALL);
    client.send({ id: (await question(client, 1, SAMPLE)).id, result: said(content) });
    await client.response(1);
    return stage;
  };

  test('is one block', async () => {
    const stage = await asked([text]);
    expect(stage.server.received.at(-1)?.result).toEqual(said(text));
    expect(reported(stage)).toEqual(['sampling-tools /content none']);
  });

  test('is an error where it has no place there', async () => {
    const stage = await asked([{ type: 'tool_use', id: '1', name: 't', input: {} }]);
    expect(stage.server.received.at(-1)?.error).toMatchObject({ code: -32603 });
    expect(reported(stage)).toContain('refused sampling-tools');
  });
});

describe('a question that belongs to no call', () => {
  const started = (params: Members): Script =>
    legacy({}, ({ method }, server) => {
      if (method === 'notifications/initialized') server.say({ id: 'q', method: ELICIT, params });
      return undefined;
    });

  test('is lowered, answered and reported like any other', async () => {
    const choice = { type: 'string', oneOf: [{ const: 'a', title: 'A' }] };
    const requestedSchema = { type: 'object', properties: { c: choice } };
    const stage = new Stage(started({ message: 'm', requestedSchema }));
    const client = await stage.legacyClient('2025-06-18', FORMS);
    client.send({ id: (await question(client)).id, result: accept({ c: 'a' }) });
    // It comes while the session opens; a client that does not know that it is there is asked nothing.
    expect(client.messages.map(({ id, method }) => method ?? id)).toEqual(['open', ELICIT]);
    await until(() => stage.server.received.at(-1)?.id === 'q');
    expect(stage.server.received.at(-1)?.result).toEqual(accept({ c: 'a' }));
    expect(reported(stage)).toEqual(['elicitation-titled-enum /requestedSchema/properties/c none']);
  });

  test('is refused and reported like any other', async () => {
    const stage = new Stage(started(PICK));
    await stage.legacyClient('2025-06-18', FORMS);
    await until(() => stage.server.received.at(-1)?.id === 'q');
    expect(stage.server.received.at(-1)?.error).toMatchObject({ code: -32601 });
    expect(reported(stage)).toEqual(['refused elicitation-multi-select']);
  });
});

describe('the end of a visit to an address', () => {
  const COMPLETE = 'notifications/elicitation/complete';
  const ending = legacy({ tools: {} }, ({ method }, server) => {
    if (method !== 'tools/call') return undefined;
    server.say({ method: COMPLETE, params: { elicitationId: 'e' } });
    return { content: [] };
  });

  test('is told to clients of 2025-11-25', async () => {
    const client = await new Stage(ending).legacyClient('2025-11-25', { elicitation: { url: {} } });
    client.send(CALL);
    expect((await client.heard(COMPLETE))[0]?.params).toEqual({ elicitationId: 'e' });
  });

  test('means nothing to clients of other revisions', async () => {
    const older = await new Stage(ending).legacyClient('2025-06-18', FORMS);
    const newer = new Stage(ending, { kind: 'streamableHttp' }).client();
    older.send(CALL);
    await older.response(1);
    await newer.request(1, 'tools/call', { name: 'ask' });
    for (const { messages } of [older, newer]) {
      expect(messages.filter(({ method }) => method === COMPLETE)).toEqual([]);
    }
  });
});

describe('a demand to visit addresses first', () => {
  const demand = (...urls: string[]): Members => ({
    code: -32042,
    message: 'First sign in',
    data: {
      elicitations: urls.map((url, i) => ({
        mode: 'url',
        elicitationId: `e${i}`,
        url,
        message: 'Sign in',
      })),
    },
  });
  const demanding = (error: Members, times = 1): Script => {
    let left = times;
    return legacy({ tools: {} }, ({ method }) => {
      if (method !== 'tools/call') return undefined;
      return left-- > 0 ? error : { content: [] };
    });
  };
  const one = demand('https://a.test/');
  const allowed = { policy: allowing('elicitation-url') };

  test('reaches a client that opens addresses in the server’s own words', async () => {
    const stage = new Stage(demanding(one), allowed);
    const client = await stage.legacyClient('2025-11-25', { elicitation: { url: {} } });
    client.send(CALL);
    expect((await client.response(1)).error).toEqual(one);
    expect(reported(stage)).toEqual([]);
  });

  test.each<[string, string, Members]>([
    ['of 2025-06-18', '2025-06-18', FORMS],
    ['of 2025-11-25 that shows forms alone', '2025-11-25', FORMS],
  ])(
    'reaches a client %s in those words under strict, and is reported',
    async (_n, revision, able) => {
      const stage = new Stage(demanding(one));
      const client = await stage.legacyClient(revision, able);
      client.send(CALL);
      expect((await client.response(1)).error).toEqual(one);
      expect(reported(stage)).toEqual(['refused elicitation-url']);
    },
  );

  test('is confirmed by a client without addresses where the policy allows it, each one', async () => {
    const stage = new Stage(
      demanding(demand('https://a.test/', 'http://127.0.0.1:1/'), 2),
      allowed,
    );
    const client = await stage.legacyClient('2025-06-18', FORMS);
    client.send(CALL);
    for (const nth of [1, 2, 3, 4]) {
      const asked = await question(client, nth);
      const url = nth % 2 === 1 ? 'https://a.test/' : 'http://127.0.0.1:1/';
      expect(asked.params).toEqual({
        message: `Sign in\n${url}`,
        requestedSchema: { type: 'object', properties: {} },
      });
      client.send({ id: asked.id, result: accept({}) });
    }
    expect((await client.response(1)).result).toEqual({ content: [] });
    expect(stage.server.of('tools/call')).toHaveLength(3);
  });

  test('that is not confirmed reaches the client in the server’s own words', async () => {
    const stage = new Stage(demanding(one), allowed);
    const client = await stage.legacyClient('2025-06-18', FORMS);
    client.send(CALL);
    client.send({ id: (await question(client)).id, result: { action: 'decline' } });
    expect((await client.response(1)).error).toEqual(one);
    expect(stage.server.of('tools/call')).toHaveLength(1);
  });

  test('is withdrawn with the call that it stands for', async () => {
    const stage = new Stage(demanding(one), allowed);
    const client = await stage.legacyClient('2025-06-18', FORMS);
    client.send(CALL);
    const { id } = await question(client);
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    const [cancelled] = await client.heard('notifications/cancelled');
    expect(cancelled?.params).toEqual({ requestId: id });
    client.send({ id, result: accept({}) });
    client.send({ id: 2, method: 'tools/list' });
    await until(() => stage.server.of('tools/list').length === 1);
    expect(stage.server.of('tools/call')).toHaveLength(1);
  });

  test.each<[string, string, Members]>([
    ['of 2025-11-25', '2025-11-25', { elicitation: { url: {} } }],
    ['of 2025-06-18', '2025-06-18', FORMS],
  ])('with an address that is not safe reaches no client %s', async (_n, revision, able) => {
    const unsafe = demand('https://a.test/', 'javascript:alert(1)');
    const stage = new Stage(demanding(unsafe), { policy: allowing('permissive') });
    const client = await stage.legacyClient(revision, able);
    client.send(CALL);
    const { result } = await client.response(1);
    expect(result).toMatchObject({ isError: true, _meta: { bridge: { refused: 'unsafe-url' } } });
    expect(JSON.stringify(client.messages)).not.toContain('javascript:');
    expect(reported(stage)).toEqual(['refused unsafe-url']);
  });

  test('with an address that is not safe reaches no modern client', async () => {
    const stage = new Stage(demanding(demand('file:///etc/passwd')));
    const client = stage.client();
    const _meta = meta({ elicitation: { url: {} } });
    const { result } = await client.request(1, 'tools/call', { name: 'ask', _meta });
    expect(result).toMatchObject({ _meta: { bridge: { refused: 'unsafe-url' } } });
  });
});

describe('an address to open that is not safe', () => {
  const params = { mode: 'url', message: 'm', url: 'vscode://x/y' };
  const able = { elicitation: { url: {} } };

  test('is declined for a legacy client, whichever server asks', async () => {
    for (const script of [askingModern(params), askingLegacy({ ...params, elicitationId: 'e' })]) {
      const stage = new Stage(script);
      const client = await stage.legacyClient('2025-11-25', able);
      client.send(CALL);
      await client.response(1);
      expect(JSON.stringify(stage.server.received)).toContain('{"action":"decline"}');
      expect(JSON.stringify(client.messages)).not.toContain('vscode:');
      expect(reported(stage)).toEqual(['unsafe-url /url warning']);
    }
  });

  test('refuses the call of a modern client at a modern server', async () => {
    const stage = new Stage(askingModern(params));
    const client = stage.client();
    const { result } = await client.request(1, 'tools/call', { name: 'ask', _meta: meta(able) });
    expect(result).toMatchObject({ _meta: { bridge: { refused: 'unsafe-url' } } });
    expect(reported(stage)).toEqual(['refused unsafe-url']);
  });

  test('is declined for a modern client at a legacy server', async () => {
    const stage = new Stage(askingLegacy({ ...params, elicitationId: 'e' }));
    const client = stage.client();
    await client.request(1, 'tools/call', { name: 'ask', _meta: meta(able) });
    expect(stage.server.received.at(-1)?.result).toEqual({ action: 'decline' });
  });
});

describe('a modern client that lacks what a legacy server asks for', () => {
  test.each<[string, Members, Members]>([
    ['forms', { message: 'm' }, { elicitation: { form: {} } }],
    ['addresses', { mode: 'url', url: 'https://a.test/' }, { elicitation: { url: {} } }],
  ])('%s: the failing call names it', async (_name, params, missing) => {
    const script = legacy({ tools: {} }, (message, server) => {
      if (message.method === 'tools/call') server.say({ id: 'q', method: ELICIT, params });
      const [asked] = server.of('tools/call');
      if (message.id === 'q') server.say({ id: asked?.id, result: { content: [], isError: true } });
      return undefined;
    });
    const able = 'url' in params ? { form: {} } : { url: {} };
    const _meta = meta({ elicitation: able });
    const { error } = await new Stage(script)
      .client()
      .request(1, 'tools/call', { name: 'a', _meta });
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: missing } });
  });
});

test('a form that is asked of a client that only opens addresses is refused', async () => {
  const stage = new Stage(askingModern(PICK));
  const client = await stage.legacyClient('2025-11-25', { elicitation: { url: {} } });
  client.send(CALL);
  const { result } = await client.response(1);
  expect(result).toMatchObject({ _meta: { bridge: { refused: 'client-capability' } } });
});
