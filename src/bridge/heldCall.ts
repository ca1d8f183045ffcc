import { randomUUID } from 'node:crypto';
import {
  fail,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { InputRequest } from '../translate/questions/inputRequired.ts';
import type { RequiredCapability } from '../translate/questions/requiredCapability.ts';
import type { Call } from './connection.ts';
import type { Exchange } from './exchange.ts';

/** How long things last while a legacy server's call waits for its modern client, in milliseconds. */
export interface HeldLimits {
  /** How long a client may take to come back with its answers. */
  readonly lifeMs: number;
  /** Questions that a server asks together arrive one by one: so long after one, the next still joins it. */
  readonly quietMs: number;
  /** The longest that questions are collected. */
  readonly collectMs: number;
  /** How long a request that cannot ask may wait while a question of no call waits for one that can. */
  readonly graceMs: number;
}

export const HELD_LIMITS: HeldLimits = {
  lifeMs: 5 * 60_000,
  quietMs: 40,
  collectMs: 250,
  graceMs: 1000,
};

/** More than a server has to say while nobody listens. */
const MAX_KEPT = 100;

interface OpenQuestion extends InputRequest {
  readonly frame: RequestFrame;
  readonly respond: (answer: ResponseFrame) => void;
  /** Takes it over where the call ends before the client was asked; only where it may not be this call's. */
  readonly leave: (() => void) | undefined;
  isPut: boolean;
}

export interface HeldCallOptions {
  readonly limits: HeldLimits;
  /** Answers the client's request of the moment with the questions that are open. */
  readonly askClient: (held: HeldCall, exchange: Exchange) => void;
  /** Hands over the server's answer. */
  readonly deliver: (held: HeldCall, exchange: Exchange, frame: ResponseFrame) => void;
  readonly tell: (exchange: Exchange, frame: NotifyFrame) => void;
  /** Nothing more will come of this call. */
  readonly onOver: (held: HeldCall) => void;
}

/**
 * One call to a server of the legacy era, and the requests of a modern client that it answers: the first, and one more
 * for each time that the server asks something. Between two of them it is held, and nobody is there to be told of it.
 */
export class HeldCall {
  readonly id = randomUUID();
  /** What the client could not be asked, in whatever the server then makes of it. */
  lacking: RequiredCapability | undefined;
  readonly #options: HeldCallOptions;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #kept: NotifyFrame[] = [];
  #call: Call | undefined;
  #exchange: Exchange | undefined;
  #outcome: ResponseFrame | undefined;
  #round = 0;
  #asked = 0;
  #collectingSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(options: HeldCallOptions) {
    this.#options = options;
  }

  /** The client's request of the moment; undefined while the call is held. */
  get exchange(): Exchange | undefined {
    return this.#exchange;
  }

  get round(): number {
    return this.#round;
  }

  get questions(): ReadonlyMap<string, InputRequest> {
    return this.#open;
  }

  start(exchange: Exchange, send: () => Call): void {
    this.#attach(exchange);
    this.#call = send();
  }

  /** A question of the server's in the course of this call. */
  ask(
    frame: RequestFrame,
    question: InputRequest,
    respond: OpenQuestion['respond'],
    leave?: OpenQuestion['leave'],
  ): void {
    const kind = question.method.split('/')[0] ?? 'question';
    const open: OpenQuestion = { ...question, frame, respond, leave, isPut: false };
    this.#open.set(`${kind}-${++this.#asked}`, open);
    this.#collect();
  }

  /** The server no longer waits for the answer to one of its questions. */
  withdraw(id: string): void {
    for (const [key, { frame }] of this.#open) if (frame.id === id) this.#drop(key);
  }

  /** The client comes back; what it left unanswered is asked again. */
  resume(exchange: Exchange, answers: ReadonlyMap<string, RawJson>): void {
    this.#attach(exchange);
    for (const frame of this.#kept.splice(0)) this.#options.tell(exchange, frame);
    for (const [key, result] of answers) {
      const question = this.#open.get(key);
      if (question === undefined) continue;
      this.#open.delete(key);
      question.respond({ kind: 'response', id: question.frame.id, result });
    }
    if (this.#outcome !== undefined) this.settle(this.#outcome);
    else if (this.#open.size > 0) this.#collect();
  }

  notify(frame: NotifyFrame): void {
    if (this.#exchange !== undefined) this.#options.tell(this.#exchange, frame);
    else if (this.#kept.length < MAX_KEPT) this.#kept.push(frame);
  }

  /** The server's answer; kept for the client where it is not there, whose answers the server gets all the same. */
  settle(frame: ResponseFrame): void {
    if (this.#over) return;
    this.#outcome = frame;
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    this.#leaveAll();
    this.#dropAll();
    this.#end();
    this.#options.deliver(this, exchange, frame);
  }

  /** Lets go of the client's request, for whoever answers it otherwise. */
  release(): Exchange | undefined {
    this.#end();
    return this.#exchange;
  }

  /** Gives the call up, at the server too. */
  cancel(reason?: RawJson): void {
    if (this.#over) return;
    this.#end();
    this.#dropAll();
    if (this.#outcome === undefined) this.#call?.cancel(reason);
  }

  #attach(exchange: Exchange): void {
    clearTimeout(this.#timer);
    this.#collectingSince = undefined;
    this.#exchange = exchange;
    exchange.onCancel((reason) => this.cancel(reason));
  }

  /** Waits for what the server asks together with this; not while the client is away, who is asked on its return. */
  #collect(): void {
    if (this.#exchange === undefined) return;
    const { quietMs, collectMs } = this.#options.limits;
    const now = Date.now();
    this.#collectingSince ??= now;
    const left = this.#collectingSince + collectMs - now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#putToClient(), Math.max(0, Math.min(quietMs, left)));
  }

  #putToClient(): void {
    const exchange = this.#exchange;
    // They may all have been withdrawn meanwhile.
    if (exchange === undefined || this.#open.size === 0) return;
    this.#exchange = undefined;
    this.#round++;
    for (const question of this.#open.values()) question.isPut = true;
    this.#timer = setTimeout(
      () => this.cancel(toRaw('The client did not come back with its answers.')),
      this.#options.limits.lifeMs,
    ).unref();
    this.#options.askClient(this, exchange);
  }

  /** A question that nobody will answer any more; it is answered all the same, so that none stays open. */
  #drop(key: string): void {
    const question = this.#open.get(key);
    if (question === undefined) return;
    this.#open.delete(key);
    question.respond(unanswered(question.frame));
  }

  #leaveAll(): void {
    for (const [key, { leave, isPut }] of this.#open) {
      if (leave === undefined || isPut) continue;
      this.#open.delete(key);
      leave();
    }
  }

  #dropAll(): void {
    for (const key of [...this.#open.keys()]) this.#drop(key);
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#options.onOver(this);
  }
}

/** What a server is told whose question nobody will answer: a form has a way to say so. */
function unanswered(frame: RequestFrame): ResponseFrame {
  return frame.method === Method.elicit
    ? { kind: 'response', id: frame.id, result: toRaw({ action: 'cancel' }) }
    : fail(frame, ErrorCode.internalError, 'The client did not answer.');
}
