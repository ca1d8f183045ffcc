import { describe, expect, test } from 'vitest';
import type { Members } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import { CAPABILITIES, meta, Stage, type Script } from '../modern/stage.ts';
import { DONE, EXTENSION, extensionServer, extensionTask, FORM, Session, TASKS } from './stage.ts';

const CALL = { name: 'slow', arguments: {} };
const completed = extensionTask('completed', { result: DONE });

async function called(states: readonly Members[], more?: Script, capabilities?: Members) {
  const stage = new Stage(extensionServer(states, more));
  const client = await Session.open(stage, capabilities);
  return { stage, client };
}

describe('a task of the extension, for a client of the legacy era', () => {
  test('is awaited, and its result is the answer', async () => {
    const { stage, client } = await called([extensionTask('working'), completed]);
    const done = await client.request(1, 'tools/call', CALL);
    expect(done.result).toEqual({ ...DONE, resultType: 'complete' });
    expect(stage.server.of('tasks/get')).toHaveLength(2);
    const [look] = stage.server.of('tasks/get');
    expect(look?.params).toMatchObject({
      taskId: 't1',
      _meta: { [CAPABILITIES]: EXTENSION },
    });
    expect(stage.events).toContainEqual(
      expect.objectContaining({
        kind: 'report',
        method: 'tools/call',
        steps: [expect.objectContaining({ feature: 'tasks-extension', loss: 'none' }) as unknown],
      }),
    );
  });

  test.each<[string, Members, Members]>([
    [
      'the error it failed with',
      extensionTask('failed', { error: { code: -32007, message: 'No', data: [1] } }),
      { code: -32007, message: 'No', data: [1] },
    ],
    [
      'an error where it was cancelled at the server',
      extensionTask('cancelled', { statusMessage: 'too late' }),
      { code: -32603, message: 'The task t1 was cancelled at the server: too late' },
    ],
    [
      'an error where it failed without one',
      extensionTask('failed'),
      { code: -32603, message: 'The task t1 failed.' },
    ],
    [
      'an error where it is done without a result',
      extensionTask('completed'),
      { code: -32603, message: 'The task t1 is completed, and it has no result.' },
    ],
    [
      "the server's error where it knows no such task",
      { code: -32602, message: 'Task not found' },
      { code: -32602, message: 'Task not found' },
    ],
  ])('is answered with %s', async (_name, state, error) => {
    const { client } = await called([state]);
    expect((await client.request(1, 'tools/call', CALL)).error).toEqual(error);
  });

  test("gives a tool's own error as such", async () => {
    const result = { content: [], isError: true };
    const { client } = await called([extensionTask('completed', { result })]);
    expect((await client.request(1, 'tools/call', CALL)).result).toMatchObject(result);
  });

  test('that has ended already is looked at without delay', async () => {
    const stage = new Stage(
      extensionServer([completed], undefined, extensionTask('completed', { pollIntervalMs: 1e9 })),
    );
    const client = await Session.open(stage);
    expect((await client.request(1, 'tools/call', CALL)).result).toMatchObject(DONE);
  });

  test('is told of as progress under the token of the client', async () => {
    const { client } = await called([
      extensionTask('working', { statusMessage: 'half' }),
      completed,
    ]);
    const _meta = { progressToken: 'p' };
    await client.request(1, 'tools/call', { ...CALL, _meta });
    const told = client.messages.filter(({ method }) => method === 'notifications/progress');
    expect(told.map(({ params }) => params)).toEqual([
      { progress: 1, message: 'half', progressToken: 'p' },
      { progress: 2, progressToken: 'p' },
    ]);
  });

  test('is not told of to a client that gave no token', async () => {
    const { client } = await called([extensionTask('working'), completed]);
    await client.request(1, 'tools/call', CALL);
    expect(client.messages.filter(({ method }) => method !== undefined)).toEqual([]);
  });

  test('has its questions put to the client, each of them once', async () => {
    const asks = extensionTask('input_required', {
      inputRequests: { who: { method: 'elicitation/create', params: FORM } },
    });
    const { stage, client } = await called([asks, asks, completed], undefined, { elicitation: {} });
    client.send({ id: 1, method: 'tools/call', params: CALL });
    const question = await client.answer('elicitation/create', { action: 'accept', content: {} });
    expect(question.params).toEqual(FORM);
    expect((await client.response(1)).result).toMatchObject(DONE);
    expect(client.messages.filter(({ method }) => method === 'elicitation/create')).toHaveLength(1);
    expect(stage.server.of('tasks/update').map(({ params }) => params)).toMatchObject([
      { taskId: 't1', inputResponses: { who: { action: 'accept', content: {} } } },
    ]);
  });

  test('that asks what the client cannot be asked is refused and cancelled', async () => {
    const asks = extensionTask('input_required', {
      inputRequests: { who: { method: 'elicitation/create', params: FORM } },
    });
    const { stage, client } = await called([asks]);
    const refused = await client.request(1, 'tools/call', CALL);
    expect(refused.result).toMatchObject({
      isError: true,
      _meta: { bridge: { refused: 'client-capability' } },
    });
    await until(() => stage.server.of('tasks/cancel').length === 1);
    expect(stage.server.of('tasks/update')).toEqual([]);
  });

  test('ends with the error of a client that fails at a question', async () => {
    const asks = extensionTask('input_required', {
      inputRequests: { model: { method: 'sampling/createMessage', params: { messages: [] } } },
    });
    const { stage, client } = await called([asks], undefined, { sampling: {} });
    client.send({ id: 1, method: 'tools/call', params: CALL });
    const question = await client.heard('sampling/createMessage');
    client.send({ id: question.id, error: { code: -1, message: 'No model' } });
    expect((await client.response(1)).error).toEqual({ code: -1, message: 'No model' });
    await until(() => stage.server.of('tasks/cancel').length === 1);
  });

  test('is cancelled at the server when the client gives the call up', async () => {
    const { stage, client } = await called([extensionTask('working')]);
    client.send({ id: 1, method: 'tools/call', params: CALL });
    await until(() => stage.server.of('tasks/get').length > 1);
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await until(() => stage.server.of('tasks/cancel').length === 1);
    expect(stage.server.of('tasks/cancel')[0]?.params).toMatchObject({ taskId: 't1' });
    const looks = stage.server.of('tasks/get').length;
    await client.request(2, 'ping');
    expect(stage.server.of('tasks/get').length).toBeLessThanOrEqual(looks + 1);
    expect(client.messages.filter(({ id }) => id === 1)).toEqual([]);
  });

  test('is given up when it outlives its time to live', async () => {
    const state = extensionTask('working', { ttlMs: 30 });
    const stage = new Stage(extensionServer([state], undefined, state));
    const client = await Session.open(stage);
    const { error } = await client.request(1, 'tools/call', CALL);
    expect(error).toMatchObject({ code: -32603 });
    expect(error?.message).toContain('0.03 s, its time to live');
    await until(() => stage.server.of('tasks/cancel').length === 1);
  });

  test('is given up when it takes longer than a request may take', async () => {
    const stage = new Stage(extensionServer([extensionTask('working')]), {
      timeouts: { maxRequestMs: 50 },
    });
    const client = await Session.open(stage);
    const { error } = await client.request(1, 'tools/call', CALL);
    expect(error?.message).toContain('0.05 s, the longest a request may take');
  });

  test('ends with an error when its server is lost', async () => {
    const { client } = await called([], (message, server) => {
      if (message.method === 'tasks/get') server.die();
      return undefined;
    });
    const { error } = await client.request(1, 'tools/call', CALL);
    expect(error).toEqual({ code: -32603, message: 'The server has exited.' });
  });

  test('in answer to what cannot become one is refused', async () => {
    const { client } = await called([], ({ method }) =>
      method === 'prompts/get' ? { resultType: 'task', ...extensionTask('working') } : undefined,
    );
    const { error } = await client.request(1, 'prompts/get', { name: 'x' });
    expect(error?.data).toMatchObject({ bridge: { refused: 'result-type' } });
  });

  test('after questions of the call itself is awaited all the same', async () => {
    const { client, stage } = await called(
      [completed],
      ({ method, params }) =>
        method === 'tools/call' && params?.['inputResponses'] === undefined
          ? {
              resultType: 'input_required',
              inputRequests: { who: { method: 'elicitation/create', params: FORM } },
            }
          : undefined,
      { elicitation: {} },
    );
    client.send({ id: 1, method: 'tools/call', params: CALL });
    await client.answer('elicitation/create', { action: 'decline' });
    expect((await client.response(1)).result).toMatchObject(DONE);
    expect(stage.server.of('tools/call')).toHaveLength(2);
  });
});

