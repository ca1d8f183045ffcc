import {
  Exchange,
  type ExchangeListener,
  type ExchangeRequest,
  type OpenExchange,
} from '../http/exchange.ts';
import { wordsOf } from '../http/httpFailure.ts';
import type { Requests } from '../http/requests.ts';
import type { TransportFailure } from '../transport.ts';
import type { Authorizer, Demand } from './authorizer.ts';
import { RefusalBody } from './refusalBody.ts';

/** Makes a request; where there is an authorizer, with what it has. */
export function openExchange(
  requests: Requests,
  request: ExchangeRequest,
  authorizer: Authorizer | undefined,
  listener: ExchangeListener,
  onOver: (exchange: OpenExchange) => void,
): OpenExchange {
  return authorizer === undefined
    ? new Exchange(requests, request, listener, onOver)
    : new AuthorizedExchange(requests, request, authorizer, listener, onOver);
}

/** Refreshed, asked for, asked for more, and whatever another request brought about meanwhile. */
const MAX_RETRIES = 4;

/**
 * One HTTP request that shows what the authorizer has, and is made again when that was not enough and there is more.
 *
 * Invariants: as for `Exchange`; and of the attempts that were refused, the listener hears nothing.
 */
class AuthorizedExchange implements OpenExchange {
  readonly #requests: Requests;
  readonly #request: ExchangeRequest;
  readonly #authorizer: Authorizer;
  readonly #listener: ExchangeListener;
  readonly #onOver: (exchange: OpenExchange) => void;
  #current: Exchange | undefined;
  #retries = 0;
  #over = false;

  constructor(
    requests: Requests,
    request: ExchangeRequest,
    authorizer: Authorizer,
    listener: ExchangeListener,
    onOver: (exchange: OpenExchange) => void,
  ) {
    this.#requests = requests;
    this.#request = request;
    this.#authorizer = authorizer;
    this.#listener = listener;
    this.#onOver = onOver;
    void this.#start();
  }

  abort(): void {
    if (this.#over) return;
    this.#finish();
    this.#current?.abort();
  }

  async #start(): Promise<void> {
    const authorization = await this.#authorizer.authorization();
    if (this.#over) return;
    const headers = {
      ...this.#request.headers,
      ...(authorization !== undefined && { authorization }),
    };
    let refusal: RefusalBody | undefined;
    const exchange = new Exchange(
      this.#requests,
      { ...this.#request, headers },
      {
        ...this.#listener,
        onHead: (status, received, url) => {
          const challenge = received['www-authenticate'];
          if (!this.#isDemand(status, challenge)) {
            if (authorization !== undefined && status < 400) {
              this.#authorizer.accepted(authorization);
            }
            this.#listener.onHead(status, received, url);
            return;
          }
          refusal = new RefusalBody((body) => {
            exchange.abort();
            if (this.#over) return;
            const words = wordsOf(this.#request.place, received, body);
            void this.#meet({ status, challenge, used: authorization, words });
          });
        },
        onData: (chunk) => {
          if (refusal === undefined) this.#listener.onData(chunk);
          else refusal.take(chunk);
        },
        onEnd: () => {
          if (refusal === undefined) this.#listener.onEnd();
          else refusal.end();
        },
        onFailure: (failure) => {
          if (refusal === undefined) this.#listener.onFailure(failure);
          else refusal.end();
        },
      },
      () => {
        if (refusal === undefined) this.#finish();
      },
    );
    this.#current = exchange;
  }

  #isDemand(status: number, challenge: string | undefined): boolean {
    // Nobody is asked to sign in for a farewell.
    return this.#request.method !== 'DELETE' && this.#authorizer.concerns(status, challenge);
  }

  async #meet(demand: Omit<Demand, 'retries'>): Promise<void> {
    const { status, challenge } = demand;
    const retries = this.#retries++;
    const verdict =
      retries >= MAX_RETRIES
        ? ({ kind: 'refused', message: this.#endless } as const)
        : await this.#authorizer.meet({ ...demand, retries });
    if (this.#over) return;
    if (verdict.kind === 'retry') {
      await this.#start();
      return;
    }
    const failure: TransportFailure = {
      kind: 'sign-in',
      status,
      message: verdict.message,
      ...(challenge !== undefined && { challenge }),
    };
    this.#finish();
    try {
      this.#listener.onFailure(failure);
    } catch (error) {
      this.#listener.onFault(error);
    }
  }

  get #endless(): string {
    return `${this.#request.place.origin} wants one sign-in after another.`;
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#onOver(this);
  }
}
