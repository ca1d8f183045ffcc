import type { IncomingHttpHeaders } from 'node:http';
import type { Frame, IdToken } from '../../protocol/frame.ts';
import { eraOf, type Revision } from '../../protocol/revision.ts';
import type { ClientTransport, ClientTransportListener, SendOptions } from '../transport.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { openExchange } from '../authorization/authorizedExchange.ts';
import { authorizerFor, configuredHeaders, lowerCase, placeOf } from '../http/clientHeaders.ts';
import { openRequests, type Address } from '../http/dispatcher.ts';
import type { ExchangeListener, ExchangeRequest, OpenExchange } from '../http/exchange.ts';
import { GetStream } from './getStream.ts';
import { networkFailure, type Place } from '../http/httpFailure.ts';
import { Inbox } from '../http/inbox.ts';
import { Outbox } from '../http/outbox.ts';
import type { Requests } from '../http/requests.ts';
import { Post } from './post.ts';
import type { Wire } from './wire.ts';

/** How long the farewell to a session may take. */
const FAREWELL_MS = 2000;

export interface StreamableHttpClientOptions extends Address {
  /** Sent with every request; their values never appear in a message. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs in where the server wants that, unless the headers hold an `Authorization` of their own. */
  readonly authorizer?: Authorizer | undefined;
  /** Where the proxy settings are read. */
  readonly environment?: NodeJS.ProcessEnv;
  /** What went wrong without being the answer to a request, for a log. */
  readonly report?: (message: string) => void;
}

/**
 * The client's side of Streamable HTTP, of either era: modern until a legacy revision was negotiated.
 *
 * Invariant: nothing is told to the listener inside `send` nor after `onClose`.
 */
export class StreamableHttpClient implements ClientTransport {
  readonly kind = 'streamableHttp';
  readonly #options: StreamableHttpClientOptions;
  readonly #headers: Record<string, string>;
  readonly #inbox = new Inbox();
  readonly #wire: Wire;
  readonly #authorizer: Authorizer | undefined;
  readonly #exchanges = new Set<OpenExchange>();
  readonly #outbox: Outbox;
  #requests: Requests | undefined;
  #loading: Promise<void> | undefined;
  #legacy: Revision | undefined;
  #sessionId: string | undefined;
  #isSessionLost = false;
  #standing: GetStream | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: StreamableHttpClientOptions) {
    this.#options = options;
    this.#headers = configuredHeaders(options.url, options.headers);
    this.#authorizer = authorizerFor(this.#headers, options.authorizer);
    const place = placeOf(options, this.#headers, this.#authorizer?.secrets);
    this.#wire = this.#createWire(place);
    this.#outbox = new Outbox(({ frame, headers: own }, onHead) => {
      new Post(this.#wire, frame, own, onHead);
    });
  }

  get cancelsByClosing(): boolean {
    return this.#legacy === undefined;
  }

  start(listener: ClientTransportListener): void {
    this.#inbox.start(listener);
  }

  negotiated(revision: Revision): void {
    this.#legacy = eraOf(revision) === 'legacy' ? revision : undefined;
  }

  send(frame: Frame, options: SendOptions = {}): void {
    if (this.#closing !== undefined) return;
    this.#outbox.add({ frame, headers: lowerCase(options.headers ?? {}) });
    if (this.#requests === undefined) this.#loading ??= this.#load();
  }

  abandon(id: IdToken): void {
    if (!this.cancelsByClosing) return;
    this.#outbox.withdraw(id);
    this.#inbox.abandon(id);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #load(): Promise<void> {
    try {
      this.#requests = await openRequests(this.#options, this.#options.environment ?? process.env);
      this.#outbox.open();
    } catch (error) {
      // What was sent meanwhile cannot leave; the next message tries again.
      this.#loading = undefined;
      const failure = networkFailure(this.#wire.place, error, false);
      for (const { frame } of this.#outbox.clear()) {
        if (frame.kind === 'request') this.#inbox.refuse(frame.id, failure);
      }
    }
  }

  #createWire(place: Place): Wire {
    return {
      place,
      inbox: this.#inbox,
      isResumable: () => this.#legacy !== undefined,
      hasSession: () => this.#sessionHeader() !== undefined,
      exchange: (request, listener) => this.#exchange(request, listener),
      onAccepted: (headers) => this.#onAccepted(headers),
      onSessionLost: () => this.#onSessionLost(),
      report: (message) => {
        if (this.#closing === undefined) this.#options.report?.(message);
      },
    };
  }

  #sessionHeader(): string | undefined {
    return this.#legacy === undefined ? undefined : this.#sessionId;
  }

  #exchange(
    request: Pick<ExchangeRequest, 'method' | 'headers' | 'body'>,
    listener: ExchangeListener,
  ): OpenExchange {
    if (this.#requests === undefined) throw new Error('No exchange before the client is loaded.');
    const headers = { ...this.#headers, ...request.headers };
    const session = this.#sessionHeader();
    if (session !== undefined) headers['mcp-session-id'] = session;
    if (this.#legacy !== undefined) headers['mcp-protocol-version'] = this.#legacy;
    const whole = { ...request, headers, url: this.#options.url, place: this.#wire.place };
    const onOver = (over: OpenExchange): void => void this.#exchanges.delete(over);
    const exchange = openExchange(this.#requests, whole, this.#authorizer, listener, onOver);
    this.#exchanges.add(exchange);
    return exchange;
  }

  #onAccepted(headers: IncomingHttpHeaders): void {
    const id = headers['mcp-session-id'];
    if (this.#legacy === undefined) {
      // Whether this is the response to `initialize` is known once the owner says so, by `negotiated`.
      if (typeof id === 'string' && /^[\x21-\x7e]+$/.test(id)) this.#sessionId = id;
      return;
    }
    if (this.#standing !== undefined || this.#closing !== undefined || this.#isSessionLost) return;
    // The first message after the handshake is the notification that ends it; many servers refuse a GET before that.
    this.#standing = new GetStream(this.#wire, undefined, {
      lastEventId: undefined,
      retryMs: undefined,
    });
    this.#standing.open();
  }

  #onSessionLost(): void {
    this.#isSessionLost = true;
    this.#standing?.stop();
  }

  async #close(): Promise<void> {
    const listener = this.#inbox.silence();
    this.#outbox.clear();
    this.#standing?.stop();
    for (const exchange of [...this.#exchanges]) exchange.abort();
    await this.#loading;
    const hasSession = this.#sessionHeader() !== undefined && !this.#isSessionLost;
    if (hasSession && this.#requests !== undefined) {
      await this.#endSession();
    }
    await this.#requests?.destroy();
    listener?.onClose({ kind: 'closed', message: 'The connection to the server was closed.' });
  }

  /** Lets the server forget the session; whether it does is its own affair (405 is allowed). */
  #endSession(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, FAREWELL_MS);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#exchange(
        { method: 'DELETE', headers: {} },
        {
          onHead: done,
          onData: () => undefined,
          onEnd: () => undefined,
          onFailure: done,
          onFault: done,
        },
      );
    });
  }
}
