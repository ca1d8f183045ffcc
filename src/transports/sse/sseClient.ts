import type { IncomingHttpHeaders } from 'node:http';
import type { Frame, IdToken } from '../../protocol/frame.ts';
import type { Revision } from '../../protocol/revision.ts';
import { openExchange } from '../authorization/authorizedExchange.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { authorizerFor, configuredHeaders, placeOf } from '../http/clientHeaders.ts';
import type { ClientWire } from '../http/clientWire.ts';
import { openRequests, type Address } from '../http/dispatcher.ts';
import type { ExchangeListener, ExchangeRequest, OpenExchange } from '../http/exchange.ts';
import {
  handlingFailure,
  malformed,
  networkFailure,
  statusFailure,
  tooLarge,
  type Place,
} from '../http/httpFailure.ts';
import { Inbox } from '../http/inbox.ts';
import { Outbox } from '../http/outbox.ts';
import { ReplyReader } from '../http/reply.ts';
import type { Requests } from '../http/requests.ts';
import { mediaType } from '../http/requestHeaders.ts';
import { sampleOf } from '../sample.ts';
import type { ClientTransport, ClientTransportListener, TransportFailure } from '../transport.ts';
import { MessagePost } from './messagePost.ts';

/** The endpoint is the first thing a server says, so that one that has begun to answer need not think about it. */
const ENDPOINT_MS = 10_000;

/** The address is that of the event stream. */
export interface SseClientOptions extends Address {
  /** Sent with every request; their values never appear in a message. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs in where the server wants that, unless the headers hold an `Authorization` of their own. */
  readonly authorizer?: Authorizer | undefined;
  /** Where the proxy settings are read. */
  readonly environment?: NodeJS.ProcessEnv;
  /** How long a server that has opened the stream may take to name its endpoint. */
  readonly endpointMs?: number;
  /** What went wrong without being the answer to a request, for a log. */
  readonly report?: (message: string) => void;
}

type Request = Pick<ExchangeRequest, 'method' | 'headers' | 'body'>;

const CLOSED: TransportFailure = {
  kind: 'closed',
  message: 'The connection to the server was closed.',
};

/**
 * The client's side of HTTP+SSE (2024-11-05, Transports, HTTP with SSE): one event stream brings all that the server
 * says, and its first event names the endpoint that takes what the client says.
 *
 * Invariants: the stream is the session, so that its end is the end of the connection; messages go to the origin of the
 * configured address and to no other; nothing is told to the listener inside `send` nor after `onClose`.
 */
export class SseClient implements ClientTransport {
  readonly kind = 'sse';
  readonly cancelsByClosing = false;
  readonly #options: SseClientOptions;
  readonly #headers: Record<string, string>;
  readonly #place: Place;
  readonly #inbox = new Inbox();
  readonly #outbox: Outbox;
  readonly #authorizer: Authorizer | undefined;
  readonly #exchanges = new Set<OpenExchange>();
  #requests: Requests | undefined;
  #opening: Promise<void> | undefined;
  #patience: NodeJS.Timeout | undefined;
  #endpoint: URL | undefined;
  #revision: Revision | undefined;
  #closing: Promise<void> | undefined;
  #over = false;

