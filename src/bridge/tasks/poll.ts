import type { ResponseFrame } from '../../protocol/frame.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import { isTerminal, readTask, type Task } from '../../translate/tasks/task.ts';
import type { CallOutcome } from '../callOutcome.ts';

/** What one look at a task came to. */
export type Look =
  | { readonly kind: 'task'; readonly task: Task; readonly raw: RawJson }
  /** The server does not tell: by an error of its own, or because it cannot be reached. */
  | { readonly kind: 'lost'; readonly outcome: CallOutcome }
  | { readonly kind: 'expired'; readonly message: string };

export interface PollOptions {
  /** The task as it was when it was made. */
  readonly first: Task;
  /** True where it may have gone on since then, so that the first look is not put off. */
  readonly isStale?: boolean | undefined;
  /** Asks the server for the task once. */
  readonly ask: () => Promise<CallOutcome>;
  /** The longest to wait for the task, in milliseconds. */
  readonly maxMs: number;
  readonly signal: AbortSignal;
}

const DEFAULT_INTERVAL_MS = 1000;
/** No server gains by being asked more often than this. */
const SHORTEST_INTERVAL_MS = 20;
const LONGEST_INTERVAL_MS = 2 ** 31 - 1;
/** A task outlives the loss of a request, so that one look that fails on its way says nothing of it. */
const MAX_LOST_IN_A_ROW = 3;

/**
 * Looks at a task again and again, as often as its server wants, until it has ended, it cannot be seen any more, or it has
 * outlived its time to live (Tasks, Task Polling). Each answer counts as a sign of life.
 */
export async function* pollTask(options: PollOptions): AsyncGenerator<Look> {
  const { ask, isStale = false, maxMs, signal } = options;
  const began = Date.now();
  let { first: task } = options;
  let lost = 0;
  // A task that has ended already, or that asks for something, says what in its next answer alone.
  let interval = task.status === 'working' && !isStale ? intervalOf(task) : 0;
  while (!signal.aborted) {
    const limit = Math.min(maxMs, task.ttlMs ?? Infinity);
    const left = began + limit - Date.now();
    if (left <= 0) {
      const message = `The task ${task.taskId} did not end within ${limit / 1000} s, ${limit === maxMs ? 'the longest a request may take' : 'its time to live'}.`;
      yield { kind: 'expired', message };
      return;
    }
    await pause(Math.min(interval, left), signal);
    if (signal.aborted) return;
    const outcome = await ask();
    if (signal.aborted) return;
    interval = intervalOf(task);
    if (mayPass(outcome) && ++lost < MAX_LOST_IN_A_ROW) continue;
    const look = lookAt(outcome);
    yield look;
    if (look.kind !== 'task' || isTerminal(look.task.status)) return;
    ({ task } = look);
    lost = 0;
    interval = intervalOf(task);
  }
}

/** The task that an answer shows. */
export function lookAt(outcome: CallOutcome): Look {
  const frame: ResponseFrame | undefined = outcome.kind === 'response' ? outcome.frame : undefined;
  const task = frame?.error === undefined ? readTask(frame?.result) : undefined;
  return task === undefined || frame?.result === undefined
    ? { kind: 'lost', outcome }
    : { kind: 'task', task, raw: frame.result };
}

function intervalOf({ pollIntervalMs = DEFAULT_INTERVAL_MS }: Task): number {
  return Math.min(Math.max(pollIntervalMs, SHORTEST_INTERVAL_MS), LONGEST_INTERVAL_MS);
}

/** A failure of the way, not of the server: the next request may come through. */
export function mayPass(outcome: CallOutcome): boolean {
  if (outcome.kind !== 'failed') return false;
  const { kind, status = 0 } = outcome.failure;
  return kind === 'network' || (kind === 'http-status' && (status >= 500 || status === 429));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
