import type { IncomingHttpHeaders } from 'node:http';
import type { Frame, IdToken, NotifyFrame, ResponseFrame } from '../../protocol/frame.ts';
import { messageBytes } from '../../protocol/jsonRpc.ts';
import type { TransportFailure } from '../transport.ts';
import type { OpenExchange } from '../http/exchange.ts';
import { GetStream, isResumableFrom } from './getStream.ts';
import {
  endedEarly,
  handlingFailure,
  malformed,
  statusFailure,
  tooLarge,
  type Place,
} from '../http/httpFailure.ts';
import type { OpenCall } from '../http/inbox.ts';
import { ReplyReader } from '../http/reply.ts';
import { passBody } from '../http/clientWire.ts';
import { mediaType } from '../http/requestHeaders.ts';
import { secretsIn } from '../sample.ts';
import { isSessionLost } from './lostSession.ts';
import type { Wire } from './wire.ts';

/** How long a server may keep a response stream open behind the response. */
const LINGER_MS = 1000;

/** One message on its way to the server, and all that comes back for it. */
export class Post implements OpenCall {
  readonly #wire: Wire;
  readonly #place: Place;
  readonly #id: IdToken | undefined;
  /** The message, where it is no request. */
  readonly #told: NotifyFrame | ResponseFrame | undefined;
  readonly #exchange: OpenExchange;
  readonly #onHead: () => void;
  readonly #hadSession: boolean;
  #reader: ReplyReader | undefined;
  #rest: GetStream | undefined;
  #linger: NodeJS.Timeout | undefined;

  /** `onHead` is called as soon as the server has taken or refused the message, or can no longer do so. */
  constructor(
    wire: Wire,
    frame: Frame,
    headers: Readonly<Record<string, string>>,
    onHead: () => void,
  ) {
    this.#wire = wire;
    const { authorization = '' } = headers;
    const own = secretsIn({ authorization });
    this.#place = {
      origin: wire.place.origin,
      // There may be more of them by the time that an answer comes.
      get secrets() {
        return [...wire.place.secrets, ...own];
      },
    };
    this.#id = frame.kind === 'request' ? frame.id : undefined;
    this.#told = frame.kind === 'request' ? undefined : frame;
    this.#onHead = onHead;
    this.#hadSession = wire.hasSession();
    if (this.#id !== undefined) wire.inbox.expect(this.#id, this);
    const ownHeaders = {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    this.#exchange = wire.exchange(
      { method: 'POST', headers: ownHeaders, body: messageBytes(frame) },
      {
        onHead: (status, responseHeaders) => this.#onResponse(status, responseHeaders),
        onData: (chunk) => this.#reader?.feed(chunk),
        onEnd: () => {
          this.#reader?.end();
          const streamed = this.#reader?.events !== undefined;
          if (streamed && this.#id !== undefined) this.#onBrokenOff(endedEarly(this.#place));
        },
        onFailure: (failure) => {
          onHead();
          this.#onBrokenOff(failure);
        },
        onFault: (error) => {
          onHead();
          const failure = handlingFailure(this.#place, error);
          wire.report(failure.message);
          if (this.#id !== undefined) wire.inbox.fail(this.#id, failure);
        },
      },
    );
  }

  onAnswered(): void {
    this.#rest?.stop();
    // The end of a stream may be on its way; one that stays open would hold its connection for ever.
    this.#linger = setTimeout(() => this.#exchange.abort(), LINGER_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#linger);
    this.#rest?.stop();
    this.#exchange.abort();
    this.#onHead();
  }

  #onResponse(status: number, headers: IncomingHttpHeaders): void {
    if (status < 300) this.#wire.onAccepted(headers);
    this.#onHead();
    this.#reader = new ReplyReader(status, headers, {
      onEvent: (data) => this.#wire.inbox.deliver(data, this.#id),
      onBody: (body) => {
        if (status < 300) this.#onSuccess(status, headers, body);
        else this.#onRefusal(status, headers, body);
      },
      onTooLarge: () => {
        this.#exchange.abort();
        this.#fail(tooLarge(this.#place));
      },
    });
  }

  #onSuccess(status: number, headers: IncomingHttpHeaders, body: Buffer): void {
    const place = this.#place;
    if (body.length > 0 && (this.#id !== undefined || mediaType(headers) === 'application/json')) {
      passBody(this.#wire.inbox, body, this.#id);
    }
    if (!this.#wire.inbox.isWaiting(this.#id)) return;
    const type = mediaType(headers);
    this.#fail(
      body.length === 0
        ? malformed(place, `took the request (HTTP ${status}) but sent no answer.`)
        : malformed(place, `sent something that does not answer (${type || 'no content type'}).`),
    );
  }

  #onRefusal(status: number, headers: IncomingHttpHeaders, body: Buffer): void {
    const failure = statusFailure(this.#place, status, headers, body);
    if (this.#hadSession && isSessionLost(failure)) {
      this.#wire.onSessionLost();
      const lost: TransportFailure = { ...failure, kind: 'session-lost' };
      const { inbox } = this.#wire;
      const isTold = this.#told && inbox.doubt({ unheard: this.#told, failure: lost });
      if (isTold !== true) this.#fail(lost);
      return;
    }
    if (this.#id !== undefined && failure.kind !== 'unauthorized') {
      passBody(this.#wire.inbox, body, this.#id, status);
    }
    this.#fail(failure);
  }

  #onBrokenOff(failure: TransportFailure): void {
    const { inbox } = this.#wire;
    const events = this.#reader?.events;
    const lastEventId = events?.lastEventId;
    if (!inbox.isWaiting(this.#id) || !this.#wire.isResumable() || !isResumableFrom(lastEventId)) {
      this.#fail(failure);
      return;
    }
    this.#rest = new GetStream(this.#wire, this.#id, { lastEventId, retryMs: events?.retryMs });
    this.#rest.reopenLater();
  }

  #fail(failure: TransportFailure): void {
    if (this.#id === undefined) this.#wire.report(`A message was not taken: ${failure.message}`);
    else this.#wire.inbox.fail(this.#id, failure);
  }
}
