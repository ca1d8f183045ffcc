import type { IncomingHttpHeaders } from 'node:http';
import type { TransportFailure } from '../transport.ts';
import { networkFailure, type Place } from './httpFailure.ts';
import type { RequestController, RequestHandler, Requests } from './requests.ts';
import { singleValues } from './responseHeaders.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface ExchangeRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly place: Place;
}

/** What one request came to: a head, data and an end, or a failure at any point; nothing more after either. */
export interface ExchangeListener {
  /** `url` is where the response came from, behind all redirects. */
  onHead(status: number, headers: IncomingHttpHeaders, url: URL): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  onFailure(failure: TransportFailure): void;
  /** One of the other callbacks threw, and the request was given up for that; `error` is what it threw. */
  onFault(error: unknown): void;
}

/** A request under way. */
export interface OpenExchange {
  /** Closes its connection; its listener hears nothing more. */
  abort(): void;
}

/**
 * One HTTP request and its response.
 *
 * Invariants: the listener is never called before the constructor returned, and never after `abort`. A redirect is
 * followed within its origin only, with method and body: another origin may see neither the configured headers nor
 * what the client sent. Nothing is thrown into undici, which would take it for a failure of the network.
 */
export class Exchange implements OpenExchange {
  readonly #requests: Requests;
  readonly #request: ExchangeRequest;
  readonly #listener: ExchangeListener;
  readonly #onOver: (exchange: Exchange) => void;
  #controller: RequestController | undefined;
  #redirects = 0;
  #answering = false;
  #over = false;

  /** `onOver` is called once, when the request has ended in any way, `abort` included. */
  constructor(
    requests: Requests,
    request: ExchangeRequest,
    listener: ExchangeListener,
    onOver: (exchange: Exchange) => void,
  ) {
    this.#requests = requests;
    this.#request = request;
    this.#listener = listener;
    this.#onOver = onOver;
    queueMicrotask(() => this.#dispatch(request.url));
  }

  /** Closes the connection of this request. */
  abort(): void {
    this.#finish(() => this.#controller?.abort(new Error('aborted')));
  }

  #dispatch(url: URL): void {
    if (this.#over) return;
    const { method, headers, body } = this.#request;
    // Each hop has its own handler, so that the end of one that was left behind is not taken for the current one's.
    let current = true;
    const handler: RequestHandler = {
      onRequestStart: (controller) => {
        this.#controller = controller;
        if (this.#over) controller.abort(new Error('aborted'));
      },
      onResponseStart: (controller, status, received) => {
        if (this.#over || !current || status < 200) return;
        const headers = singleValues(received);
        const { location } = headers;
        if (!REDIRECTS.has(status) || location === undefined) {
          this.#answering = true;
          this.#tell(() => this.#listener.onHead(status, headers, url));
          return;
        }
        current = false;
        controller.abort(new Error('redirected'));
        this.#redirect(url, status, location);
      },
      onResponseData: (_controller, chunk) => {
        if (!this.#over && current) this.#tell(() => this.#listener.onData(chunk));
      },
      onResponseEnd: () => {
        if (current) this.#finish(() => this.#tell(() => this.#listener.onEnd()));
      },
      onResponseError: (_controller, error) => {
        if (current) this.#fail(networkFailure(this.#request.place, error, this.#answering));
      },
    };
    const path = `${url.pathname}${url.search}`;
    try {
      this.#requests.dispatch(
        { origin: url.origin, path, method, headers: { ...headers }, body: body ?? null },
        handler,
      );
    } catch (error) {
      this.#fail(networkFailure(this.#request.place, error, false));
    }
  }

  #redirect(from: URL, status: number, location: string): void {
    const { place, method } = this.#request;
    const fail = (why: string): void =>
      this.#fail({ kind: 'http-status', status, message: `${place.origin} redirects ${why}` });
    this.#redirects++;
    if (this.#redirects > MAX_REDIRECTS) fail(`more than ${MAX_REDIRECTS} times.`);
    else if (!URL.canParse(location, from.href)) fail('to an address that is none.');
    else {
      const to = new URL(location, from);
      if (to.origin !== from.origin) {
        fail(`to ${to.origin}. Configure that address if you trust it; it is not followed.`);
      } else if (status === 303 && method !== 'GET') {
        fail('to a page instead of answering.');
      } else {
        queueMicrotask(() => this.#dispatch(to));
      }
    }
  }

  #fail(failure: TransportFailure): void {
    this.#finish(() => this.#tell(() => this.#listener.onFailure(failure)));
  }

  #tell(event: () => void): void {
    try {
      event();
    } catch (error) {
      // A fault of the bridge's own, whatever it is.
      this.abort();
      this.#listener.onFault(error);
    }
  }

  #finish(tell: () => void): void {
    if (this.#over) return;
    this.#over = true;
    this.#onOver(this);
    tell();
  }
}
