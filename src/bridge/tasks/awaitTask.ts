import {
  answer,
  fail,
  request as makeRequest,
  type RequestFrame,
  type ResponseFrame,
} from '../../protocol/frame.ts';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { readError } from '../../protocol/jsonRpc.ts';
import { Method } from '../../protocol/methods.ts';
import { setMember } from '../../protocol/rawEdit.ts';
import { getMember, kindOf, membersOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import type { Refusal } from '../../translate/report.ts';
import type { Task } from '../../translate/tasks/task.ts';
import { answerOrFailure, type CallOutcome } from '../callOutcome.ts';
import type { Answers } from '../questions.ts';
import { pollTask } from './poll.ts';
import type { TaskServer } from './taskServer.ts';

export interface AwaitOptions {
  /** The request that became the task. */
  readonly request: RequestFrame;
  readonly server: TaskServer;
  readonly first: Task;
  /** True where it may have gone on since then. */
  readonly isStale?: boolean;
  readonly signal: AbortSignal;
  /** The questions that were put to the client already; several may wait for one task. */
  readonly asked: Set<string>;
  readonly onLook: (task: Task, raw: RawJson) => void;
  /** Puts questions to the client; the params to answer them with are made of those given. */
  readonly askClient: (inputRequired: RawJson, params: RawJson) => Promise<Answers>;
}

/** What became of a task that was awaited. */
export type TaskEnd =
  | { readonly kind: 'answered'; readonly frame: ResponseFrame }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'aborted' };

/**
 * Waits for the end of a task of the extension: looks at it, puts what it asks to the client and answers it, and gives what
 * the request would have been answered. A task that is not waited for to its end is cancelled, but where waiting was
 * aborted, which is its caller's to judge.
 */
export async function awaitTask(options: AwaitOptions): Promise<TaskEnd> {
  const { request, server, first, isStale, signal } = options;
  const { taskId } = first;
  const ask = (): Promise<CallOutcome> => server.call(taskRequest(Method.tasksGet, taskId));
  for await (const look of pollTask({ first, isStale, ask, signal, maxMs: server.maxMs })) {
    switch (look.kind) {
      case 'lost':
        return { kind: 'answered', frame: lost(request, look.outcome) };
      case 'expired':
        void server.call(taskRequest(Method.tasksCancel, taskId));
        return failed(request, look.message);
      case 'task': {
        options.onLook(look.task, look.raw);
        const end =
          look.task.status === 'input_required'
            ? await answerInputs(options, look.raw)
            : endOf(request, look.task, look.raw);
        if (end !== undefined) return end;
      }
    }
  }
  return { kind: 'aborted' };
}

/** A request of the bridge's own that speaks of a task. */
export function taskRequest(method: string, taskId: string): RequestFrame {
  return makeRequest('0', method, toRaw({ taskId }));
}

/** Only what was not asked yet: a server repeats its open questions in each answer (Tasks, Task Update Requests). */
async function answerInputs(options: AwaitOptions, raw: RawJson): Promise<TaskEnd | undefined> {
  const { asked, request, server, first, signal } = options;
  const open = membersOf(getMember(raw, 'inputRequests') ?? toRaw({})).filter(
    ({ key }) => !asked.has(key),
  );
  if (open.length === 0) return undefined;
  let inputRequests = toRaw({});
  for (const { key, value } of open) {
    asked.add(key);
    inputRequests = setMember(inputRequests, key, value);
  }
  const inputRequired = setMember(toRaw({}), 'inputRequests', inputRequests);
  const answers = await options.askClient(inputRequired, toRaw({ taskId: first.taskId }));
  if (signal.aborted) {
    // Whoever waits for the task next has to ask anew.
    for (const { key } of open) asked.delete(key);
    return { kind: 'aborted' };
  }
  if (answers.kind === 'answered') {
    const outcome = await server.call(makeRequest('0', Method.tasksUpdate, answers.params));
    const isHeard = outcome.kind === 'response' && outcome.frame.error === undefined;
    return isHeard ? undefined : { kind: 'answered', frame: lost(request, outcome) };
  }
  void server.call(taskRequest(Method.tasksCancel, first.taskId));
  if (answers.kind === 'refused') return answers;
  return { kind: 'answered', frame: { ...answers.frame, id: request.id } };
}

function endOf(request: RequestFrame, task: Task, raw: RawJson): TaskEnd | undefined {
  switch (task.status) {
    case 'working':
    case 'input_required':
      return undefined;
    case 'completed': {
      const result = getMember(raw, 'result');
      if (result === undefined || kindOf(result) !== 'object') {
        return failed(request, `The task ${task.taskId} is completed, and it has no result.`);
      }
      // The state of the task has said that it is; what stands inside need not.
      const whole =
        getMember(result, 'resultType') === undefined
          ? setMember(result, 'resultType', toRaw('complete'))
          : result;
      return { kind: 'answered', frame: answer(request, whole) };
    }
    case 'failed': {
      const error = getMember(raw, 'error');
      if (error === undefined) return failed(request, explain(task, 'failed'));
      const frame: ResponseFrame = {
        kind: 'response',
        id: request.id,
        error: readError(error).error,
      };
      return { kind: 'answered', frame };
    }
    case 'cancelled':
      return failed(request, explain(task, 'was cancelled at the server'));
  }
}

function explain({ taskId, statusMessage }: Task, what: string): string {
  const why = statusMessage === undefined ? '' : `: ${statusMessage}`;
  return `The task ${taskId} ${what}${why === '' ? '.' : why}`;
}

function failed(request: RequestFrame, message: string): TaskEnd {
  return { kind: 'answered', frame: fail(request, ErrorCode.internalError, message) };
}

/** The server's own error, or why none came; an answer that is no task is an error too. */
function lost(request: RequestFrame, outcome: CallOutcome): ResponseFrame {
  const frame = answerOrFailure(request, outcome);
  if (frame.error !== undefined) return { ...frame, id: request.id };
  return fail(
    request,
    ErrorCode.internalError,
    'The server answered tasks/get with what is no task.',
  );
}
