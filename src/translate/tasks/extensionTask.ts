import { withMetaOf } from '../../protocol/metaEdit.ts';
import type { ResponseFrame } from '../../protocol/frame.ts';
import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import { getMember, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { withServerInfo } from '../discoverResult.ts';
import { inputRequestsOf, type InputRequest } from '../questions/inputRequired.ts';
import { wholeOf } from './legacyTask.ts';
import { readTask, type TaskStatus } from './task.ts';

/** A task of 2025-11-25 as the extension writes it, flat and with no more than the members of every task. */
function toExtensionTask(task: RawJson, status?: TaskStatus): RawJson {
  const ttl = wholeOf(getMember(task, 'ttl'));
  const pollInterval = wholeOf(getMember(task, 'pollInterval'));
  let result = task;
  for (const key of ['_meta', 'ttl', 'pollInterval', 'resultType']) {
    result = removeMember(result, key);
  }
  if (status !== undefined) result = setMember(result, 'status', toRaw(status));
  result = setMember(result, 'ttlMs', ttl ?? toRaw(null));
  return pollInterval === undefined ? result : setMember(result, 'pollIntervalMs', pollInterval);
}

/** The extension's CreateTaskResult for the one of 2025-11-25 (Tasks, Task Creation). */
export function extensionCreateTaskResult(
  created: RawJson,
  task: RawJson,
  serverInfo: RawJson | undefined,
): RawJson {
  const result = setMember(toExtensionTask(task), 'resultType', toRaw('task'));
  return withServerInfo(withMetaOf(result, created), serverInfo);
}

/** What is known of a task of 2025-11-25 beside the task itself. */
export interface TaskContents {
  /** The server's questions that wait for their answers. */
  readonly questions: ReadonlyMap<string, InputRequest>;
  /** What its `tasks/result` came to, in the client's terms; undefined while that is open. */
  readonly outcome: ResponseFrame | undefined;
}

/**
 * The extension's DetailedTask for a task of 2025-11-25 (Tasks, Task Status): its result or error stands inside, and so
 * do the questions. What a tool calls an error is a completed task here; only a JSON-RPC error makes it fail.
 */
export function detailedTask(task: RawJson, { questions, outcome }: TaskContents): RawJson {
  const status = readTask(task)?.status;
  if (status === 'cancelled') return toExtensionTask(task);
  if (outcome?.error !== undefined) {
    return setMember(toExtensionTask(task, 'failed'), 'error', outcome.error.raw);
  }
  if (outcome !== undefined) {
    return setMember(toExtensionTask(task, 'completed'), 'result', outcome.result);
  }
  if (questions.size > 0) {
    const asked = inputRequestsOf(questions);
    return setMember(toExtensionTask(task, 'input_required'), 'inputRequests', asked);
  }
  // It says that it has to ask and the question is not here yet, or that it is done and the result is not.
  return toExtensionTask(task, 'working');
}

/** The answer to `tasks/get` (Tasks, Task Polling). */
export function getTaskResult(detailed: RawJson, serverInfo: RawJson | undefined): RawJson {
  return withServerInfo(setMember(detailed, 'resultType', toRaw('complete')), serverInfo);
}

/** The answer to `tasks/update` and `tasks/cancel`: nothing but that it was heard. */
export function acknowledgement(serverInfo: RawJson | undefined): RawJson {
  return withServerInfo(toRaw({ resultType: 'complete' }), serverInfo);
}
