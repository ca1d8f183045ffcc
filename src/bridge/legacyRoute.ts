import { readCancellation } from '../protocol/cancellation.ts';
import {
  fail,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, stringOf, type RawJson } from '../protocol/rawJson.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { opensUrls } from '../translate/questions/elicitation.ts';
import { isQuestion, lowerQuestion } from '../translate/questions/question.ts';
import type { QuestionContext } from '../translate/questions/types.ts';
import { isTaskAnswer } from '../translate/tasks/task.ts';
import type { ToolFacts } from '../translate/toolList/types.ts';
import type { ClientTransport } from '../transports/transport.ts';
import { answerOrFailure } from './callOutcome.ts';
import type { Call, Connection } from './connection.ts';
import type { Asked, Exchange, QuestionPort, SessionPort } from './exchange.ts';
import type { Opened } from './openAttempt.ts';
import { progressOf, tellClient } from './progress.ts';
import { putQuestion, questionContext } from './putQuestion.ts';
import type { Route } from './route.ts';
import { promises, type ServerIdentity } from './serverIdentity.ts';
import { MADE_AS_TASK, startCall } from './tasks/callAsTask.ts';
import { TaskCalls } from './tasks/taskCalls.ts';
import { ToolTaskSupport } from './tasks/toolTaskSupport.ts';
import { demandedUrls, lowerDemand, unsafeDemand, visitUrls } from './urlElicitations.ts';

export interface LegacyRouteOptions {
  readonly connection: Connection;
  readonly server: ServerIdentity;
  readonly session: SessionPort;
  readonly policy: () => DegradePolicy;
  /** Starts the server again after it was lost. */
  readonly reopen: () => Promise<Opened>;
  /** The server is a new one: what it offers may differ. */
  readonly onMissedChanges: () => void;
}

/** How often a server may demand addresses in the course of one request. */
const MAX_ROUNDS = 10;

/** The way from a client of the legacy era to a server of the same era: a connection of its own, and little to do. */
export class LegacyRoute implements Route {
  readonly server: ServerIdentity;
  readonly #options: LegacyRouteOptions;
  readonly #session: SessionPort;
  readonly #exchanges = new Map<number, Exchange>();
  readonly #questions = new Map<string, Asked>();
  readonly #support: ToolTaskSupport;
  readonly #taskCalls = new TaskCalls();
  #connection: Connection;
  #reopening: Promise<Opened> | undefined;
  #closed = false;

  constructor(options: LegacyRouteOptions) {
    this.server = options.server;
    this.#options = options;
    this.#session = options.session;
    this.#support = new ToolTaskSupport(options.server);
    this.#connection = options.connection;
    this.#attach(options.connection);
  }

  request(exchange: Exchange): void {
    if (this.#connection.isOpen) this.#call(exchange);
    else void this.#reopen(exchange);
  }

  notify(frame: NotifyFrame): void {
    // The bridge has said so itself when it opened the connection.
    if (frame.method !== Method.initialized) this.#connection.notify(frame);
  }

  get transport(): ClientTransport['kind'] {
    return this.#connection.transport.kind;
  }

  learnTools(tools: readonly ToolFacts[]): void {
    this.#support.learn(tools);
  }

  close(): void {
    this.#closed = true;
    void this.#connection.close();
  }

  #attach(connection: Connection): void {
    connection.attach({
      onNotification: (frame, call) => this.#onNotification(frame, call),
      onRequest: (frame, call, respond) => void this.#onQuestion(frame, call, respond),
      onClose: () => {
        for (const asked of this.#questions.values()) asked.withdraw();
      },
    });
  }

  async #reopen(exchange: Exchange): Promise<void> {
    this.#reopening ??= this.#options.reopen();
    const opened = await this.#reopening;
    this.#reopening = undefined;
    if (opened.kind === 'failed') {
      exchange.respond(fail(exchange.request, ErrorCode.internalError, opened.failure.message));
      return;
    }
    if (this.#closed) {
      void opened.connection.close();
      return;
    }
    const { revision } = this.server;
    if (opened.server.revision !== revision) {
      // The client was told what the old one could do; only a new handshake can tell it otherwise.
      if (opened.server.era === 'legacy') void opened.connection.close();
      const message = `The server was started again and speaks ${opened.server.revision} now instead of ${revision}; connect to it anew.`;
      exchange.respond(fail(exchange.request, ErrorCode.internalError, message));
      return;
    }
    if (this.#connection !== opened.connection) {
      this.#connection = opened.connection;
      this.#attach(opened.connection);
      this.#options.onMissedChanges();
    }
    if (!exchange.isOver) this.#call(exchange);
  }

