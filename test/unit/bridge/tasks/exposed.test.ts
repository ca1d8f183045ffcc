import {
  CreateTaskResultSchema,
  CancelTaskResultSchema,
  GetTaskResultSchema,
  ListTasksResultSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import type { Members, Message } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import { CAPABILITIES, Stage, SUBSCRIPTION, type Script } from '../modern/stage.ts';
import {
  DONE,
  EXTENSION,
  extensionServer,
  extensionTask,
  FORM,
  legacyTask,
  RELATED,
  Session,
} from './stage.ts';

const CALL = { name: 'slow', arguments: {}, task: {} };
const completed = extensionTask('completed', { result: DONE });
/** A task of the extension as a client of 2025-11-25 sees it. */
const shown = (status: string, more: Members = {}): Members => {
  const { createdAt, lastUpdatedAt } = extensionTask('working');
  return { ...legacyTask(status), createdAt, lastUpdatedAt, ...more };
};
const taskOf = ({ result }: Message): Members => (result?.['task'] ?? {}) as Members;

async function exposed(
  states: readonly Members[],
  more?: Script,
  capabilities: Members = {},
  revision = '2025-11-25',
) {
  const stage = new Stage(extensionServer(states, more), { tasks: 'expose' });
  const client = await Session.open(stage, capabilities, revision);
  return { stage, client };
}

describe('exposed tasks are promised', () => {
  const promise = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

  test('to a client of 2025-11-25', async () => {
    const { client } = await exposed([]);
    const { result } = await client.response(0);
    expect(result?.['capabilities']).toMatchObject({ tools: {}, tasks: promise });
  });

  test.each(['2024-11-05', '2025-06-18'])('not to one of %s', async (revision) => {
    const { client } = await exposed([completed], undefined, {}, revision);
    const { result } = await client.response(0);
    expect(result?.['capabilities']).not.toHaveProperty('tasks');
    expect((await client.request(1, 'tools/call', CALL)).result).toMatchObject(DONE);
    const listed = await client.request(2, 'tools/list');
    expect(JSON.stringify(listed.result)).not.toContain('taskSupport');
  });

  test('not in front of a server without the extension', async () => {
    const { client } = await exposed([], ({ method }) =>
      method === 'server/discover'
        ? {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
            ttlMs: 0,
            cacheScope: 'private',
          }
        : undefined,
    );
    const { result } = await client.response(0);
    expect(result?.['capabilities']).not.toHaveProperty('tasks');
  });

  test('not where it is not said', async () => {
    const client = await Session.open(new Stage(extensionServer([])));
    const { result } = await client.response(0);
    expect(result?.['capabilities']).not.toHaveProperty('tasks');
  });

  test('in each tool that does not say otherwise itself', async () => {
    const inputSchema = { type: 'object' };
    const tools = [
      { name: 'a', inputSchema, x: 1.5 },
      { name: 'b', inputSchema, execution: { taskSupport: 'forbidden' } },
      { name: 'c', inputSchema, execution: { other: 1 } },
    ];
    const list = { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' };
    const { client } = await exposed([], ({ method }) =>
      method === 'tools/list' ? list : undefined,
    );
    const { result } = await client.request(1, 'tools/list');
    expect(result?.['tools']).toEqual([
      { ...tools[0], execution: { taskSupport: 'optional' } },
      tools[1],
      { ...tools[2], execution: { other: 1, taskSupport: 'optional' } },
    ]);
  });
});

describe('a call with a task', () => {
  test('is made of a client that declares the extension, and answered with the task', async () => {
    const { client, stage } = await exposed([completed]);
    const { result } = await client.request(1, 'tools/call', CALL);
    expect(CreateTaskResultSchema.safeParse(result).success).toBe(true);
    expect(result).toEqual({ task: shown('working') });
    const [call] = stage.server.of('tools/call');
    expect(call?.params).not.toHaveProperty('task');
    expect(call?.params?.['_meta']).toMatchObject({ [CAPABILITIES]: EXTENSION });
  });

  test('makes a finished task of a result that comes at once', async () => {
    const { client, stage } = await exposed([], ({ method }) =>
      method === 'tools/call' ? { resultType: 'complete', ...DONE } : undefined,
    );
    const created = await client.request(1, 'tools/call', { ...CALL, task: { ttl: 5000 } });
    expect(CreateTaskResultSchema.safeParse(created.result).success).toBe(true);
    const { taskId } = taskOf(created);
    expect(taskOf(created)).toMatchObject({ status: 'working', ttl: 5000 });
    const got = await client.request(2, 'tasks/get', { taskId });
    expect(GetTaskResultSchema.safeParse(got.result).success).toBe(true);
    expect(got.result).toMatchObject({ taskId, status: 'completed' });
    const { result } = await client.request(3, 'tasks/result', { taskId });
    expect(result).toMatchObject({ ...DONE, _meta: { [RELATED]: { taskId } } });
    const { error } = await client.request(4, 'tasks/cancel', { taskId });
    expect(error).toMatchObject({ code: -32602 });
    expect(stage.server.of('tasks/get')).toEqual([]);
  });

  test("makes a failed task of a tool's own error, and none of an error", async () => {
    const { client } = await exposed([], ({ method, params }) => {
      if (method !== 'tools/call') return undefined;
      return params?.['name'] === 'slow'
        ? { resultType: 'complete', content: [], isError: true }
        : { code: -32602, message: 'No such tool' };
    });
    const { taskId } = taskOf(await client.request(1, 'tools/call', CALL));
    const got = await client.request(2, 'tasks/get', { taskId });
    expect(got.result).toMatchObject({ status: 'failed' });
    const none = await client.request(3, 'tools/call', { ...CALL, name: 'none' });
    expect(none.error).toEqual({ code: -32602, message: 'No such tool' });
  });

  test('leaves the calls without one as they were: awaited', async () => {
    const { client } = await exposed([completed]);
    const { result } = await client.request(1, 'tools/call', { name: 'slow' });
    expect(result).toMatchObject(DONE);
  });
});

describe('a task of the session', () => {
  const failed = extensionTask('failed', { error: { code: -32007, message: 'No' } });
  const tool = extensionTask('completed', { result: { content: [], isError: true } });

  test.each([
    ['working', extensionTask('working', { statusMessage: 'half' })],
    ['completed', completed],
    ['failed', failed],
    ['failed', tool],
    ['cancelled', extensionTask('cancelled')],
  ])('is shown as %s', async (status, state) => {
    const { client } = await exposed([state]);
    await client.request(1, 'tools/call', CALL);
    const { result } = await client.request(2, 'tasks/get', { taskId: 't1' });
    expect(GetTaskResultSchema.safeParse(result).success).toBe(true);
    const { statusMessage } = state;
    expect(result).toEqual(shown(status, statusMessage === undefined ? {} : { statusMessage }));
  });

  test('gives its result when it is there, and says whose it is', async () => {
    const { client } = await exposed([extensionTask('working'), completed]);
    await client.request(1, 'tools/call', CALL);
    for (const id of [2, 3]) {
      const { result } = await client.request(id, 'tasks/result', { taskId: 't1' });
      expect(result).toMatchObject({ ...DONE, _meta: { [RELATED]: { taskId: 't1' } } });
    }
  });

  test('gives the error that it failed with', async () => {
    const { client } = await exposed([failed]);
    await client.request(1, 'tools/call', CALL);
    const { error } = await client.request(2, 'tasks/result', { taskId: 't1' });
    expect(error).toEqual({ code: -32007, message: 'No' });
  });

  test('puts its questions to the client that waits for it, each once', async () => {
    const inputRequests = { who: { method: 'elicitation/create', params: FORM } };
    const asks = extensionTask('input_required', { inputRequests });
    const { client, stage } = await exposed([asks, asks, asks, asks, completed], undefined, {
      elicitation: {},
    });
    await client.request(1, 'tools/call', CALL);
    const got = await client.request(2, 'tasks/get', { taskId: 't1' });
    expect(got.result).toEqual(shown('input_required'));
    client.send({ id: 3, method: 'tasks/result', params: { taskId: 't1' } });
    client.send({ id: 4, method: 'tasks/result', params: { taskId: 't1' } });
    const question = await client.answer('elicitation/create', { action: 'decline' });
    expect(question.params).toEqual({ ...FORM, _meta: { [RELATED]: { taskId: 't1' } } });
    for (const id of [3, 4]) expect((await client.response(id)).result).toMatchObject(DONE);
    expect(stage.server.of('tasks/update')).toHaveLength(1);
    expect(client.messages.filter(({ method }) => method === 'elicitation/create')).toHaveLength(1);
  });

  test('outlives the client that waits for it no longer, and asks the next one anew', async () => {
    const inputRequests = { who: { method: 'elicitation/create', params: FORM } };
    const asks = extensionTask('input_required', { inputRequests });
    const { client, stage } = await exposed([asks], undefined, { elicitation: {} });
    await client.request(1, 'tools/call', CALL);
    client.send({ id: 2, method: 'tasks/result', params: { taskId: 't1' } });
    await client.heard('elicitation/create');
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    await client.heard('notifications/cancelled');
    client.send({ id: 3, method: 'tasks/result', params: { taskId: 't1' } });
    await until(
      () => client.messages.filter(({ method }) => method === 'elicitation/create').length === 2,
    );
    expect(stage.server.of('tasks/cancel')).toEqual([]);
    expect(client.messages.filter(({ id }) => id === 2)).toEqual([]);
  });

  test('is cancelled from the answer on, whatever the server still makes of it', async () => {
    const { client, stage } = await exposed([extensionTask('working'), completed]);
    await client.request(1, 'tools/call', CALL);
    const { result } = await client.request(2, 'tasks/cancel', { taskId: 't1' });
    expect(CancelTaskResultSchema.safeParse(result).success).toBe(true);
    const lastUpdatedAt = expect.any(String) as string;
    expect(result).toEqual(shown('cancelled', { lastUpdatedAt }));
    expect(stage.server.of('tasks/cancel')).toHaveLength(1);
    expect((await client.request(3, 'tasks/get', { taskId: 't1' })).result).toEqual(result);
    const { error } = await client.request(4, 'tasks/result', { taskId: 't1' });
    expect(error).toEqual({ code: -32603, message: 'The task t1 was cancelled.' });
    const again = await client.request(5, 'tasks/cancel', { taskId: 't1' });
    expect(again.error).toMatchObject({ code: -32602 });
  });

  test('is in the list of its session while the server knows it', async () => {
    let count = 0;
    const { client } = await exposed([], ({ method, params }) => {
      if (method === 'tools/call') {
        return { resultType: 'task', ...extensionTask('working', { taskId: `n${++count}` }) };
      }
      if (method !== 'tasks/get') return undefined;
      return params?.['taskId'] === 'n1'
        ? { code: -32602, message: 'Task has expired' }
        : { resultType: 'complete', ...extensionTask('working', { taskId: params?.['taskId'] }) };
    });
    for (const id of [1, 2, 3]) await client.request(id, 'tools/call', CALL);
    const { result } = await client.request(4, 'tasks/list');
    expect(ListTasksResultSchema.safeParse(result).success).toBe(true);
    const tasks = result?.['tasks'] as Members[];
    expect(tasks.map(({ taskId }) => taskId)).toEqual(['n2', 'n3']);
    const paged = await client.request(5, 'tasks/list', { cursor: 'x' });
    expect(paged.error).toMatchObject({ code: -32602 });
  });

  test('cannot be reached from another session', async () => {
    const { client, stage } = await exposed([completed]);
    await client.request(1, 'tools/call', CALL);
    const other = await Session.open(stage);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      const { error } = await other.request(2, method, { taskId: 't1' });
      expect(error).toEqual({ code: -32602, message: 'This session has no such task.' });
      other.messages.length = 0;
    }
    expect((await other.request(3, 'tasks/list')).result).toEqual({ tasks: [] });
    expect(stage.server.of('tasks/get')).toEqual([]);
  });

  test('tells of each of its states once, where the server tells', async () => {
    const { client, stage } = await exposed([extensionTask('working')]);
    await client.request(1, 'tools/call', CALL);
    const [listen] = stage.server.of('subscriptions/listen');
    expect(listen?.params).toMatchObject({
      notifications: { taskIds: ['t1'] },
      _meta: { [CAPABILITIES]: EXTENSION },
    });
    const tell = (state: Members): void =>
      stage.server.say({
        method: 'notifications/tasks',
        params: { ...state, _meta: { [SUBSCRIPTION]: listen?.id } },
      });
    tell(extensionTask('working'));
    tell(extensionTask('working', { statusMessage: 'half' }));
    tell(extensionTask('working', { statusMessage: 'half' }));
    tell(completed);
    await client.message(({ params }) => params?.['status'] === 'completed');
    const told = client.messages.filter(({ method }) => method === 'notifications/tasks/status');
    expect(told.map(({ params }) => params)).toEqual([
      shown('working', { statusMessage: 'half' }),
      shown('completed'),
    ]);
    for (const each of told) {
      expect(TaskStatusNotificationSchema.safeParse(each).success).toBe(true);
    }
    await until(() => stage.server.of('notifications/cancelled').length === 1);
  });

  test('ends what is listened to with its session', async () => {
    const { client, stage } = await exposed([extensionTask('working')]);
    await client.request(1, 'tools/call', CALL);
    client.close();
    await until(() => stage.server.of('notifications/cancelled').length === 1);
  });
});
