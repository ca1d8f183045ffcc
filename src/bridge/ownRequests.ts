import { delay } from '../base/delay.ts';
import { withId, type IdToken, type RequestFrame, type ResponseFrame } from '../protocol/frame.ts';
import type { ClientTransport, TransportFailure } from '../transports/transport.ts';

export interface OwnRequestsOptions {
  /** How long the server may take. */
  readonly startMs: number;
  /** True while a person is asked to sign in, whose time is not the server's. */
  readonly isAsking: () => boolean;
}

export type OwnAnswer = ResponseFrame | TransportFailure;

interface Open {
  readonly transport: ClientTransport;
  readonly resolve: (answer: OwnAnswer) => void;
}

/** How their ids begin; all others that such a transport sees are numbers. */
const OWN = '"renewal-';

/** The bridge's own requests about a session, which no one outside waits for. */
export class OwnRequests {
  readonly #options: OwnRequestsOptions;
  readonly #open = new Map<IdToken, Open>();
  #made = 0;

  constructor(options: OwnRequestsOptions) {
    this.#options = options;
  }

  /** Makes a request under an id of its own; one that takes too long fails. */
  async ask(transport: ClientTransport, request: RequestFrame): Promise<OwnAnswer> {
    const { startMs, isAsking } = this.#options;
    const id = `${OWN}${++this.#made}"`;
    const late = delay(startMs, undefined, isAsking);
    const answer = await new Promise<OwnAnswer>((resolve) => {
      this.#open.set(id, { transport, resolve });
      transport.send(withId(request, id));
      const message = `it did not answer within ${startMs / 1000} s.`;
      void late.promise.then(() => resolve({ kind: 'closed', message }));
    });
    late.cancel();
    this.#open.delete(id);
    return answer;
  }

  /** Takes what one of them came to, be it too late; false for any other request. */
  settle(transport: ClientTransport, id: IdToken | undefined, answer: OwnAnswer): boolean {
    if (id?.startsWith(OWN) !== true) return false;
    const open = this.#open.get(id);
    if (open?.transport === transport) open.resolve(answer);
    return true;
  }

  /** Nothing is answered on this transport any more, or on any. */
  giveUp(failure: TransportFailure, transport?: ClientTransport): void {
    for (const open of this.#open.values()) {
      if (transport === undefined || open.transport === transport) open.resolve(failure);
    }
  }
}
