import {
  fail,
  request as makeRequest,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { getMember } from '../protocol/rawJson.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { isQuestion, lowerQuestion } from '../translate/questions/question.ts';
import type { ClientTransport } from '../transports/transport.ts';
import { declares } from './client.ts';
import { answerOrFailure, type CallOutcome } from './callOutcome.ts';
import type { Connection } from './connection.ts';
import type { Asked, Exchange, SessionPort } from './exchange.ts';
import type { Opened } from './openAttempt.ts';
import { tellClient } from './progress.ts';
import type { Route } from './route.ts';
import type { ServerIdentity } from './serverIdentity.ts';

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

/** The way from a client of the legacy era to a server of the same era: a connection of its own, and little to do. */
export class LegacyRoute implements Route {
  readonly server: ServerIdentity;
  readonly #options: LegacyRouteOptions;
  readonly #session: SessionPort;
  readonly #exchanges = new Map<number, Exchange>();
  readonly #questions = new Map<string, Asked>();
  #connection: Connection;
  #reopening: Promise<Opened> | undefined;
  #closed = false;

  constructor(options: LegacyRouteOptions) {
    this.server = options.server;
    this.#options = options;
    this.#session = options.session;
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

  learnTools(): void {
    // In the legacy era a call says all it has to say in its body.
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

  #call(exchange: Exchange): void {
    const call = this.#connection.call(exchange.request, {
      onNotification: (frame) => tellClient(exchange, frame),
      onOutcome: (outcome) => {
        this.#exchanges.delete(call.id);
        // The next request opens a new session (2025-11-25, Session Management).
        if (isSessionLost(outcome)) void this.#connection.close();
        exchange.respond(answerOrFailure(exchange.request, outcome));
      },
    });
    // The bridge's own requests have nobody who could be asked or told in their course.
    if (!exchange.isOwn) this.#exchanges.set(call.id, exchange);
    exchange.onCancel((reason) => {
      this.#exchanges.delete(call.id);
      call.cancel(reason);
    });
  }

  #onNotification(frame: NotifyFrame, call: number | undefined): void {
    if (frame.method === Method.cancelled) {
      this.#withdraw(frame);
      return;
    }
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
    const exchange = this.#exchangeOf(call);
    let question = frame;
    if (isQuestion(frame.method)) {
      const { client } = this.#session;
      const lowered = lowerQuestion(frame.method, frame.params, {
        to: client.profile,
        policy: this.#options.policy(),
        declares: (...path) => declares(client, ...path),
        elicitationId: `rosetta-${frame.id}`,
      });
      if (lowered.kind === 'refused') {
        exchange?.raise(lowered.refusal);
        respond(fail(frame, ErrorCode.methodNotFound, lowered.refusal.hint));
        return;
      }
      exchange?.note(lowered.steps);
      if (lowered.kind === 'answered') {
        respond({ kind: 'response', id: frame.id, result: lowered.result });
        return;
      }
      if (lowered.params !== frame.params) {
        question = makeRequest(frame.id, frame.method, lowered.params);
      }
    }
    const asked = (exchange ?? this.#session).ask(question);
    this.#questions.set(frame.id, asked);
    const answer = await asked.answer;
    this.#questions.delete(frame.id);
    respond(answer);
  }

  /** The server no longer waits for the answer to a question of its own. */
  #withdraw(frame: NotifyFrame): void {
    const id = frame.params && getMember(frame.params, 'requestId');
    const reason = frame.params && getMember(frame.params, 'reason');
    if (id !== undefined) this.#questions.get(id.toString('utf8'))?.withdraw(reason);
  }
}

/** The server knows the session no more: every further request on it would fail the same way. */
function isSessionLost(outcome: CallOutcome): boolean {
  return (
    outcome.kind === 'failed' &&
    outcome.failure.kind === 'http-status' &&
    outcome.failure.status === 404
  );
}
