import { describe, expect, test } from 'vitest';
import type { Members, Message } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import { meta, SERVER_INFO, Stage, type Caller } from '../modern/stage.ts';
import {
  ask,
  DONE,
  EXTENSION,
  extensionTask,
  FORM,
  legacyTask,
  legacyTaskServer,
  RELATED,
  type LegacyTaskScript,
} from './stage.ts';

const CALL = { name: 'slow', arguments: {} };
const WORKING = legacyTask('working');
const COMPLETED = legacyTask('completed');
const INFO = { [SERVER_INFO]: { name: 'old', version: '1' } };
/** A task of 2025-11-25 as a client of the extension sees it. */
const shown = (status: string, more: Members = {}): Members => {
  const { createdAt, lastUpdatedAt } = WORKING;
  return { ...extensionTask(status), createdAt, lastUpdatedAt, ...more };
};

class Declaring {
  readonly client: Caller;
  readonly #capabilities: Members;
  #id = 0;

  constructor(stage: Stage, capabilities: Members = {}) {
    this.client = stage.client();
    this.#capabilities = { ...EXTENSION, ...capabilities };
  }

  request(method: string, params: Members = {}): Promise<Message> {
    const _meta = meta(this.#capabilities);
    return this.client.request(++this.#id, method, { ...params, _meta });
  }
}

describe('a legacy server with tasks, for a modern client', () => {
  test('declares the extension in place of its own capability', async () => {
    const { result } = await new Stage(legacyTaskServer()).client().request(1, 'server/discover');
    expect(result?.['capabilities']).toEqual({ tools: { listChanged: true }, ...EXTENSION });
  });

  test.each<[string, LegacyTaskScript['support'], string, Members | undefined]>([
    ['that requires a task, as one', 'required', 'slow', {}],
    ['that may be called as a task, as one', 'optional', 'slow', {}],
    ['that must not, as it is', 'forbidden', 'slow', undefined],
    ['that says nothing, as it is', 'required', 'quick', undefined],
  ])('has a tool called by a client with the extension, %s', async (_name, support, name, task) => {
    const stage = new Stage(legacyTaskServer({ support }));
    const client = new Declaring(stage);
    const { result } = await client.request('tools/call', { name, task: { ttl: 1 } });
    expect(stage.server.of('tools/call')[0]?.params?.['task']).toEqual(task);
    expect(result).toEqual(
      task === undefined
        ? { content: [{ type: 'text', text: 'plain' }], resultType: 'complete', _meta: INFO }
        : { resultType: 'task', ...shown('working'), _meta: INFO },
    );
    expect(stage.server.of('tools/list')).toHaveLength(1);
  });

  test('is asked for its tools once, and not where its client has asked', async () => {
    const stage = new Stage(legacyTaskServer());
    const client = new Declaring(stage);
    await client.request('tools/list');
    for (let call = 0; call < 2; call++) await client.request('tools/call', CALL);
    expect(stage.server.of('tools/list')).toHaveLength(1);
    stage.server.say({ method: 'notifications/tools/list_changed' });
    await client.request('tools/call', CALL);
    expect(stage.server.of('tools/list')).toHaveLength(2);
  });

  test.each<[string, LegacyTaskScript, Members]>([
    [
      'its result',
      {},
      shown('completed', { result: { ...DONE, resultType: 'complete', _meta: INFO } }),
    ],
    [
      'its error',
      { states: [legacyTask('failed')], result: { code: -32007, message: 'No' } },
      shown('failed', { error: { code: -32007, message: 'No' } }),
    ],
    [
      "a tool's own error, as a completed one",
      { states: [legacyTask('failed')], result: { content: [], isError: true } },
      shown('completed', {
        result: { content: [], isError: true, resultType: 'complete', _meta: INFO },
      }),
    ],
    [
      'nothing where it was cancelled',
      { states: [legacyTask('cancelled')], result: { code: -32603, message: 'Cancelled' } },
      shown('cancelled'),
    ],
  ])('shows a task that is over with %s', async (_name, script, detailed) => {
    const client = new Declaring(new Stage(legacyTaskServer(script)));
    await client.request('tools/call', CALL);
    const { result } = await client.request('tasks/get', { taskId: 't1' });
    expect(result).toEqual({ ...detailed, resultType: 'complete', _meta: INFO });
  });

  test('shows a task that goes on, in the words of the server', async () => {
    const states = [legacyTask('working', { statusMessage: 'half' })];
    const client = new Declaring(new Stage(legacyTaskServer({ states })));
    await client.request('tools/call', CALL);
    const { result } = await client.request('tasks/get', { taskId: 't1' });
    expect(result).toMatchObject(shown('working', { statusMessage: 'half' }));
    expect(result).not.toHaveProperty('ttl');
    expect(result).not.toHaveProperty('pollInterval');
  });

  test.each(['stdio', 'streamableHttp'] as const)(
    'has its questions held in the task over %s, and answered one by one',
    async (kind) => {
      const states = [legacyTask('input_required')];
      const stage = new Stage(legacyTaskServer({ states }), { kind });
      const client = new Declaring(stage, { elicitation: {} });
      await client.request('tools/call', CALL);
      const { server } = stage;
      await until(() => server.of('tasks/result').length > 0);
      const stream = Number(server.of('tasks/result')[0]?.id);
      ask(server, 'q1', kind === 'stdio' ? undefined : stream);
      ask(
        server,
        'q2',
        kind === 'stdio' ? undefined : stream,
        kind === 'stdio' ? {} : { _meta: {} },
      );
      const got = await client.request('tasks/get', { taskId: 't1' });
      expect(got.result).toMatchObject(shown('input_required'));
      const requests = got.result?.['inputRequests'] as Members;
      expect(Object.keys(requests)).toEqual(['elicitation-1', 'elicitation-2']);
      expect(requests['elicitation-1']).toEqual({ method: 'elicitation/create', params: FORM });
      const inputResponses = { 'elicitation-1': { action: 'accept', content: {} }, stranger: {} };
      const heard = await client.request('tasks/update', { taskId: 't1', inputResponses });
      expect(heard.result).toEqual({ resultType: 'complete', _meta: INFO });
      await until(() => server.received.some(({ id }) => id === 'q1'));
      expect(server.received.find(({ id }) => id === 'q1')?.result).toEqual({
        action: 'accept',
        content: {},
        _meta: { [RELATED]: { taskId: 't1' } },
      });
      const left = await client.request('tasks/get', { taskId: 't1' });
      expect(Object.keys(left.result?.['inputRequests'] as Members)).toEqual(['elicitation-2']);
      server.say({ method: 'notifications/cancelled', params: { requestId: 'q2' } });
      const none = await client.request('tasks/get', { taskId: 't1' });
      expect(none.result).toMatchObject({ status: 'working' });
      expect(none.result).not.toHaveProperty('inputRequests');
    },
  );

  test('hears at once that its client cannot be asked', async () => {
    const stage = new Stage(legacyTaskServer({ states: [WORKING] }));
    await new Declaring(stage).request('tools/call', CALL);
    ask(stage.server, 'q1');
    await until(() => stage.server.received.some(({ id }) => id === 'q1'));
    const answer = stage.server.received.find(({ id }) => id === 'q1');
    expect(answer?.error).toMatchObject({ code: -32601 });
  });

  test('is told to cancel a task, and one that is over is acknowledged too', async () => {
    const stage = new Stage(legacyTaskServer({ states: [WORKING, COMPLETED] }));
    const client = new Declaring(stage);
    await client.request('tools/call', CALL);
    for (let time = 0; time < 2; time++) {
      const { result } = await client.request('tasks/cancel', { taskId: 't1' });
      expect(result).toEqual({ resultType: 'complete', _meta: INFO });
      await client.request('tasks/get', { taskId: 't1' });
    }
    const cancelled = stage.server.of('tasks/cancel');
    expect(cancelled.map(({ params }) => params?.['taskId'])).toEqual(['t1', 't1']);
  });

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'says itself that it knows no such task: %s',
    async (method) => {
      const error = { code: -32602, message: 'Task not found' };
      const stage = new Stage(
        legacyTaskServer({
          more: ({ params }) => (params?.['taskId'] === 't9' ? error : undefined),
        }),
      );
      const client = new Declaring(stage);
      const answer = await client.request(method, { taskId: 't9', inputResponses: {} });
      expect(answer.error).toEqual(error);
    },
  );

  test('shows a task that was made before it was reached this way', async () => {
    const client = new Declaring(new Stage(legacyTaskServer()));
    const { result } = await client.request('tasks/get', { taskId: 't1' });
    expect(result).toMatchObject(shown('completed', { result: DONE }));
  });

  test('keeps the tasks of one client from another, each in a session of its own', async () => {
    const stage = new Stage(legacyTaskServer({ states: [WORKING] }));
    const [one, other] = [new Declaring(stage), new Declaring(stage, { roots: {} })];
    await one.request('tools/call', CALL);
    await other.request('tools/list');
    await other.request('tasks/cancel', { taskId: 't1' });
    const [first, second] = stage.servers;
    expect(first?.of('tasks/cancel')).toEqual([]);
    expect(second?.of('tasks/cancel')).toHaveLength(1);
  });

  test('tells no more of tasks than what the extension has', async () => {
    const stage = new Stage(legacyTaskServer());
    const plain = stage.client();
    for (const [id, method] of ['tasks/get', 'tasks/update', 'tasks/cancel'].entries()) {
      const { error } = await plain.request(id, method, { taskId: 't1', inputResponses: {} });
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: EXTENSION } });
    }
    const client = new Declaring(stage);
    for (const method of ['tasks/list', 'tasks/result']) {
      const { error } = await client.request(method, { taskId: 't1' });
      expect(error).toMatchObject({ code: -32601 });
    }
    expect((await client.request('tasks/get')).error).toMatchObject({ code: -32602 });
  });

  test('without tasks is asked what it makes of requests about them', async () => {
    const stage = new Stage(
      legacyTaskServer({
        more: ({ method }) =>
          method === 'tasks/get' ? { code: -32601, message: 'Own words' } : undefined,
      }),
    );
    const error = { code: -32601, message: 'Own words' };
    expect((await new Declaring(stage).request('tasks/get', { taskId: 't' })).error).toEqual(error);
  });

  test('has its news of tasks told to the streams that listen for them', async () => {
    const stage = new Stage(legacyTaskServer({ states: [WORKING, WORKING, COMPLETED] }));
    const client = new Declaring(stage, { elicitation: {} });
    await client.request('tools/call', CALL);
    const listen = { id: 77, method: 'subscriptions/listen' };
    const params = {
      notifications: { taskIds: ['t1', 't2'] },
      _meta: meta({ ...EXTENSION, elicitation: {} }),
    };
    client.client.send({ ...listen, params });
    const [acknowledged] = await client.client.heard('notifications/subscriptions/acknowledged');
    expect(acknowledged?.params).toMatchObject({ notifications: { taskIds: ['t1', 't2'] } });
    ask(stage.server, 'q1');
    const [asked] = await client.client.heard('notifications/tasks');
    expect(asked?.params).toMatchObject({ taskId: 't1', status: 'input_required' });
    stage.server.say({ method: 'notifications/tasks/status', params: WORKING });
    stage.server.say({ method: 'notifications/tasks/status', params: COMPLETED });
    const told = await client.client.heard('notifications/tasks', 3);
    expect(told.at(-1)?.params).toMatchObject({ status: 'completed', result: DONE });
    expect(told.at(-1)?.params).not.toHaveProperty('resultType');
  });

  test('is not listened to for tasks by a client without the extension', async () => {
    const client = new Stage(legacyTaskServer()).client();
    const params = { notifications: { taskIds: ['t1'] } };
    const { error } = await client.request(1, 'subscriptions/listen', params);
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: EXTENSION } });
  });
});