  #call(exchange: Exchange, round = 1): void {
    if (!this.#support.decides(exchange.request)) {
      this.#send(exchange, round, false);
      return;
    }
    void this.#support.of(exchange.request, this.#connection).then((support) => {
      if (!exchange.isOver) this.#send(exchange, round, support === 'required');
    });
  }

  /** `isTask`: the client asks for no task of a tool that requires one, so that it is the bridge that waits for it. */
  #send(exchange: Exchange, round: number, isTask: boolean): void {
    const { request } = exchange;
    const connection = this.#connection;
    if (isTask) exchange.note([MADE_AS_TASK]);
    const call: Call = startCall(connection, request, isTask, {
      onNotification: (frame) => this.#tell(exchange, frame),
      onAwaiting: (taskId, id) => this.#register(id, exchange, taskId),
      cancels: promises(this.server, 'tasks', 'cancel'),
      onOutcome: (outcome) => {
        this.#forget(exchange);
        const frame = answerOrFailure(request, outcome);
        if (isTaskAnswer(frame)) {
          // Its token stays good for as long as the task lasts.
          connection.followProgress(call.id, (news) => {
            const progress = progressOf(request, news);
            if (progress !== undefined) this.#session.notify(progress);
          });
        }
        const urls = frame.error && demandedUrls(frame.error);
        if (urls === undefined || exchange.isOwn) exchange.respond(frame);
        else void this.#demandUrls(exchange, frame, urls, round);
      },
    });
    this.#register(call.id, exchange, awaitedTaskOf(request));
    exchange.onCancel((reason) => {
      this.#forget(exchange);
      call.cancel(reason);
    });
  }

  #register(call: number, exchange: Exchange, taskId: string | undefined): void {
    // The bridge's own requests have nobody who could be asked or told in their course.
    if (!exchange.isOwn) this.#exchanges.set(call, exchange);
    if (taskId !== undefined) this.#taskCalls.add(taskId, call);
  }

  #forget(exchange: Exchange): void {
    for (const [call, each] of this.#exchanges) {
      if (each !== exchange) continue;
      this.#exchanges.delete(call);
      this.#taskCalls.delete(call);
    }
  }

  /**
   * The server wants addresses visited before the call (2025-11-25, URL Elicitation Required Error). A client that can
   * open them reads that itself. Another one is asked to confirm each, where the policy allows it, and the call is made
   * again; else it gets the error's own words.
   */
  async #demandUrls(
    exchange: Exchange,
    frame: ResponseFrame,
    urls: readonly RawJson[],
    round: number,
  ): Promise<void> {
    const unsafe = unsafeDemand(urls);
    if (unsafe !== undefined) {
      exchange.refuse(unsafe);
      return;
    }
    const { client } = this.#session;
    const context = this.#questionContext();
    if (opensUrls(context) || !context.declares('elicitation') || round > MAX_ROUNDS) {
      exchange.respond(frame);
      return;
    }
    const demand = lowerDemand(urls, this.server.revision, client, this.#options.policy());
    if (demand.kind === 'refused') {
      exchange.raise(demand.refusal);
      exchange.respond(frame);
      return;
    }
    exchange.onCancel(() => undefined);
    if (!(await visitUrls(demand.questions, exchange))) exchange.respond(frame);
    else if (!exchange.isOver) this.#call(exchange, round + 1);
  }

  #tell(exchange: Exchange, frame: NotifyFrame): void {
    if (this.#isFor(frame)) tellClient(exchange, frame);
  }

  /** A client that is sent to no addresses is told nothing of what became of them. */
  #isFor({ method }: NotifyFrame): boolean {
    const { features } = this.#session.client.profile;
    return method !== Method.elicitationComplete || features.has('elicitation-url');
  }

  #onNotification(frame: NotifyFrame, call: number | undefined): void {
    if (frame.method === Method.cancelled) {
      this.#withdraw(frame);
      return;
    }
    if (frame.method === Method.toolsChanged) this.#support.forget();
    if (!this.#isFor(frame)) return;
    const exchange = frame.method === Method.message ? this.#exchangeOf(call) : undefined;
    if (exchange === undefined) this.#session.notify(frame);
    else exchange.notify(frame);
  }

  /** Which request a message belongs to: told by its stream over HTTP; on stdio the oldest one under way. */
  #exchangeOf(call: number | undefined): Exchange | undefined {
    if (call !== undefined) return this.#exchanges.get(call);
    return this.#exchanges.values().next().value;
  }

  async #onQuestion(
    frame: RequestFrame,
    call: number | undefined,
    respond: (answer: ResponseFrame) => void,
  ): Promise<void> {
    const exchange = this.#exchangeOf(this.#taskCalls.callOf(frame, call));
    const asked = this.#ask(frame, exchange ?? this.#outside(frame));
    this.#questions.set(frame.id, asked);
    const answer = await asked.answer;
    this.#questions.delete(frame.id);
    respond(answer);
  }

  #ask(frame: RequestFrame, port: QuestionPort): Asked {
    if (!isQuestion(frame.method)) return port.ask(frame);
    const context = this.#questionContext();
    const question = lowerQuestion(frame.method, frame.params, context);
    if (question.kind !== 'refused') return putQuestion(frame, question, context, port);
    port.raise(question.refusal);
    const refused = fail(frame, ErrorCode.methodNotFound, question.refusal.hint);
    return { answer: Promise.resolve(refused), withdraw: () => undefined };
  }

  /** Where a question is put that belongs to no request of the client's. */
  #outside(frame: RequestFrame): QuestionPort {
    return {
      ask: (question) => this.#session.ask(question),
      note: (steps) => this.#session.note(frame, steps),
      raise: (refusal) => this.#session.raise(frame, refusal),
    };
  }

  #questionContext(): QuestionContext {
    return questionContext(this.server.revision, this.#session.client, this.#options.policy());
  }

  /** The server no longer waits for the answer to a question of its own. */
  #withdraw(frame: NotifyFrame): void {
    const cancelled = readCancellation(frame);
    if (cancelled !== undefined) this.#questions.get(cancelled.id)?.withdraw(cancelled.reason);
  }
}

/** The task that a request waits for by itself. */
function awaitedTaskOf({ method, params }: RequestFrame): string | undefined {
  if (method !== Method.tasksResult || params === undefined) return undefined;
  return stringOf(getMember(params, 'taskId'));
}