  constructor(options: SseClientOptions) {
    this.#options = options;
    this.#headers = configuredHeaders(options.url, options.headers);
    this.#authorizer = authorizerFor(this.#headers, options.authorizer);
    this.#place = placeOf(options, this.#headers, this.#authorizer?.secrets);
    const wire: ClientWire = {
      inbox: this.#inbox,
      place: this.#place,
      exchange: (request, listener) =>
        this.#exchange(this.#endpoint ?? options.url, request, listener),
      report: (message) => {
        if (!this.#over) options.report?.(message);
      },
    };
    this.#outbox = new Outbox(({ frame }, onHead) => void new MessagePost(wire, frame, onHead));
  }

  start(listener: ClientTransportListener): void {
    this.#inbox.start(listener);
    this.#opening = this.#open();
  }

  send(frame: Frame): void {
    if (!this.#over && this.#closing === undefined) this.#outbox.add({ frame, headers: {} });
  }

  negotiated(revision: Revision): void {
    this.#revision = revision;
  }

  /** Its POST may be held open until its answer, which will not come. */
  abandon(id: IdToken): void {
    this.#inbox.abandon(id);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#opening;
    this.#finish(CLOSED);
    await this.#requests?.destroy();
  }

  async #open(): Promise<void> {
    const { environment } = this.#options;
    try {
      this.#requests = await openRequests(this.#options, environment ?? process.env);
    } catch (error) {
      this.#finish(networkFailure(this.#place, error, false));
      return;
    }
    if (this.#closing === undefined) this.#openStream();
  }

  #openStream(): void {
    let reader: ReplyReader | undefined;
    this.#exchange(
      this.#options.url,
      { method: 'GET', headers: { accept: 'text/event-stream' } },
      {
        onHead: (status, headers, url) => {
          reader = this.#read(status, headers, url);
        },
        onData: (chunk) => reader?.feed(chunk),
        onEnd: () => {
          reader?.end();
          this.#finish({
            kind: 'network',
            message: `${this.#place.origin}: the server ended the session by closing its event stream.`,
          });
        },
        onFailure: (failure) => this.#finish(failure),
        onFault: (error) => this.#finish(handlingFailure(this.#place, error)),
      },
    );
  }

  #read(status: number, headers: IncomingHttpHeaders, url: URL): ReplyReader {
    this.#patience = setTimeout(
      () => this.#finish(malformed(this.#place, 'opened a stream but named no message endpoint.')),
      this.#options.endpointMs ?? ENDPOINT_MS,
    );
    return new ReplyReader(status, headers, {
      onEvent: (data) => this.#inbox.deliver(data, undefined),
      onOtherEvent: (type, data) => {
        if (type === 'endpoint') this.#onEndpoint(url, data);
      },
      onBody: (body) => this.#finish(this.#refusal(status, headers, body)),
      onTooLarge: () => this.#finish(tooLarge(this.#place)),
    });
  }

  #refusal(status: number, headers: IncomingHttpHeaders, body: Buffer): TransportFailure {
    if (status >= 300) return statusFailure(this.#place, status, headers, body);
    const type = mediaType(headers) || 'no content type';
    return malformed(this.#place, `answered the GET with something else than events (${type}).`);
  }

  /** A URI reference, which may be relative and even empty: then messages go where the stream is. */
  #onEndpoint(base: URL, data: Buffer): void {
    const text = data.toString('utf8');
    const endpoint = URL.canParse(text, base.href) ? new URL(text, base) : undefined;
    if (endpoint?.origin !== base.origin) {
      const named = sampleOf(data, undefined, this.#place.secrets);
      const message = `names the message endpoint ${named}, which is not on this server; nothing is sent there.`;
      this.#finish(malformed(this.#place, message));
      return;
    }
    clearTimeout(this.#patience);
    this.#endpoint = endpoint;
    this.#outbox.open();
  }

  #exchange(url: URL, request: Request, listener: ExchangeListener): OpenExchange {
    if (this.#requests === undefined) throw new Error('No exchange before the client is loaded.');
    const headers = { ...this.#headers, ...request.headers };
    if (this.#revision !== undefined) headers['mcp-protocol-version'] = this.#revision;
    const exchange = openExchange(
      this.#requests,
      { ...request, headers, url, place: this.#place },
      this.#authorizer,
      listener,
      (over) => this.#exchanges.delete(over),
    );
    this.#exchanges.add(exchange);
    return exchange;
  }

  #finish(failure: TransportFailure): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#patience);
    this.#outbox.clear();
    const listener = this.#inbox.silence();
    for (const exchange of [...this.#exchanges]) exchange.abort();
    void this.#requests?.destroy();
    listener?.onClose(this.#closing === undefined ? failure : CLOSED);
  }
}
