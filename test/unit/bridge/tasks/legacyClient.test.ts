import { describe, expect, test } from 'vitest';
import type { Members } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import { meta, SERVER_INFO, Stage } from '../modern/stage.ts';
import {
  ask,
  DONE,
  FORM,
  legacyTask,
  legacyTaskServer,
  RELATED,
  Session,
  type LegacyTaskScript,
} from './stage.ts';

const CALL = { name: 'slow', arguments: {} };
const WORKING = legacyTask('working');
const COMPLETED = legacyTask('completed');
const INFO = { [SERVER_INFO]: { name: 'old', version: '1' } };

describe('a tool that requires a task, for whoever does not know of any', () => {
  test.each(['2025-11-25', '2025-06-18', '2024-11-05'])(
    'is awaited for a client of %s',
    async (revision) => {
      const stage = new Stage(legacyTaskServer({ states: [WORKING, COMPLETED] }));
      const client = await Session.open(stage, {}, revision);
      const { result } = await client.request(1, 'tools/call', CALL);
      expect(result).toEqual(DONE);
      expect(stage.events).toContainEqual(
        expect.objectContaining({
          kind: 'report',
          steps: [expect.objectContaining({ feature: 'tasks-extension', loss: 'none' }) as unknown],
        }),
      );
    },
  );

  test('is awaited for a modern client', async () => {
    const stage = new Stage(legacyTaskServer({ states: [WORKING, COMPLETED] }));
    const { result } = await stage.client().request(1, 'tools/call', CALL);
    expect(result).toEqual({ ...DONE, resultType: 'complete', _meta: INFO });
  });

  test('is called as it is where a task is only possible', async () => {
    const stage = new Stage(legacyTaskServer({ support: 'optional' }));
    await stage.client().request(1, 'tools/call', CALL);
    const client = await Session.open(stage);
    await client.request(1, 'tools/call', CALL);
    for (const server of stage.servers) {
      expect(server.of('tools/call')[0]?.params).not.toHaveProperty('task');
    }
  });

  test('asks in its course', async () => {
    const stage = new Stage(legacyTaskServer({ states: [WORKING, legacyTask('input_required')] }));
    const client = stage.client();
    const _meta = meta({ elicitation: {} });
    client.send({ id: 1, method: 'tools/call', params: { ...CALL, _meta } });
    await until(() => stage.servers.length > 0 && stage.server.of('tasks/result').length > 0);
    ask(stage.server, 'q1');
    const asked = await client.response(1);
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'elicitation-1': { method: 'elicitation/create' } },
    });
    const inputResponses = { 'elicitation-1': { action: 'decline' } };
    const requestState = asked.result?.['requestState'];
    client.send({
      id: 2,
      method: 'tools/call',
      params: { ...CALL, _meta, inputResponses, requestState },
    });
    await until(() => stage.server.received.some(({ id }) => id === 'q1'));
    stage.server.say({ id: stage.server.of('tasks/result')[0]?.id, result: DONE });
    expect((await client.response(2)).result).toMatchObject(DONE);
  });

  test('asks the client whose task it is, of the calls of one session', async () => {
    const stage = new Stage(
      legacyTaskServer({
        states: [WORKING],
      }),
    );
    const client = await Session.open(stage, { elicitation: {} });
    client.send({ id: 1, method: 'tools/call', params: CALL });
    await until(() => stage.server.of('tasks/result').length > 0);
    ask(stage.server, 'q1');
    const question = await client.answer('elicitation/create', { action: 'decline' });
    expect(question.params).toMatchObject(FORM);
    await until(() => stage.server.received.some(({ id }) => id === 'q1'));
  });

  test('is told of as progress, by the server or else by the state of its task', async () => {
    const states = [legacyTask('working', { statusMessage: 'half' }), WORKING, COMPLETED];
    const stage = new Stage(legacyTaskServer({ states }));
    const client = await Session.open(stage);
    const params = { ...CALL, _meta: { progressToken: 'p' } };
    await client.request(1, 'tools/call', params);
    const told = client.messages.filter(({ method }) => method === 'notifications/progress');
    expect(told.map((each) => each.params)).toEqual([
      { progress: 1, message: 'half', progressToken: 'p' },
      { progress: 2, progressToken: 'p' },
    ]);
  });

  test('lets the progress of the server itself through for as long as the task lasts', async () => {
    const stage = new Stage(legacyTaskServer({ states: [WORKING] }));
    const client = await Session.open(stage);
    client.send({
      id: 1,
      method: 'tools/call',
      params: { ...CALL, _meta: { progressToken: 'p' } },
    });
    await until(() => stage.server.of('tasks/result').length > 0);
    const { progressToken } = stage.server.of('tools/call')[0]?.params?.['_meta'] as Members;
    stage.server.say({ method: 'notifications/progress', params: { progressToken, progress: 50 } });
    await client.message(({ params }) => params?.['progress'] === 50);
    const looks = stage.server.of('tasks/get').length;
    await until(() => stage.server.of('tasks/get').length > looks + 1);
    expect(client.messages.at(-1)?.params).toMatchObject({ progress: 50, progressToken: 'p' });
  });

  test.each<[string, LegacyTaskScript, Members]>([
    [
      'the error of the call',
      { result: { code: -32007, message: 'No' } },
      { code: -32007, message: 'No' },
    ],
    [
      "the server's error where it knows the task no more",
      {
        states: [{ code: -32602, message: 'Task not found' }],
      },
      { code: -32602, message: 'Task not found' },
    ],
  ])('ends with %s', async (_name, script, error) => {
    const client = await Session.open(new Stage(legacyTaskServer(script)));
    expect((await client.request(1, 'tools/call', CALL)).error).toEqual(error);
  });

  test('is given up when it outlives its time to live', async () => {
    const state = legacyTask('working', { ttl: 30 });
    const stage = new Stage(
      legacyTaskServer({
        states: [state],
        more: ({ method }) => (method === 'tools/call' ? { task: state } : undefined),
      }),
    );
    const client = await Session.open(stage);
    const { error } = await client.request(1, 'tools/call', CALL);
    expect(error?.message).toContain('its time to live');
    await until(() => stage.server.of('tasks/cancel').length === 1);
  });

  test('is cancelled as a task when the client gives the call up', async () => {
    const stage = new Stage(legacyTaskServer({ states: [WORKING] }));
    const client = await Session.open(stage);
    client.send({ id: 1, method: 'tools/call', params: CALL });
    await until(() => stage.server.of('tasks/get').length > 0);
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await until(() => stage.server.of('tasks/cancel').length === 1);
    const waiting = stage.server.of('tasks/result')[0]?.id;
    expect(stage.server.of('notifications/cancelled').map(({ params }) => params)).toMatchObject([
      { requestId: waiting },
    ]);
  });

  test('ends with an error when its server is lost', async () => {
    const stage = new Stage(
      legacyTaskServer({
        more: ({ method }, server) => {
          if (method === 'tasks/result') server.die();
          return undefined;
        },
      }),
    );
    const client = await Session.open(stage);
    const { error } = await client.request(1, 'tools/call', CALL);
    expect(error).toEqual({ code: -32603, message: 'The server has exited.' });
  });
});

