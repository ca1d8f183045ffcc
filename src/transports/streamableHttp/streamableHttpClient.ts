import type { IncomingHttpHeaders } from 'node:http';
import { unescape } from 'node:querystring';
import type { Dispatcher } from 'undici';
import type { Frame, IdToken } from '../../protocol/frame.ts';
import { eraOf, type Revision } from '../../protocol/revision.ts';
import type { ClientTransport, ClientTransportListener, SendOptions } from '../transport.ts';
import { AuthorizedExchange } from '../authorization/authorizedExchange.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { openDispatcher } from './dispatcher.ts';
import {
  Exchange,
  type ExchangeListener,
  type ExchangeRequest,
  type OpenExchange,
} from './exchange.ts';
import { GetStream } from './getStream.ts';
import { networkFailure, type Place } from './httpFailure.ts';
import { Inbox } from './inbox.ts';
import { Post } from './post.ts';
import { secretsIn } from '../sample.ts';
import type { Wire } from './wire.ts';

/** How long later messages wait for the server to take a notification. */
const ORDER_MS = 2000;
/** How long the farewell to a session may take. */
const FAREWELL_MS = 2000;

export interface StreamableHttpClientOptions {
  readonly url: URL;
  /** Sent with every request; their values never appear in a message. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs in where the server wants that, unless the headers hold an `Authorization` of their own. */
  readonly authorizer?: Authorizer | undefined;
  /** Where the proxy settings are read. */
  readonly environment?: NodeJS.ProcessEnv;
  /** What went wrong without being the answer to a request, for a log. */
  readonly report?: (message: string) => void;
}

interface Outgoing {
  readonly frame: Frame;
  readonly headers: Readonly<Record<string, string>>;
}

/** Header names have no letter case; one spelling keeps a configured one from being sent twice. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function configuredHeaders(options: StreamableHttpClientOptions): Record<string, string> {
  const { username, password } = options.url;
  const headers = lowerCase(options.headers ?? {});
  if (username === '' && password === '') return headers;
  const pair = `${unescape(username)}:${unescape(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}`, ...headers };
}

/**
 * The client's side of Streamable HTTP, of either era: modern until a legacy revision was negotiated.
 *
 * Invariants: a message sent after a notification leaves once the server has taken that notification, since HTTP itself
 * keeps no order; nothing is told to the listener inside `send` nor after `onClose`.
 */
export class StreamableHttpClient implements ClientTransport {
  readonly kind = 'streamableHttp';
  readonly #options: StreamableHttpClientOptions;
  readonly #headers: Record<string, string>;
  readonly #inbox = new Inbox();
  readonly #wire: Wire;
  readonly #authorizer: Authorizer | undefined;
  readonly #exchanges = new Set<OpenExchange>();
  readonly #outgoing: Outgoing[] = [];
  #dispatcher: Dispatcher | undefined;
  #loading: Promise<void> | undefined;
  #holding = false;
  #legacy: Revision | undefined;
  #sessionId: string | undefined;
  #standing: GetStream | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: StreamableHttpClientOptions) {
    this.#options = options;
    this.#headers = configuredHeaders(options);
    const authorizer = 'authorization' in this.#headers ? undefined : options.authorizer;
    this.#authorizer = authorizer;
    const configured = secretsIn(this.#headers);
    const place: Place = {
      origin: options.url.origin,
      get secrets() {
        return [...configured, ...(authorizer?.secrets ?? [])];
      },
    };
    this.#wire = this.#createWire(place);
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
    this.#outgoing.push({ frame, headers: lowerCase(options.headers ?? {}) });
    if (this.#dispatcher === undefined) this.#loading ??= this.#load();
    else this.#flush();
  }

  abandon(id: IdToken): void {
    if (!this.cancelsByClosing) return;
    const index = this.#outgoing.findIndex(
      ({ frame }) => frame.kind === 'request' && frame.id === id,
    );
    if (index >= 0) this.#outgoing.splice(index, 1);
    this.#inbox.abandon(id);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #load(): Promise<void> {
    try {
      this.#dispatcher = await openDispatcher(
        this.#options.url,
        this.#options.environment ?? process.env,
      );
      this.#flush();
    } catch (error) {
      // What was sent meanwhile cannot leave; the next message tries again.
      this.#loading = undefined;
      const failure = networkFailure(this.#wire.place, error, false);
      for (const { frame } of this.#outgoing.splice(0)) {
        if (frame.kind === 'request') this.#inbox.refuse(frame.id, failure);
      }
    }
  }

  #flush(): void {
    while (!this.#holding && this.#closing === undefined) {
      const next = this.#outgoing.shift();
      if (next === undefined) return;
      this.#post(next);
    }
  }

  #post({ frame, headers }: Outgoing): void {
    let onHead = (): void => undefined;
    if (frame.kind === 'notify') {
      this.#holding = true;
      const timer = setTimeout(() => onHead(), ORDER_MS).unref();
      let held = true;
      onHead = (): void => {
        clearTimeout(timer);
        if (!held) return;
        held = false;
        this.#holding = false;
        this.#flush();
      };
    }
    new Post(this.#wire, frame, headers, () => onHead());
  }

  #createWire(place: Place): Wire {
    return {
      place,
      inbox: this.#inbox,
      isResumable: () => this.#legacy !== undefined,
      hasSession: () => this.#sessionHeader() !== undefined,
      exchange: (request, listener) => this.#exchange(request, listener),
      onAccepted: (headers) => this.#onAccepted(headers),
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
    if (this.#dispatcher === undefined) throw new Error('No exchange before the client is loaded.');
    const headers = { ...this.#headers, ...request.headers };
    const session = this.#sessionHeader();
    if (session !== undefined) headers['mcp-session-id'] = session;
    if (this.#legacy !== undefined) headers['mcp-protocol-version'] = this.#legacy;
    const whole = { ...request, headers, url: this.#options.url, place: this.#wire.place };
    const onOver = (over: OpenExchange): void => void this.#exchanges.delete(over);
    const exchange =
      this.#authorizer === undefined
        ? new Exchange(this.#dispatcher, whole, listener, onOver)
        : new AuthorizedExchange(this.#dispatcher, whole, this.#authorizer, listener, onOver);
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
    if (this.#standing !== undefined || this.#closing !== undefined) return;
    // The first message after the handshake is the notification that ends it; many servers refuse a GET before that.
    this.#standing = new GetStream(this.#wire, undefined, {
      lastEventId: undefined,
      retryMs: undefined,
    });
    this.#standing.open();
  }

  async #close(): Promise<void> {
    const listener = this.#inbox.silence();
    this.#outgoing.length = 0;
    this.#standing?.stop();
    for (const exchange of [...this.#exchanges]) exchange.abort();
    await this.#loading;
    if (this.#sessionHeader() !== undefined && this.#dispatcher !== undefined) {
      await this.#endSession();
    }
    await this.#dispatcher?.destroy();
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
