import {
  withParams,
  withResult,
  type NotifyFrame,
  type RequestFrame,
} from '../../protocol/frame.ts';
import { Method } from '../../protocol/methods.ts';
import { setMember } from '../../protocol/rawEdit.ts';
import { toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { withoutRelatedTask } from '../../translate/tasks/relatedTask.ts';
import { createdTask, isTerminal, readTask, type Task } from '../../translate/tasks/task.ts';
import type { CallOutcome } from '../callOutcome.ts';
import type { Call, Connection } from '../connection.ts';
import { taskRequest } from './awaitTask.ts';
import { mayPass, pollTask } from './poll.ts';
import { taskProgress } from './taskProgress.ts';

export const MADE_AS_TASK = {
  feature: 'tasks-extension',
  path: '/task',
  before: 'a call of a tool that requires a task',
  after: 'made as a task, and its result awaited',
  loss: 'none',
} as const;

export interface TaskCallOptions {
  readonly onOutcome: (outcome: CallOutcome) => void;
  readonly onNotification: (frame: NotifyFrame) => void;
  /** The request on whose stream the server may ask, from when there is a task on. */
  readonly onAwaiting: (taskId: string, call: number) => void;
  /** True where the server can be told to give a task up. */
  readonly cancels: boolean;
}

/** The request as one for a task (2025-11-25, Tasks, Creating Tasks). */
export function asTask(request: RequestFrame): RequestFrame {
  return withParams(request, setMember(request.params ?? toRaw({}), 'task', toRaw({})));
}

/**
 * A call of a tool that requires a task, for whoever knows of none: made as a task of 2025-11-25, whose result is the
 * outcome. `tasks/result` waits for it, and it is there that the server asks; the looks at the task beside that tell how it
 * goes on and whether the server still knows it.
 */
function callAsTask(connection: Connection, request: RequestFrame, options: TaskCallOptions): Call {
  const watching = new AbortController();
  let heardProgress = false;
  let stopProgress: () => void = () => undefined;
  let awaiting: Call | undefined;
  let taskId: string | undefined;
  let over = false;

  const onNotification = (frame: NotifyFrame): void => {
    heardProgress ||= frame.method === Method.progress;
    options.onNotification(frame);
  };
  const end = (): void => {
    over = true;
    watching.abort();
    stopProgress();
  };
  const finish = (outcome: CallOutcome): void => {
    if (over) return;
    end();
    options.onOutcome(withoutTask(outcome));
  };
  const cancelTask = (reason?: RawJson): void => {
    awaiting?.cancel(reason);
    if (taskId === undefined || !options.cancels) return;
    connection.call(taskRequest(Method.tasksCancel, taskId), { onOutcome: () => undefined });
  };

  const first = connection.call(asTask(request), {
    onNotification,
    onOutcome: (outcome) => {
      const task = taskIn(outcome);
      if (task === undefined) {
        finish(outcome);
        return;
      }
      ({ taskId } = task);
      stopProgress = connection.followProgress(first.id, onNotification);
      wait(taskId);
      void watch(task);
    },
  });

  const wait = (id: string): void => {
    awaiting = connection.call(taskRequest(Method.tasksResult, id), {
      timed: false,
      onNotification,
      onOutcome: (outcome) => {
        awaiting = undefined;
        // The next look waits anew.
        if (!mayPass(outcome) || !connection.isOpen) finish(outcome);
      },
    });
    options.onAwaiting(id, awaiting.id);
  };

  const watch = async (task: Task): Promise<void> => {
    const tell = taskProgress(options.onNotification);
    const { maxRequestMs: maxMs, requestMs } = connection.timeouts;
    const ask = (): Promise<CallOutcome> => look(connection, task.taskId);
    for await (const seen of pollTask({ first: task, ask, maxMs, signal: watching.signal })) {
      if (seen.kind === 'expired') {
        cancelTask();
        finish({ kind: 'timeout', message: seen.message });
      } else if (seen.kind === 'lost') {
        awaiting?.forget();
        finish(seen.outcome);
      } else if (isTerminal(seen.task.status)) {
        // Its result is owed at once from now on.
        const message = `The server did not give the result of the task ${task.taskId} within ${requestMs / 1000} s of its end.`;
        const timer = setTimeout(() => {
          awaiting?.cancel();
          finish({ kind: 'timeout', message });
        }, requestMs);
        watching.signal.addEventListener('abort', () => clearTimeout(timer));
      } else if (!heardProgress) tell(seen.task);
      if (!over && awaiting === undefined) wait(task.taskId);
    }
  };

  return {
    id: first.id,
    cancel: (reason) => {
      if (over) return;
      end();
      if (taskId === undefined) first.cancel(reason);
      else cancelTask(reason);
    },
    forget: () => {
      end();
      first.forget();
      awaiting?.forget();
    },
  };
}

/** Makes a call: as a task that is waited for, or as it is. */
export function startCall(
  connection: Connection,
  request: RequestFrame,
  isTask: boolean,
  options: TaskCallOptions,
): Call {
  return isTask ? callAsTask(connection, request, options) : connection.call(request, options);
}

/** Asks for a task once. */
export function look(connection: Connection, taskId: string): Promise<CallOutcome> {
  return new Promise((resolve) => {
    connection.call(taskRequest(Method.tasksGet, taskId), { onOutcome: resolve });
  });
}

function taskIn(outcome: CallOutcome): Task | undefined {
  if (outcome.kind !== 'response' || outcome.frame.error !== undefined) return undefined;
  return readTask(createdTask(outcome.frame.result));
}

/** Who does not know of the task is not told of it. */
function withoutTask(outcome: CallOutcome): CallOutcome {
  if (outcome.kind !== 'response' || outcome.frame.error !== undefined) return outcome;
  const { frame } = outcome;
  return { kind: 'response', frame: withResult(frame, withoutRelatedTask(frame.result)) };
}
