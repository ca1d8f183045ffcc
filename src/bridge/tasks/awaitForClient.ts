import { Method } from '../../protocol/methods.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import { readTask } from '../../translate/tasks/task.ts';
import type { Exchange } from '../exchange.ts';
import { tellClient } from '../progress.ts';
import { awaitTask, taskRequest, type AwaitOptions } from './awaitTask.ts';
import { taskProgress } from './taskProgress.ts';
import type { TaskServer } from './taskServer.ts';

const AWAITED = {
  feature: 'tasks-extension',
  path: '/resultType',
  before: 'a task',
  after: 'awaited, and its result given',
  loss: 'none',
} as const;

/**
 * Answers a call that became a task with what comes of the task: the client sees one slow call. Where it gives the call up,
 * the task is cancelled.
 */
export async function awaitForClient(
  exchange: Exchange,
  server: TaskServer,
  raw: RawJson,
  askClient: AwaitOptions['askClient'],
): Promise<void> {
  const first = readTask(raw);
  if (first === undefined) return;
  const waiting = new AbortController();
  exchange.onCancel(() => {
    waiting.abort();
    void server.call(taskRequest(Method.tasksCancel, first.taskId));
  });
  exchange.note([AWAITED]);
  const end = await awaitTask({
    request: exchange.request,
    server,
    first,
    signal: waiting.signal,
    asked: new Set(),
    onLook: taskProgress((frame) => tellClient(exchange, frame)),
    askClient,
  });
  if (end.kind === 'answered') exchange.respond(end.frame);
  if (end.kind === 'refused') exchange.refuse(end.refusal);
}
