import {
  fail,
  withParams,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Meta } from '../protocol/meta.ts';
import { Method, SERVER_NOTIFICATIONS } from '../protocol/methods.ts';
import { getAt, getMember, stringOf, type RawJson } from '../protocol/rawJson.ts';
import { toLegacyParams } from '../translate/legacyRequest.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { inputRequired, inputResponses } from '../translate/questions/inputRequired.ts';
import { mayAsk } from '../translate/results/completion.ts';
import { answerOrFailure } from './callOutcome.ts';
import type { ClientIdentity } from './client.ts';
import type { Call, Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { HeldCall, type HeldCallOptions, type HeldLimits } from './heldCall.ts';
import { HeldCalls } from './heldCalls.ts';
import { isWanted, LOG_LEVELS, LogLevels, rankOf } from './logLevels.ts';
import { lackedBy, respondInModernWords } from './modernAnswer.ts';
import type { ParkedQuestion } from './parkedQuestions.ts';
import { tellClient } from './progress.ts';
import { promises, type ServerIdentity } from './serverIdentity.ts';
import type { StateSeal } from './stateSeal.ts';
import { MADE_AS_TASK, startCall } from './tasks/callAsTask.ts';
import type { ExtensionTasks, TaskUse } from './tasks/extensionTasks.ts';
import { TaskCalls } from './tasks/taskCalls.ts';
import { askForUrls, demandedUrls, lowerDemand, NOT_VISITED } from './urlElicitations.ts';

/** One client of the modern era at a server of the legacy one. */
export interface ModernSession {
  readonly connection: Connection;
  readonly server: ServerIdentity;
  readonly client: ClientIdentity;
  readonly policy: () => DegradePolicy;
  readonly seal: StateSeal;
  readonly limits: HeldLimits;
  /** The server said something that no client of the modern era can be told. */
  readonly onLost: (message: string) => void;
}

export interface ModernCallsOptions extends ModernSession {
  readonly tasks: ExtensionTasks;
  /** The server has said something in the course of a call; `call` is that at the server. */
  readonly onNotification: (frame: NotifyFrame, call: number) => void;
}

/**
 * The calls of one client of the modern era to a server of the legacy one. Each is held while the client is away to find
 * answers to the server's questions, and goes on when the client comes back with them.
 */
export class ModernCalls {
  readonly #options: ModernCallsOptions;
  readonly #levels: LogLevels;
  readonly #held: HeldCalls;
  readonly #taskCalls = new TaskCalls();
  /** Calls that are held although the server has ended them; its own are counted upwards. */
  #ownCalls = 0;

  constructor(options: ModernCallsOptions) {
    const { connection, server, client, policy, limits, onLost } = options;
    this.#options = options;
    this.#levels = new LogLevels(connection);
    this.#held = new HeldCalls(server.revision, client, policy, limits, onLost);
  }

  get size(): number {
    return this.#held.size;
  }

  /** Puts a request of the server's own to the client, with the call it belongs to. */
  onQuestion(
    frame: RequestFrame,
    call: number | undefined,
    respond: (answer: ResponseFrame) => void,
  ): void {
    this.#held.onQuestion(frame, this.#taskCalls.callOf(frame, call), respond);
  }

  /** The server takes back a question of its own. */
  withdraw(question: Parameters<HeldCalls['withdraw']>[0]): void {
    this.#held.withdraw(question);
  }

  /** Tells the client what the server says, with a call: on no other stream may it reach the client. */
  notify(frame: NotifyFrame, call: number | undefined): void {
    if (call !== undefined) {
      this.#held.ofCall(call)?.notify(frame);
    } else if (frame.method === Method.message) {
      this.#held
        .first(({ exchange }) => exchange !== undefined && wantsLogs(exchange))
        ?.notify(frame);
    } else if (!SERVER_NOTIFICATIONS.has(frame.method)) {
      this.#passOn(frame);
    }
  }

  cancelAll(): void {
    this.#held.cancelAll();
  }

  /** The server is gone: what it has asked before any call is asked no more. */
  end(): void {
    this.#held.takeParked();
  }

  /** Answers a request: makes the call, or takes up the one that it continues. */
  async make(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const level = logLevelOf(exchange);
    const rank = rankOf(level);
    if (level !== undefined && rank === undefined) {
      const message = `\`${Meta.logLevel}\` has to be one of ${LOG_LEVELS.join(', ')}.`;
      exchange.respond(fail(request, ErrorCode.invalidParams, message));
      return;
    }
    const state = request.params && stringOf(getMember(request.params, 'requestState'));
    if (state !== undefined && mayAsk(request.method)) {
      this.#resume(exchange, state);
      return;
    }
    await this.#begin(exchange, rank);
  }

  async #begin(exchange: Exchange, rank: number | undefined): Promise<void> {
    if (exchange.isOver) return;
    const parked = mayAsk(exchange.request.method) ? this.#held.takeParked() : [];
    if (parked.length > 0) {
      this.#askFirst(exchange, parked, rank);
      return;
    }
    const use = await this.#options.tasks.useFor(exchange.request);
    const logs = rank !== undefined && promises(this.#options.server, 'logging') ? rank : undefined;
    if (logs !== undefined) await this.#levels.enter(logs);
    if (exchange.isOver) {
      if (logs !== undefined) this.#levels.leave(logs);
      return;
    }
    this.#start(exchange, use, () => {
      if (logs !== undefined) this.#levels.leave(logs);
    });
  }

  #start(exchange: Exchange, use: TaskUse, onOver: () => void): void {
    const held = this.#hold(onOver);
    const request = this.#options.tasks.requestFor(legacyRequest(exchange.request), use);
    if (use === 'awaited') exchange.note([MADE_AS_TASK]);
    held.start(exchange, () => {
      const call: Call = startCall(this.#options.connection, request, use === 'awaited', {
        onNotification: (frame) => this.#options.onNotification(frame, call.id),
        onOutcome: (outcome) => held.settle(answerOrFailure(exchange.request, outcome)),
        onAwaiting: (taskId, id) => {
          this.#taskCalls.add(taskId, id);
          this.#held.add(id, held, true);
        },
        cancels: promises(this.#options.server, 'tasks', 'cancel'),
      });
      this.#held.add(call.id, held, mayAsk(exchange.request.method));
      return call;
    });
  }

  /** What the server has asked before any call it wants to know by the time of one: the call waits for the answers. */
  #askFirst(exchange: Exchange, parked: readonly ParkedQuestion[], rank: number | undefined): void {
    const { request } = exchange;
    const held = this.#hold(ignore, (_held, returned) => void this.#begin(returned, rank));
    this.#holdForOwn(held, exchange);
    let left = parked.length;
    for (const { putBy } of parked) {
      putBy(held, () => {
        if (--left === 0) held.settle(fail(request, ErrorCode.internalError, 'Not called yet.'));
      });
    }
  }

  /** Holds a request of the client's that the server knows nothing of. */
  #holdForOwn(held: HeldCall, exchange: Exchange): void {
    const id = --this.#ownCalls;
    this.#held.add(id, held, false);
    held.start(exchange, () => ({ id, cancel: ignore, forget: ignore }));
  }

  #hold(
    onOver: () => void,
    deliver: HeldCallOptions['deliver'] = (held, exchange, frame) =>
      this.#deliver(held, exchange, frame),
  ): HeldCall {
    return new HeldCall({
      limits: this.#options.limits,
      askClient: (held, exchange) => this.#askClient(held, exchange),
      deliver,
      tell,
      onOver: (held) => {
        for (const call of this.#held.delete(held)) this.#taskCalls.delete(call);
        onOver();
      },
    });
  }

  #resume(exchange: Exchange, state: string): void {
    const { request } = exchange;
    const reading = this.#options.seal.open(state, request);
    const refuse = (message: string): void =>
      exchange.respond(fail(request, ErrorCode.invalidParams, message));
    if (reading.kind === 'refused') {
      refuse(reading.message);
      return;
    }
    const held = this.#held.find(reading.state.call);
    if (held === undefined) {
      refuse('The requestState is not valid: the call it belongs to is over.');
    } else if (held.exchange !== undefined || held.round !== reading.state.round) {
      refuse('The requestState is not valid: it has been used.');
    } else {
      held.resume(exchange, inputResponses(request.params));
    }
  }

  #askClient(held: HeldCall, exchange: Exchange): void {
    const { id: call, round, questions } = held;
    const state = this.#options.seal.seal({ call, round }, exchange.request);
    exchange.answer(inputRequired(questions, state, this.#options.server.serverInfo));
  }

  #deliver(held: HeldCall, exchange: Exchange, frame: ResponseFrame): void {
    const { request } = exchange;
    if (this.#options.tasks.handOver(exchange, frame)) return;
    const lacking = lackedBy(held, request, frame);
    if (lacking !== undefined) {
      exchange.respond(lacking);
      return;
    }
    const urls = frame.error && mayAsk(request.method) ? demandedUrls(frame.error) : undefined;
    if (urls !== undefined) this.#demandUrls(exchange, urls);
    else respondInModernWords(exchange, frame, this.#options.client.profile);
  }

  /** The server has refused the call for now: it is made again once the client has been where the server sends it. */
  #demandUrls(exchange: Exchange, urls: readonly RawJson[]): void {
    const { client, policy } = this.#options;
    const demand = lowerDemand(urls, this.#options.server.revision, client, policy());
    if (demand.kind === 'refused') {
      exchange.refuse(demand.refusal);
      return;
    }
    for (const { question } of demand.questions) exchange.note(question.steps);
    const held = this.#hold(ignore);
    this.#holdForOwn(held, exchange);
    askForUrls(held, demand.questions, (visited) => {
      const returned = held.release();
      if (returned === undefined) return;
      if (visited) void this.#begin(returned, rankOf(logLevelOf(returned)));
      else returned.refuse(NOT_VISITED);
    });
  }

  /** What nothing here knows goes with the oldest request under way. */
  #passOn(frame: NotifyFrame): void {
    const held = this.#held.first(({ exchange }) => exchange !== undefined);
    if (held !== undefined) held.notify(frame);
    else {
      const { revision } = this.#options.client.profile;
      this.#options.onLost(
        `The server sent ${frame.method} in the course of no request; a client of ${revision} cannot be told of it.`,
      );
    }
  }
}

function ignore(): void {
  return;
}

function legacyRequest(request: RequestFrame): RequestFrame {
  return request.params === undefined
    ? request
    : withParams(request, toLegacyParams(request.params));
}

function logLevelOf({ request }: Exchange): RawJson | undefined {
  return request.params && getAt(request.params, ['_meta', Meta.logLevel]);
}

function wantsLogs(exchange: Exchange): boolean {
  return rankOf(logLevelOf(exchange)) !== undefined;
}

/** A log message reaches only the request that asked for such (2026-07-28, Logging, Per-request log level). */
function tell(exchange: Exchange, frame: NotifyFrame): void {
  const rank = rankOf(logLevelOf(exchange));
  const isLog = frame.method === Method.message;
  if (isLog && (rank === undefined || !isWanted(frame.params, rank))) return;
  tellClient(exchange, frame);
}
