import { describe, expect, test } from 'vitest';
import { makeError, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import {
  demandsTasks,
  withExtensionInstead,
  withTasksExtension,
} from '../../../../src/translate/tasks/capability.ts';
import {
  detailedTask,
  extensionCreateTaskResult,
} from '../../../../src/translate/tasks/extensionTask.ts';
import {
  legacyCreateTaskResult,
  toLegacyTask,
} from '../../../../src/translate/tasks/legacyTask.ts';
import {
  relatedTaskOf,
  withoutRelatedTask,
  withRelatedTask,
} from '../../../../src/translate/tasks/relatedTask.ts';
import { createdTask, extensionTask, readTask } from '../../../../src/translate/tasks/task.ts';
import { taskSupportOf, withTaskSupport } from '../../../../src/translate/tasks/toolTasks.ts';

const raw = (text: string): Buffer => Buffer.from(text);
const AT = '2026-01-01T00:00:00Z';

describe('a task of the extension becomes one of 2025-11-25', () => {
  test.each([
    [
      'with its members renamed, and every other byte kept',
      '{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b","x":1.50,"ttlMs":6e4,"pollIntervalMs":10}',
      '{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b","x":1.50,"ttl":6e4,"pollInterval":10}',
    ],
    [
      'without what only the extension says of it',
      '{"resultType":"complete","taskId":"t","status":"completed","result":{},"error":{},"inputRequests":{},"_meta":{},"createdAt":"a","lastUpdatedAt":"b","ttlMs":null}',
      '{"taskId":"t","status":"completed","createdAt":"a","lastUpdatedAt":"b","ttl":null}',
    ],
    [
      'with what its reader demands and the server forgot',
      '{"taskId":"t","status":"working","statusMessage":null,"pollIntervalMs":"soon"}',
      `{"taskId":"t","status":"working","createdAt":"${AT}","lastUpdatedAt":"${AT}","ttl":null}`,
    ],
    [
      'with whole numbers of milliseconds',
      '{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b","ttlMs":10.6,"pollIntervalMs":1.2}',
      '{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b","ttl":11,"pollInterval":1}',
    ],
    [
      'that failed where its tool did',
      '{"taskId":"t","status":"completed","result":{"isError":true},"createdAt":"a","lastUpdatedAt":"b","ttlMs":1}',
      '{"taskId":"t","status":"failed","createdAt":"a","lastUpdatedAt":"b","ttl":1}',
    ],
  ])('%s', (_name, task, legacy) => {
    expect(toLegacyTask(raw(task), AT).toString('utf8')).toBe(legacy);
  });

  test('with the `_meta` of the answer beside it', () => {
    const task =
      '{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b","ttlMs":1,"_meta":{"k":1.0}}';
    expect(legacyCreateTaskResult(raw(task), AT).toString('utf8')).toBe(
      '{"task":{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b","ttl":1},"_meta":{"k":1.0}}',
    );
  });
});

describe('a task of 2025-11-25 becomes one of the extension', () => {
  const task = '{"taskId":"t","status":"working","x":1.50,"ttl":6e4,"pollInterval":10}';

  test('flat, with the `_meta` of the answer', () => {
    const created = raw(`{"task":${task},"_meta":{"k":1.0}}`);
    const found = createdTask(created);
    expect(found?.toString('utf8')).toBe(task);
    expect(
      extensionCreateTaskResult(created, found ?? raw('{}'), raw('{"name":"s"}')).toString('utf8'),
    ).toBe(
      '{"taskId":"t","status":"working","x":1.50,"ttlMs":6e4,"pollIntervalMs":10,"resultType":"task","_meta":{"k":1.0,"io.modelcontextprotocol/serverInfo":{"name":"s"}}}',
    );
  });

  test('whose state is what the client is shown of it', () => {
    const none = { questions: new Map(), outcome: undefined };
    const states = (['working', 'input_required', 'completed', 'failed', 'cancelled'] as const).map(
      (status) => readTask(detailedTask(toRaw({ taskId: 't', status, ttl: null }), none))?.status,
    );
    // What is asked or done and cannot be shown yet still goes on.
    expect(states).toEqual(['working', 'working', 'working', 'working', 'cancelled']);
  });
});

describe('what is no task', () => {
  test.each([
    '{}',
    '{"taskId":1,"status":"working"}',
    '{"taskId":"t","status":"constructor"}',
    '{"taskId":"t"}',
    '[]',
    '7',
  ])('is not read as one: %s', (text) => {
    expect(readTask(raw(text))).toBeUndefined();
    expect(extensionTask(raw(text))).toBeUndefined();
    expect(createdTask(raw(`{"task":${text}}`))).toBeUndefined();
  });

  test('is a result with content, whatever stands beside it', () => {
    const task = '{"taskId":"t","status":"working"}';
    expect(createdTask(raw(`{"content":[],"task":${task}}`))).toBeUndefined();
    expect(extensionTask(raw(task))).toBeUndefined();
  });

  test.each([
    ['0', undefined],
    ['-5', undefined],
    ['null', undefined],
    ['"9"', undefined],
    ['1e3', 1000],
  ])('has an interval of %s read as %s', (text, pollIntervalMs) => {
    const task = raw(`{"taskId":"t","status":"working","pollIntervalMs":${text}}`);
    expect(readTask(task)?.pollIntervalMs).toBe(pollIntervalMs);
  });
});

describe('the capability', () => {
  test('is added to what a client declares, once', () => {
    const given = raw('{"roots":{}, "extensions":{"a/b":{}}}');
    const declared = withTasksExtension(given);
    expect(declared.toString('utf8')).toBe(
      '{"roots":{}, "extensions":{"a/b":{},"io.modelcontextprotocol/tasks":{}}}',
    );
    expect(withTasksExtension(declared)).toBe(declared);
  });

  test('stands in place of that of 2025-11-25', () => {
    expect(withExtensionInstead(raw('{"tasks":{"list":{}},"tools":{}}')).toString('utf8')).toBe(
      '{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}',
    );
  });

  test('is demanded by its name alone', () => {
    const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const demand = (code: number, data?: unknown): boolean =>
      demandsTasks(makeError(code, 'No', data));
    expect(demand(-32021, { requiredCapabilities: tasks })).toBe(true);
    expect(demand(-32021, { requiredCapabilities: { roots: {} } })).toBe(false);
    expect(demand(-32021)).toBe(false);
    expect(demand(-32602, { requiredCapabilities: tasks })).toBe(false);
  });
});

describe('the mark of a task', () => {
  test('is set beside what is there, and taken away without a trace', () => {
    const marked = withRelatedTask(raw('{"a":1.0,"_meta":{"k":1}}'), 't');
    expect(marked.toString('utf8')).toBe(
      '{"a":1.0,"_meta":{"k":1,"io.modelcontextprotocol/related-task":{"taskId":"t"}}}',
    );
    expect(relatedTaskOf(request('1', 'x', marked).params)).toBe('t');
    expect(withoutRelatedTask(marked).toString('utf8')).toBe('{"a":1.0,"_meta":{"k":1}}');
    const alone = withRelatedTask(raw('{"a":1.0}'), 't');
    expect(withoutRelatedTask(alone).toString('utf8')).toBe('{"a":1.0}');
    expect(
      relatedTaskOf(raw('{"_meta":{"io.modelcontextprotocol/related-task":7}}')),
    ).toBeUndefined();
  });
});

describe('the tools of a list', () => {
  test('are offered as tasks where they say nothing, and keep every other byte', () => {
    const list =
      '{ "tools":[ {"name":"a","x":1.50}, {"name":"b","execution":{"taskSupport":"forbidden"}}, 7 ] }';
    expect(withTaskSupport(raw(list)).toString('utf8')).toBe(
      '{ "tools":[ {"name":"a","x":1.50,"execution":{"taskSupport":"optional"}}, {"name":"b","execution":{"taskSupport":"forbidden"}}, 7 ] }',
    );
  });

  test('are none in what is no list', () => {
    for (const text of ['{}', '{"tools":7}', '[]']) {
      expect(withTaskSupport(raw(text)).toString('utf8')).toBe(text);
    }
  });

  test.each([
    ['{"execution":{"taskSupport":"required"}}', 'required'],
    ['{"execution":{"taskSupport":"optional"}}', 'optional'],
    ['{"execution":{"taskSupport":"maybe"}}', 'forbidden'],
    ['{"execution":null}', 'forbidden'],
    ['7', 'forbidden'],
  ])('%s says %s', (tool, support) => {
    expect(taskSupportOf(raw(tool))).toBe(support);
  });
});
