import {
  fail,
  request as makeRequest,
  withParams,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../../protocol/frame.ts';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { Method } from '../../protocol/methods.ts';
import { removeMember } from '../../protocol/rawEdit.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import type { DegradePolicy } from '../../translate/policy.ts';
import { inputResponses } from '../../translate/questions/inputRequired.ts';
import { isQuestion } from '../../translate/questions/question.ts';
import { TASKS_EXTENSION, TASKS_REQUIRED } from '../../translate/tasks/capability.ts';
import {
  acknowledgement,
  extensionCreateTaskResult,
  getTaskResult,
} from '../../translate/tasks/extensionTask.ts';
import { relatedTaskOf } from '../../translate/tasks/relatedTask.ts';
import { createdTask, isTerminal, mayBecomeTask, readTask } from '../../translate/tasks/task.ts';
import type { ToolFacts } from '../../translate/toolList/types.ts';
import { answerOrFailure, type CallOutcome } from '../callOutcome.ts';
import { declares, type ClientIdentity } from '../client.ts';
import type { Connection } from '../connection.ts';
import type { Exchange } from '../exchange.ts';
import { holdQuestion } from '../heldQuestion.ts';
import { questionContext } from '../putQuestion.ts';
import type { ServerIdentity } from '../serverIdentity.ts';
import { taskRequest } from './awaitTask.ts';
import { asTask, look } from './callAsTask.ts';
import { HeldTask } from './heldTask.ts';
import { ToolTaskSupport } from './toolTaskSupport.ts';

/**
 * How a call of a modern client is made at a legacy server with tasks. `handedOver`: as a task that the client is given;
 * `awaited`: as a task that the bridge waits for.
 */
export type TaskUse = 'plain' | 'handedOver' | 'awaited';

export interface ExtensionTasksOptions {
  readonly connection: Connection;
  readonly server: ServerIdentity;
  readonly client: ClientIdentity;
  readonly policy: () => DegradePolicy;
  /** A task that somebody may listen for has changed; `detailed` is the whole of it. */
  readonly onChange: (taskId: string, detailed: () => Promise<RawJson | undefined>) => void;
}

/** More tasks than one client can mean to have. */
const MAX_TASKS = 1000;

const HANDED_OVER = {
  feature: 'tasks-extension',
  path: '',
  before: 'a task of 2025-11-25',
  after: 'a task of the extension',
  loss: 'none',
} as const;

/** The tasks of a legacy server in front of a modern client, to which they are those of the extension. */
export class ExtensionTasks {
  readonly #options: ExtensionTasksOptions;
  readonly #support: ToolTaskSupport;
  readonly #tasks = new Map<string, HeldTask>();

  constructor(options: ExtensionTasksOptions) {
    this.#options = options;
    this.#support = new ToolTaskSupport(options.server);
  }

  /** True where the client hears of tasks: the server makes any, and the client has declared the extension. */
  get areHandedOver(): boolean {
    return this.#support.isPromised && this.isDeclared;
  }

  get isDeclared(): boolean {
    return declares(this.#options.client, 'extensions', TASKS_EXTENSION);
  }

  /** True while there is a task that its client may still come for. */
  get isBusy(): boolean {
    return [...this.#tasks.values()].some(({ isWanted }) => isWanted);
  }

  learnTools(tools: readonly ToolFacts[]): void {
    this.#support.learn(tools);
  }

  toolsChanged(): void {
    this.#support.forget();
  }

  /**
   * A client that declares the extension is ready for a task wherever the server's author thought of one; for any other a
   * task is made only where the tool cannot be called without.
   */
  async useFor(request: RequestFrame): Promise<TaskUse> {
    if (!this.#support.isPromised || !mayBecomeTask(request.method)) return 'plain';
    const support = await this.#support.of(request, this.#options.connection);
    if (this.isDeclared) return support === 'forbidden' ? 'plain' : 'handedOver';
    return support === 'required' ? 'awaited' : 'plain';
  }

  /** The call as it is made. What its client calls `task` is no wish for one in its revision. */
  requestFor(request: RequestFrame, use: TaskUse): RequestFrame {
    if (use === 'handedOver') return asTask(request);
    const isRead = this.#support.isPromised && mayBecomeTask(request.method);
    return isRead && request.params !== undefined
      ? withParams(request, removeMember(request.params, 'task'))
      : request;
  }

  /** Hands over the task that a call became; false where it became none. */
  handOver(exchange: Exchange, frame: ResponseFrame): boolean {
    if (!this.areHandedOver || frame.error !== undefined) return false;
    const raw = mayBecomeTask(exchange.request.method) ? createdTask(frame.result) : undefined;
    const task = readTask(raw);
    if (raw === undefined || task === undefined) return false;
    this.#hold(task.taskId, exchange.request, exchange);
    exchange.note([HANDED_OVER]);
    const { serverInfo } = this.#options.server;
    exchange.answer(extensionCreateTaskResult(frame.result, raw, serverInfo));
    return true;
  }

  /** True for the requests that speak of tasks, each of which is then answered. */
  takes(exchange: Exchange): boolean {
    const { request } = exchange;
    if (!this.#support.isPromised) return false;
    switch (request.method) {
      case Method.tasksGet:
        this.#whereDeclared(exchange, (taskId) => this.#get(exchange, taskId));
        return true;
      case Method.tasksUpdate:
        this.#whereDeclared(exchange, (taskId) => this.#update(exchange, taskId));
        return true;
      case Method.tasksCancel:
        this.#whereDeclared(exchange, (taskId) => this.#cancel(exchange, taskId));
        return true;
      default:
        return false;
    }
  }

  /** True for a question in the course of one of these tasks, which is then held for the client to find. */
  takesQuestion(
    frame: RequestFrame,
    stream: number | undefined,
    respond: (answer: ResponseFrame) => void,
  ): boolean {
    const related = relatedTaskOf(frame.params);
    const task =
      (related === undefined ? undefined : this.#tasks.get(related)) ??
      [...this.#tasks.values()].find(({ call }) => call !== undefined && call === stream);
    if (task === undefined || !isQuestion(frame.method)) return false;
    const { server, client, policy } = this.#options;
    const context = questionContext(server.revision, client, policy());
    const question = holdQuestion(frame, respond, context, () => task);
    if (question === undefined) return true;
    task.exchange?.note(question.steps);
    task.ask(frame, question.input, question.settle);
    return true;
  }

  /** True for what the server says of the state of a task. */
  takesNotification(frame: NotifyFrame): boolean {
    if (frame.method !== Method.taskStatus) return false;
    const taskId = readTask(frame.params)?.taskId;
    if (taskId !== undefined) this.#onNews(taskId);
    return true;
  }

  withdraw(question: string): void {
    for (const task of this.#tasks.values()) task.withdraw(question);
  }

  close(): void {
    for (const task of this.#tasks.values()) task.close();
    this.#tasks.clear();
  }

  #hold(taskId: string, origin: RequestFrame, exchange: Exchange): HeldTask {
    const known = this.#tasks.get(taskId);
    if (known !== undefined) return known;
    const { connection } = this.#options;
    const onNews = (): void => this.#onNews(taskId);
    const task = new HeldTask({ taskId, connection, origin, exchange, onNews });
    this.#tasks.set(taskId, task);
    if (this.#tasks.size > MAX_TASKS) {
      const tasks = [...this.#tasks.values()];
      const goes = tasks.find(({ isWanted }) => !isWanted) ?? tasks[0];
      goes?.close();
      this.#tasks.delete(goes?.taskId ?? '');
    }
    return task;
  }

  #whereDeclared(exchange: Exchange, use: (taskId: string) => Promise<void>): void {
    const { request } = exchange;
    const taskId = request.params && stringOf(getMember(request.params, 'taskId'));
    if (!this.isDeclared) {
      const message = `${request.method} needs a client that declares ${TASKS_EXTENSION}.`;
      const code = ErrorCode.missingRequiredClientCapability;
      exchange.respond(fail(request, code, message, TASKS_REQUIRED));
    } else if (taskId === undefined) {
      const message = `${request.method} needs a \`taskId\`.`;
      exchange.respond(fail(request, ErrorCode.invalidParams, message));
    } else void use(taskId);
  }

  async #get(exchange: Exchange, taskId: string): Promise<void> {
    const outcome = await look(this.#options.connection, taskId);
    const detailed = await this.#detailed(exchange, taskId, outcome);
    const { serverInfo } = this.#options.server;
    if (detailed === undefined) this.#respondLost(exchange, outcome);
    else exchange.answer(getTaskResult(detailed, serverInfo));
  }

  async #update(exchange: Exchange, taskId: string): Promise<void> {
    const task = this.#tasks.get(taskId);
    if (task === undefined) {
      // It has asked this client for nothing; whether there is such a task at all, the server knows.
      const outcome = await look(this.#options.connection, taskId);
      if ((await this.#detailed(exchange, taskId, outcome)) === undefined) {
        this.#respondLost(exchange, outcome);
        return;
      }
    }
    task?.answer(inputResponses(exchange.request.params));
    exchange.answer(acknowledgement(this.#options.server.serverInfo));
  }

  async #cancel(exchange: Exchange, taskId: string): Promise<void> {
    const { connection, server } = this.#options;
    const outcome = await new Promise<CallOutcome>((resolve) => {
      connection.call(taskRequest(Method.tasksCancel, taskId), { onOutcome: resolve });
    });
    const frame = answerOrFailure(exchange.request, outcome);
    // The legacy era refuses to cancel what is over, and the extension acknowledges that too.
    if (frame.error !== undefined && !(await this.#hasEnded(taskId))) exchange.respond(frame);
    else exchange.answer(acknowledgement(server.serverInfo));
  }

  async #hasEnded(taskId: string): Promise<boolean> {
    const outcome = await look(this.#options.connection, taskId);
    const status = outcome.kind === 'response' ? readTask(outcome.frame.result)?.status : undefined;
    return status !== undefined && isTerminal(status);
  }

  /** The whole of a task that the server has shown; a task that was not known here is from now on. */
  async #detailed(
    exchange: Exchange | undefined,
    taskId: string,
    outcome: CallOutcome,
  ): Promise<RawJson | undefined> {
    const raw = outcome.kind === 'response' ? outcome.frame.result : undefined;
    const state = readTask(raw);
    if (raw === undefined || state === undefined) return undefined;
    const known = this.#tasks.get(taskId);
    const origin = makeRequest('0', Method.toolsCall, toRaw({}));
    const task = known ?? (exchange && this.#hold(taskId, origin, exchange));
    const isDone = isTerminal(state.status) && state.status !== 'cancelled';
    if (isDone) await task?.fetchResult();
    else if (!isTerminal(state.status)) task?.resume();
    return task?.show(raw);
  }

  #respondLost(exchange: Exchange, outcome: CallOutcome): void {
    const { request } = exchange;
    const frame = answerOrFailure(request, outcome);
    const message = 'The server answered tasks/get with what is no task.';
    exchange.respond(
      frame.error === undefined ? fail(request, ErrorCode.internalError, message) : frame,
    );
  }

  #onNews(taskId: string): void {
    this.#options.onChange(taskId, async () => {
      const outcome = await look(this.#options.connection, taskId);
      return this.#detailed(undefined, taskId, outcome);
    });
  }
}
