import {
  answer,
  fail,
  reply,
  withResult,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { Refusal, Step } from '../translate/report.ts';
import type { Asked, Exchange } from './exchange.ts';

/** What an exchange needs of the session it belongs to. */
export interface ExchangeHost {
  /** Puts the server's result to the client; a refusal is answered in its place. */
  translate(
    request: RequestFrame,
    result: RawJson,
  ): { kind: 'result'; result: RawJson } | { kind: 'refused'; refusal: Refusal };
  onRefusal(request: RequestFrame, refusal: Refusal): void;
  onSteps(request: RequestFrame, steps: readonly Step[]): void;
  /** The object that tells the client of a refusal. */
  refusalData(refusal: Refusal): { bridge: Record<string, string> };
  /** The members that a result of the bridge's own needs besides. */
  readonly ownResult?: Readonly<Record<string, string>>;
  /** The code of a refusal that is an error. */
  readonly refusalCode?: number;
  notify(frame: NotifyFrame): void;
  ask(question: RequestFrame): Asked;
}

/** A client's request: `request` is what goes to the server, `finish` sends the one answer under the client's own id. */
export class ClientExchange implements Exchange {
  readonly isOwn = false;
  readonly request: RequestFrame;
  readonly #host: ExchangeHost;
  readonly #finish: (response: ResponseFrame | undefined) => void;
  readonly #questions = new Set<Asked>();
  #onCancel: ((reason: RawJson | undefined) => void) | undefined;
  #over = false;

  /** `finish` is called exactly once: with the answer, or with undefined where the client no longer wants one. */
  constructor(
    request: RequestFrame,
    host: ExchangeHost,
    finish: (response: ResponseFrame | undefined) => void,
  ) {
    this.request = request;
    this.#host = host;
    this.#finish = finish;
  }

  get isOver(): boolean {
    return this.#over;
  }

  respond(frame: ResponseFrame): void {
    if (this.#over) return;
    this.#end(this.answerTo(this.request, frame));
  }

  answerTo(request: RequestFrame, frame: ResponseFrame): ResponseFrame {
    const own = reply(request, frame);
    if (own.error !== undefined) return own;
    const translated = this.#host.translate(request, own.result);
    if (translated.kind === 'refused') return this.#refused(request, translated.refusal);
    return translated.result === own.result ? own : withResult(own, translated.result);
  }

  answer(result: RawJson): void {
    if (!this.#over) this.#end(answer(this.request, result));
  }

  refuse(refusal: Refusal): void {
    if (this.#over) return;
    this.#end(this.#refused(this.request, refusal));
  }

  raise(refusal: Refusal): void {
    this.#host.onRefusal(this.request, refusal);
  }

  note(steps: readonly Step[]): void {
    if (steps.length > 0) this.#host.onSteps(this.request, steps);
  }

  notify(frame: NotifyFrame): void {
    if (!this.#over) this.#host.notify(frame);
  }

  ask(question: RequestFrame): Asked {
    const asked = this.#host.ask(question);
    this.#questions.add(asked);
    void asked.answer.then(() => this.#questions.delete(asked));
    return asked;
  }

  onCancel(listener: (reason: RawJson | undefined) => void): void {
    this.#onCancel = listener;
  }

  /** The client gives up: the server is told, open questions are withdrawn, and no answer will follow. */
  cancel(reason: RawJson | undefined): void {
    if (this.#over) return;
    this.#end(undefined);
    this.#onCancel?.(reason);
    for (const asked of [...this.#questions]) asked.withdraw(reason);
  }

  #refused(request: RequestFrame, refusal: Refusal): ResponseFrame {
    this.#host.onRefusal(request, refusal);
    return refusalAnswer(request, refusal, this.#host);
  }

  #end(response: ResponseFrame | undefined): void {
    this.#over = true;
    this.#finish(response);
  }
}

/** A refusal as the client gets it: an error, or for a tool call a tool error, so that the model can act on it. */
function refusalAnswer(request: RequestFrame, refusal: Refusal, host: ExchangeHost): ResponseFrame {
  const data = host.refusalData(refusal);
  const text = `Refused by the bridge (${refusal.feature}): ${refusal.hint}`;
  if (request.method !== Method.toolsCall) {
    return fail(request, host.refusalCode ?? ErrorCode.internalError, text, data);
  }
  const content = [{ type: 'text', text }];
  const result = toRaw({ ...host.ownResult, content, isError: true, _meta: data });
  return answer(request, result);
}
