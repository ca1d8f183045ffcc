import { notify, type RequestFrame } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, stringOf } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import type { ClientTransport, TransportFailure } from '../transports/transport.ts';
import type { OwnAnswer, OwnRequests } from './ownRequests.ts';
import type { SessionMemory } from './sessionMemory.ts';

/** Opens a session in place of one that is lost, with the words that had opened and set that one. */
export class Renewal {
  readonly inner: ClientTransport;
  readonly #own: OwnRequests;
  readonly #report: (message: string) => void;
  #givenUp: TransportFailure | undefined;

  /** `inner` is a transport that has been started, and on which nothing was sent. */
  constructor(inner: ClientTransport, own: OwnRequests, report: (message: string) => void) {
    this.inner = inner;
    this.#own = own;
    this.#report = report;
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
    const answer = await this.#ask(initialize);
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
      const set = await this.#ask(setting);
      if (set.kind === 'closed') return set;
      const why = set.kind === 'response' ? set.error?.message : set.message;
      if (why === undefined) continue;
      const { method } = setting;
      this.#report(`The new session is not set as the old one was by ${method}: ${why}`);
    }
    return this.#givenUp;
  }

  /** Nothing more is asked. */
  giveUp(failure: TransportFailure): void {
    this.#givenUp ??= failure;
    this.#own.giveUp(failure, this.inner);
  }

  async #ask(request: RequestFrame): Promise<OwnAnswer> {
    if (this.#givenUp !== undefined) return this.#givenUp;
    const answer = await this.#own.ask(this.inner, request);
    return this.#givenUp ?? answer;
  }
}