describe('the extension', () => {
  const demand: Script = ({ method, params }) => {
    const { [CAPABILITIES]: capabilities } = (params?.['_meta'] ?? {}) as Members;
    if (method !== 'tools/call' || JSON.stringify(capabilities).includes(TASKS)) return undefined;
    const data = { requiredCapabilities: EXTENSION };
    return { code: -32021, message: 'Missing required client capability', data };
  };

  test('is declared on behalf of a legacy client where the server demands it, and from then on', async () => {
    const { client, stage } = await called([completed], demand, { roots: {} });
    expect((await client.request(1, 'tools/call', CALL)).result).toMatchObject(DONE);
    expect((await client.request(2, 'tools/call', CALL)).result).toMatchObject(DONE);
    const declared = stage.server
      .of('tools/call')
      .map(({ params }) => (params?.['_meta'] as Members)[CAPABILITIES]);
    const withIt = { roots: {}, ...EXTENSION };
    expect(declared).toEqual([{ roots: {} }, withIt, withIt]);
    expect(stage.events.filter(({ kind }) => kind === 'refusal')).toEqual([]);
  });

  test('is not declared where the server demands something else', async () => {
    const error = { code: -32021, message: 'No', data: { requiredCapabilities: { roots: {} } } };
    const { client, stage } = await called([], ({ method }) =>
      method === 'tools/call' ? error : undefined,
    );
    expect((await client.request(1, 'tools/call', CALL)).error).toEqual(error);
    expect(stage.server.of('tools/call')).toHaveLength(1);
  });

  test('is the affair of a modern client itself', async () => {
    const stage = new Stage(extensionServer([], demand));
    const { error } = await stage.client().request(1, 'tools/call', CALL);
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: EXTENSION } });
    expect(stage.server.of('tools/call')).toHaveLength(1);
  });

  test('lets a modern client that declares it have the task as it is', async () => {
    const stage = new Stage(extensionServer([completed]));
    const client = stage.client();
    const _meta = meta(EXTENSION);
    const created = await client.request(1, 'tools/call', { ...CALL, _meta });
    expect(created.result).toEqual({ resultType: 'task', ...extensionTask('working') });
    const got = await client.request(2, 'tasks/get', { taskId: 't1', _meta });
    expect(got.result).toEqual({ resultType: 'complete', ...completed });
  });
});

describe('a task that a modern client did not want to hear of', () => {
  test('is awaited', async () => {
    const stage = new Stage(extensionServer([extensionTask('working'), completed]));
    const done = await stage.client().request(1, 'tools/call', CALL);
    expect(done.result).toEqual({ ...DONE, resultType: 'complete' });
  });

  test('is cancelled and refused where it asks for something', async () => {
    const inputRequests = { who: { method: 'elicitation/create', params: FORM } };
    const asks = extensionTask('input_required', { inputRequests });
    const stage = new Stage(extensionServer([asks]));
    const { result } = await stage.client().request(1, 'tools/call', CALL);
    expect(result).toMatchObject({
      isError: true,
      _meta: { bridge: { refused: 'tasks-extension' } },
    });
    await until(() => stage.server.of('tasks/cancel').length === 1);
  });

  test('is cancelled when the client gives the call up', async () => {
    const stage = new Stage(extensionServer([extensionTask('working')]));
    const client = stage.client();
    client.send({ id: 1, method: 'tools/call', params: { ...CALL, _meta: meta() } });
    await until(() => stage.servers.length > 0 && stage.server.of('tasks/get').length > 0);
    client.abandon(1);
    await until(() => stage.server.of('tasks/cancel').length === 1);
  });
});
