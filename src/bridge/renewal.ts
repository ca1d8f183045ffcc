import { delay } from '../base/delay.ts';
import {
  notify,
  withId,
  type IdToken,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, stringOf } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import type { ClientTransport, TransportFailure } from '../transports/transport.ts';
import type { SessionMemory } from './sessionMemory.ts';

export interface RenewalOptions {
  /** How long the server may take to open a session. */
  readonly startMs: number;
  /** True while a person is asked to sign in, whose time is not the server's. */
  readonly isAsking: () => boolean;
  readonly report: (message: string) => void;
}

type Answer = ResponseFrame | TransportFailure;

/** The bridge's own requests, which no one outside waits for. */
const OWN = '"renewal-';

/** Opens a session in place of one that is lost, with the words that had opened and set that one. */
export class Renewal {
  readonly inner: ClientTransport;
  readonly #options: RenewalOptions;
  #asked: { readonly id: IdToken; readonly resolve: (answer: Answer) => void } | undefined;
  #givenUp: TransportFailure | undefined;

  /** `inner` is a transport that has been started, and on which nothing was sent. */
  constructor(inner: ClientTransport, options: RenewalOptions) {
    this.inner = inner;
    this.#options = options;
  }

  /** Resolves with why there is no such session; undefined where the server agrees to the same again. */
  async run(
    memory: SessionMemory,
    revision: Revision | undefined,
  ): Promise<TransportFailure | undefined> {
    const { initialize } = memory;
    if (initialize === undefined || revision === undefined) {
      return { kind: 'closed', message: 'no session had been opened.' };
    }
    const answer = await this.#ask(withId(initialize, `${OWN}initialize"`));
    if (answer.kind !== 'response') return answer;
    if (answer.error !== undefined) return { kind: 'malformed', message: answer.error.message };
    const chosen = stringOf(getMember(answer.result, 'protocolVersion'));
    if (chosen !== revision) {
      // The client was told what the old one could do; only a new handshake can tell it otherwise.
      const message = `it speaks ${chosen ?? 'no revision'} now instead of ${revision}; connect to it anew.`;
      return { kind: 'malformed', message };
    }
    this.inner.negotiated(revision);
    this.inner.send(notify(Method.initialized));
    // What waits counts on them, and over HTTP a request may overtake another.
    const made = new Set<RequestFrame>();
    for (;;) {
      // The lost session may still answer to one of them meanwhile.
      const setting = memory.settings.find((each) => !made.has(each));
      if (setting === undefined) break;
      made.add(setting);
      const set = await this.#ask(withId(setting, `${OWN}${made.size}"`));
      if (set.kind === 'closed') return set;
      const why = set.kind === 'response' ? set.error?.message : set.message;
      if (why === undefined) continue;
      const { method } = setting;
      this.#options.report(`The new session is not set as the old one was by ${method}: ${why}`);
    }
    return this.#givenUp;
  }

  /** Takes what a request of the renewal itself came to; false for any other. */
  settle(from: ClientTransport, id: IdToken | undefined, answer: Answer): boolean {
    if (from !== this.inner || this.#asked === undefined || id !== this.#asked.id) return false;
    this.#asked.resolve(answer);
    return true;
  }

  /** Nothing more is asked. */
  giveUp(failure: TransportFailure): void {
    this.#givenUp ??= failure;
    this.#asked?.resolve(failure);
  }

  /** One that takes too long fails. */
  async #ask(request: RequestFrame): Promise<Answer> {
    if (this.#givenUp !== undefined) return this.#givenUp;
    const { startMs, isAsking } = this.#options;
    const late = delay(startMs, undefined, isAsking);
    const answer = await new Promise<Answer>((resolve) => {
      this.#asked = { id: request.id, resolve };
      this.inner.send(request);
      const message = `it did not answer within ${startMs / 1000} s.`;
      void late.promise.then(() => resolve({ kind: 'closed', message }));
    });
    late.cancel();
    this.#asked = undefined;
    return this.#givenUp ?? answer;
  }
}
