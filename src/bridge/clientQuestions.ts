import { cancellation } from '../protocol/cancellation.ts';
import {
  fail,
  makeError,
  withId,
  type Frame,
  type IdToken,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import type { Asked } from './exchange.ts';

interface Open {
  readonly resolve: (frame: ResponseFrame) => void;
}

const WITHDRAWN = 'The question was withdrawn.';

/** The requests that the bridge has put to one client, and the answers that are awaited. */
export class ClientQuestions {
  readonly #send: (frame: Frame, relatedTo: IdToken | undefined) => void;
  readonly #open = new Map<IdToken, Open>();
  #count = 0;

  constructor(send: (frame: Frame, relatedTo: IdToken | undefined) => void) {
    this.#send = send;
  }

  /** Asks under an id of the bridge's own: a string, which no client takes for one of its own numbers. */
  ask(question: RequestFrame, relatedTo: IdToken | undefined): Asked {
    const id: IdToken = `"rosetta-${++this.#count}"`;
    const answer = new Promise<ResponseFrame>((resolve) => this.#open.set(id, { resolve }));
    this.#send(withId(question, id), relatedTo);
    return {
      answer,
      withdraw: (reason) => {
        if (!this.#end(id, WITHDRAWN)) return;
        this.#send(cancellation(id, reason), relatedTo);
      },
    };
  }

  /** Asks as soon as the client can be asked. */
  askOnce(ready: Promise<void>, question: RequestFrame): Asked {
    let asked: Asked | undefined;
    let withdrawn = false;
    return {
      answer: ready.then(() => {
        if (withdrawn) return fail(question, ErrorCode.internalError, WITHDRAWN);
        asked = this.ask(question, undefined);
        return asked.answer;
      }),
      withdraw: (reason) => {
        withdrawn = true;
        asked?.withdraw(reason);
      },
    };
  }

  /** Takes a client's answer; false where nobody asked. */
  settle(frame: ResponseFrame): boolean {
    const open = frame.id === undefined ? undefined : this.#open.get(frame.id);
    if (open === undefined || frame.id === undefined) return false;
    this.#open.delete(frame.id);
    open.resolve(frame);
    return true;
  }

  /** The client cannot be asked this: the question fails. */
  fail(id: IdToken): void {
    this.#end(id, 'The client is not reachable.');
  }

  /** The client is gone: every question fails. */
  endAll(): void {
    for (const id of [...this.#open.keys()]) this.#end(id, 'The client went away.');
  }

  #end(id: IdToken, message: string): boolean {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.resolve({
      kind: 'response',
      id,
      error: makeError(ErrorCode.internalError, message),
    });
    return open !== undefined;
  }
}