describe('a client and a server of 2025-11-25', () => {
  test('speak of tasks with each other', async () => {
    const stage = new Stage(
      legacyTaskServer({ support: 'optional', states: [WORKING, COMPLETED] }),
    );
    const client = await Session.open(stage);
    const { result: opened } = await client.response(0);
    expect(opened?.['capabilities']).toHaveProperty('tasks');
    const params = { ...CALL, task: { ttl: 1 }, _meta: { progressToken: 'p' } };
    const created = await client.request(1, 'tools/call', params);
    expect(created.result).toEqual({ task: WORKING });
    const { progressToken } = stage.server.of('tools/call')[0]?.params?.['_meta'] as Members;
    stage.server.say({ method: 'notifications/progress', params: { progressToken, progress: 5 } });
    expect((await client.heard('notifications/progress')).params).toEqual({
      progressToken: 'p',
      progress: 5,
    });
    stage.server.say({ method: 'notifications/tasks/status', params: WORKING });
    expect((await client.heard('notifications/tasks/status')).params).toEqual(WORKING);
    expect((await client.request(2, 'tasks/get', { taskId: 't1' })).result).toEqual(WORKING);
    const done = await client.request(3, 'tasks/result', { taskId: 't1' });
    expect(done.result).toEqual({ ...DONE, _meta: { [RELATED]: { taskId: 't1' } } });
    expect(stage.events.filter(({ kind }) => kind === 'report')).toEqual([]);
  });

  test('keep the promise of an output schema for when the task is over', async () => {
    const outputSchema = { type: 'object' };
    const tools = [
      {
        name: 'slow',
        inputSchema: { type: 'object' },
        outputSchema,
        execution: { taskSupport: 'optional' },
      },
    ];
    const stage = new Stage(
      legacyTaskServer({ more: ({ method }) => (method === 'tools/list' ? { tools } : undefined) }),
    );
    const client = await Session.open(stage);
    await client.request(1, 'tools/list');
    const created = await client.request(2, 'tools/call', { ...CALL, task: {} });
    expect(created.result).toEqual({ task: WORKING });
    const again = await client.request(3, 'tools/list');
    expect(again.result?.['tools']).toEqual(tools);
  });

  test('have questions in the course of a task asked with the request that waits for it', async () => {
    const stage = new Stage(legacyTaskServer({ support: 'optional', states: [WORKING] }));
    const client = await Session.open(stage, { elicitation: {} });
    await client.request(1, 'tools/call', { ...CALL, task: {} });
    client.send({ id: 2, method: 'tasks/result', params: { taskId: 't1' } });
    await until(() => stage.server.of('tasks/result').length > 0);
    ask(stage.server, 'q1');
    const related = { _meta: { [RELATED]: { taskId: 't1' } } };
    const question = await client.answer('elicitation/create', { action: 'decline', ...related });
    expect(question.params).toEqual({ ...FORM, ...related });
    await until(() => stage.server.received.some(({ id }) => id === 'q1'));
    const answer = stage.server.received.find(({ id }) => id === 'q1');
    expect(answer?.result).toEqual({ action: 'decline', ...related });
  });

  test('of which the server asks the client for a task are let be', async () => {
    const stage = new Stage(legacyTaskServer());
    const client = await Session.open(stage, { tasks: { list: {} } });
    stage.server.say({ id: 'g', method: 'tasks/get', params: { taskId: 'c1' } });
    const question = await client.heard('tasks/get');
    client.send({ id: question.id, result: legacyTask('working', { taskId: 'c1' }) });
    await until(() => stage.server.received.some(({ id }) => id === 'g'));
  });
});
