import { randomUUID } from 'node:crypto';
import { fail, notify, type RequestFrame, type ResponseFrame } from '../../protocol/frame.ts';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { Method } from '../../protocol/methods.ts';
import { arrayOf, setMember } from '../../protocol/rawEdit.ts';
import { getAt, getMember, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { isErrorResult } from '../../translate/results/toolResult.ts';
import { legacyCreateTaskResult, toLegacyTask, wholeOf } from '../../translate/tasks/legacyTask.ts';
import { withRelatedTask } from '../../translate/tasks/relatedTask.ts';
import { isTerminal, readTask, type Task } from '../../translate/tasks/task.ts';
import { answerOrFailure } from '../callOutcome.ts';
import type { Exchange, QuestionPort } from '../exchange.ts';
import type { ModernUpstream } from '../modernUpstream.ts';
import { askClient } from '../questions.ts';
import { awaitTask, taskRequest, type TaskEnd } from './awaitTask.ts';
import { lookAt } from './poll.ts';
import { SessionTasks, type SessionTask } from './sessionTasks.ts';
import type { TaskClient } from './taskClient.ts';
import { taskServerOf, withTasks } from './taskServer.ts';

/** How long a task is kept that the bridge made itself, in milliseconds, where its client wishes for nothing else. */
const KEPT_MS = 5 * 60_000;

const STEP = { feature: 'tasks-extension', path: '', loss: 'none' } as const;

/** The extension's tasks as a client of 2025-11-25 knows tasks: made by its session, and reachable from there alone. */
export class ExposedTasks {
  readonly #options: TaskClient;
  readonly #tasks = new SessionTasks();

  constructor(options: TaskClient) {
    this.#options = options;
  }

  /** Answers a call with the task that it became. */
  handOver(upstream: ModernUpstream, exchange: Exchange, raw: RawJson): void {
    const first = readTask(raw);
    if (first === undefined) return;
    const server = taskServerOf(upstream, this.#options.caller);
    const entry: SessionTask = {
      first,
      origin: exchange.request,
      server,
      asked: new Set(),
      shown: toLegacyTask(raw, now()),
      stopListening: () => undefined,
    };
    this.#tasks.add(entry);
    entry.stopListening = this.#listen(upstream, entry);
    const before = 'a task of the extension';
    exchange.note([{ ...STEP, before, after: 'a task of 2025-11-25' }]);
    exchange.answer(legacyCreateTaskResult(raw, now()));
  }

  /** Answers a call that the server has answered at once, though its client asked for a task, with a finished task. */
  makeCompleted(exchange: Exchange, frame: ResponseFrame): void {
    const outcome = exchange.answerTo(exchange.request, frame);
    if (outcome.error !== undefined) {
      exchange.respond(outcome);
      return;
    }
    const wish = exchange.request.params && getAt(exchange.request.params, ['task', 'ttl']);
    const ttl = wholeOf(wish) ?? toRaw(KEPT_MS);
    const at = now();
    const status = isErrorResult(outcome.result) ? 'failed' : 'completed';
    const made = toRaw({ taskId: randomUUID(), status: 'working', createdAt: at });
    const working = toLegacyTask(setMember(made, 'ttlMs', ttl), at);
    const first = readTask(working);
    if (first === undefined) return;
    const shown = setMember(working, 'status', toRaw(status));
    const expiresAt = Date.now() + Number(ttl.toString('latin1'));
    const { request: origin } = exchange;
    this.#tasks.add({
      first,
      origin,
      outcome,
      expiresAt,
      shown,
      asked: new Set(),
      stopListening: () => undefined,
    });
    const after = 'a task that is finished';
    exchange.note([{ ...STEP, before: 'a result where a task was asked for', after }]);
    // A task begins as a working one (2025-11-25, Tasks, Task Status Lifecycle).
    exchange.answer(setMember(toRaw({}), 'task', working));
  }

  /** True for the requests of 2025-11-25 that speak of tasks, each of which is then answered. */
  takes(exchange: Exchange): boolean {
    switch (exchange.request.method) {
      case Method.tasksGet:
        this.#withTask(exchange, (entry) => this.#get(exchange, entry));
        return true;
      case Method.tasksResult:
        this.#withTask(exchange, (entry) => this.#result(exchange, entry));
        return true;
      case Method.tasksCancel:
        this.#withTask(exchange, (entry) => this.#cancel(exchange, entry));
        return true;
      case Method.tasksList:
        void this.#list(exchange);
        return true;
      default:
        return false;
    }
  }

  close(): void {
    this.#tasks.close();
  }

  #withTask(exchange: Exchange, use: (entry: SessionTask) => Promise<void>): void {
    const { request } = exchange;
    const taskId = (request.params && stringOf(getMember(request.params, 'taskId'))) ?? '';
    const entry = this.#tasks.find(taskId);
    if (entry !== undefined) void use(entry);
    else exchange.respond(fail(request, ErrorCode.invalidParams, 'This session has no such task.'));
  }

  async #get(exchange: Exchange, entry: SessionTask): Promise<void> {
    const refusal = await this.#refresh(exchange.request, entry);
    if (refusal === undefined) exchange.answer(entry.shown);
    else exchange.respond(refusal);
  }

  async #result(exchange: Exchange, entry: SessionTask): Promise<void> {
    const { taskId } = entry.first;
    const end = await this.#awaited(exchange, entry);
    switch (end.kind) {
      case 'aborted':
        return;
      case 'refused':
        exchange.refuse(end.refusal);
        return;
      case 'answered': {
        // Made for the client already where the bridge has made the task.
        const { outcome } = entry;
        const frame = outcome ?? exchange.answerTo(entry.origin, end.frame);
        if (frame.error !== undefined) exchange.respond(frame);
        else exchange.answer(withRelatedTask(frame.result, taskId));
      }
    }
  }

  async #awaited(exchange: Exchange, entry: SessionTask): Promise<TaskEnd> {
    const { server, outcome, first } = entry;
    if (outcome !== undefined) return { kind: 'answered', frame: outcome };
    if (entry.isCancelled === true || server === undefined) {
      const message = `The task ${first.taskId} was cancelled.`;
      const frame = fail(entry.origin, ErrorCode.internalError, message);
      return { kind: 'answered', frame };
    }
    const waiting = new AbortController();
    // Who waits no longer has not cancelled the task.
    exchange.onCancel(() => waiting.abort());
    const { session, policy } = this.#options;
    const related: QuestionPort = {
      note: (steps) => exchange.note(steps),
      raise: (refusal) => exchange.raise(refusal),
      ask: (question) =>
        exchange.ask({ ...question, params: withRelatedTask(question.params, first.taskId) }),
    };
    return awaitTask({
      request: entry.origin,
      server,
      first,
      isStale: true,
      signal: waiting.signal,
      asked: entry.asked,
      onLook: (task, raw) => this.#record(entry, task, raw),
      askClient: (inputRequired, params) =>
        askClient(inputRequired, params, related, {
          server: this.#options.server,
          client: session.client,
          policy: policy(),
        }),
    });
  }

  async #list(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    if (request.params !== undefined && getMember(request.params, 'cursor') !== undefined) {
      const message = 'The tasks of a session come on one page; there is no such cursor.';
      exchange.respond(fail(request, ErrorCode.invalidParams, message));
      return;
    }
    const entries = this.#tasks.all();
    const refusals = await Promise.all(entries.map((entry) => this.#refresh(request, entry)));
    const known = entries.filter((_entry, index) => refusals[index] === undefined);
    exchange.answer(setMember(toRaw({}), 'tasks', arrayOf(known.map(({ shown }) => shown))));
  }

  async #cancel(exchange: Exchange, entry: SessionTask): Promise<void> {
    const { request } = exchange;
    const refusal = await this.#refresh(request, entry);
    if (refusal !== undefined) {
      exchange.respond(refusal);
      return;
    }
    const status = readTask(entry.shown)?.status;
    if (entry.server === undefined || status === undefined || isTerminal(status)) {
      const message = `The task cannot be cancelled: it is ${status ?? 'over'} already.`;
      exchange.respond(fail(request, ErrorCode.invalidParams, message));
      return;
    }
    const outcome = await entry.server.call(taskRequest(Method.tasksCancel, entry.first.taskId));
    const frame = answerOrFailure(request, outcome);
    if (frame.error !== undefined) {
      exchange.respond(frame);
      return;
    }
    // The server may take its time; here a task that was cancelled is so from the answer on, and stays so.
    entry.isCancelled = true;
    const cancelled = setMember(entry.shown, 'status', toRaw('cancelled'));
    this.#show(entry, setMember(cancelled, 'lastUpdatedAt', toRaw(now())));
    exchange.answer(entry.shown);
  }

  /** Looks at a task that may have gone on; the server's error where it does not tell. */
  async #refresh(request: RequestFrame, entry: SessionTask): Promise<ResponseFrame | undefined> {
    const { server, first } = entry;
    const status = readTask(entry.shown)?.status;
    if (server === undefined || (status !== undefined && isTerminal(status))) return undefined;
    const look = lookAt(await server.call(taskRequest(Method.tasksGet, first.taskId)));
    if (look.kind === 'task') this.#record(entry, look.task, look.raw);
    if (look.kind !== 'lost') return undefined;
    const frame = answerOrFailure(request, look.outcome);
    const message = 'The server answered tasks/get with what is no task.';
    return frame.error === undefined ? fail(request, ErrorCode.internalError, message) : frame;
  }

  #record(entry: SessionTask, task: Task, raw: RawJson): void {
    if (entry.isCancelled !== true) this.#show(entry, toLegacyTask(raw, now()));
    if (isTerminal(task.status)) entry.stopListening();
  }

  /** Tells of each state once (2025-11-25, Tasks, Task Status Notification). */
  #show(entry: SessionTask, shown: RawJson): void {
    const before = readTask(entry.shown);
    const after = readTask(shown);
    entry.shown = shown;
    const isNews =
      before?.status !== after?.status || before?.statusMessage !== after?.statusMessage;
    if (isNews) this.#options.session.notify(notify(Method.taskStatus, shown));
  }

  /** Hears of the task where the server tells of it by itself; what it does not promise is asked for all the same. */
  #listen(upstream: ModernUpstream, entry: SessionTask): () => void {
    const { client, logLevel } = this.#options.caller();
    const { taskId } = entry.first;
    const call = upstream.listen(
      toRaw({ taskIds: [taskId] }),
      { client: withTasks(client), logLevel },
      (frame) => {
        const task = frame.method === Method.taskChanged ? readTask(frame.params) : undefined;
        if (task?.taskId !== taskId || frame.params === undefined) return;
        this.#record(entry, task, frame.params);
      },
      () => undefined,
    );
    return () => call.cancel();
  }
}

function now(): string {
  return new Date().toISOString();
}
