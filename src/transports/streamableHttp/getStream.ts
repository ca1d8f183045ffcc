import type { IdToken } from '../../protocol/frame.ts';
import type { TransportFailure } from '../transport.ts';
import type { OpenExchange } from '../http/exchange.ts';
import { handlingFailure, statusFailure, tooLarge } from '../http/httpFailure.ts';
import { ReplyReader } from '../http/reply.ts';
import { isStreamLost } from './lostSession.ts';
import type { Wire } from './wire.ts';

/** Even a server that asks for less is not called in a tight loop, the less so while it has nothing to say. */
const SHORTEST_DELAY_MS = 50;
const LONGEST_FLOOR_MS = 500;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;
const MAX_FAILURES = 5;

/** Refusals for now: too early for the server, which may not know yet that the old connection is gone (409), or busy. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Where a stream broke off: what to ask for, and how long the server wants the client to wait. */
export interface Bookmark {
  readonly lastEventId: string | undefined;
  readonly retryMs: number | undefined;
}

/** An event id that can stand in a header. */
export function isResumableFrom(lastEventId: string | undefined): lastEventId is string {
  return lastEventId !== undefined && /^[^\x00-\x1f\x7f]+$/.test(lastEventId);
}

/**
 * An event stream opened by GET (legacy era only): the standing one of a session, or what is left of a request's
 * response after its connection broke. It is opened again whenever it ends: a server may close a connection at any time
 * and go on with the stream on the next one (2025-11-25, Transports, Sending Messages to the Server, Resumability and
 * Redelivery). A request has failed after a few connections in a row that broke or could not be had.
 */
export class GetStream {
  readonly #wire: Wire;
  readonly #stream: IdToken | undefined;
  #bookmark: Bookmark;
  /** The connections in a row that brought nothing. */
  #empty = 0;
  /** Those of them that the server did not end in good order. */
  #failures = 0;
  #exchange: OpenExchange | undefined;
  #reader: ReplyReader | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(wire: Wire, stream: IdToken | undefined, bookmark: Bookmark) {
    this.#wire = wire;
    this.#stream = stream;
    this.#bookmark = bookmark;
  }

  /** Opens the stream now. */
  open(): void {
    if (this.#stopped) return;
    const { lastEventId } = this.#bookmark;
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (isResumableFrom(lastEventId)) {
      // Its bytes are those of UTF-8 (WHATWG HTML, section 9.2.4), one for each character of a header.
      headers['last-event-id'] = Buffer.from(lastEventId, 'utf8').toString('latin1');
    }
    this.#reader = undefined;
    this.#exchange = this.#wire.exchange(
      { method: 'GET', headers },
      {
        onHead: (status, responseHeaders) => {
          const { place } = this.#wire;
          this.#reader = new ReplyReader(status, responseHeaders, {
            onEvent: (data) => {
              this.#empty = 0;
              this.#failures = 0;
              this.#wire.inbox.deliver(data, this.#stream);
            },
            onBody: (body) => this.#onRefused(status, statusFailure(place, status, {}, body)),
            onTooLarge: () => this.#giveUp(tooLarge(place)),
          });
        },
        onData: (chunk) => this.#reader?.feed(chunk),
        onEnd: () => {
          this.#reader?.end();
          if (this.#reader?.events === undefined) return;
          this.#failures = 0;
          this.#note();
          this.reopenLater();
        },
        onFailure: (failure) => {
          // Asking again would only ask the user again.
          if (failure.kind === 'sign-in') this.#giveUp(failure);
          else this.#onFailed(failure);
        },
        onFault: (error) => {
          const failure = handlingFailure(this.#wire.place, error);
          if (this.#stream !== undefined) this.#wire.report(failure.message);
          this.#giveUp(failure);
        },
      },
    );
  }

  /** Opens the stream again after the time the server asked for. */
  reopenLater(): void {
    if (this.#stopped) return;
    const growing = Math.min(FIRST_DELAY_MS * 2 ** this.#empty, LONGEST_DELAY_MS);
    const asked = this.#bookmark.retryMs;
    // After a failure the server's own pace may be too fast for it.
    const delay =
      asked === undefined ? growing : this.#failures > 1 ? Math.max(asked, growing) : asked;
    const floor = Math.min(SHORTEST_DELAY_MS * 2 ** this.#empty, LONGEST_FLOOR_MS);
    this.#timer = setTimeout(() => this.open(), Math.max(delay, floor));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#exchange?.abort();
  }

  /** Notes where the connection that has just ended left off. */
  #note(): void {
    const events = this.#reader?.events;
    const { lastEventId, retryMs } = this.#bookmark;
    this.#bookmark = {
      lastEventId: events?.lastEventId ?? lastEventId,
      retryMs: events?.retryMs ?? retryMs,
    };
    // A new event id is progress even where the event was empty, as in a server that wants to be polled.
    const isProgress = events?.lastEventId !== undefined;
    this.#empty = isProgress ? 0 : this.#empty + 1;
    if (isProgress) this.#failures = 0;
  }

  #onFailed(failure: TransportFailure): void {
    this.#failures++;
    this.#note();
    if (this.#stream !== undefined && this.#failures >= MAX_FAILURES) this.#giveUp(failure);
    else this.reopenLater();
  }

  #onRefused(status: number, failure: TransportFailure): void {
    // A server in trouble may be back soon; one that says no (501 does, too) has said so.
    if ((status >= 500 && status !== 501) || PASSING.has(status)) {
      this.#onFailed(failure);
      return;
    }
    // 405: the server offers no standing stream (2025-11-25, Transports, Listening for Messages from the Server).
    if (this.#stream === undefined && status === 405) this.stop();
    else if (this.#stream === undefined && (status === 404 || status === 400)) {
      this.#onUnknown(failure);
    } else if (this.#stream !== undefined && isStreamLost(failure)) {
      this.#wire.onSessionLost();
      this.#giveUp({ ...failure, kind: 'session-lost' });
    } else this.#giveUp(failure);
  }

  /** The server knows no such event, no such session, or no standing stream at all. */
  #onUnknown(failure: TransportFailure): void {
    const { lastEventId, retryMs } = this.#bookmark;
    if (isResumableFrom(lastEventId) && !isStreamLost(failure)) {
      this.#bookmark = { lastEventId: undefined, retryMs };
      this.#wire.report(`What came on the standing stream meanwhile is lost: ${failure.message}`);
      this.open();
      return;
    }
    this.stop();
    const { inbox } = this.#wire;
    if (!this.#wire.hasSession() || !inbox.doubt({ failure })) this.#giveUp(failure);
  }

  #giveUp(failure: TransportFailure): void {
    this.stop();
    if (this.#stream !== undefined) this.#wire.inbox.fail(this.#stream, failure);
    else this.#wire.report(`The standing stream is off: ${failure.message}`);
  }
}
