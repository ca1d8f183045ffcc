import type { IncomingHttpHeaders } from 'node:http';
import type { ExchangeListener, ExchangeRequest, OpenExchange } from './exchange.ts';
import type { Place } from './httpFailure.ts';
import type { Inbox } from './inbox.ts';

/** What the exchanges of one connection share: the address, the headers of the moment, and who hears of messages. */
export interface Wire {
  readonly inbox: Inbox;
  readonly place: Place;
  /** True while a session of the legacy era is on, whose streams can be taken up again. */
  isResumable(): boolean;
  /** True where requests carry a session id. */
  hasSession(): boolean;
  exchange(
    request: Pick<ExchangeRequest, 'method' | 'headers' | 'body'>,
    listener: ExchangeListener,
  ): OpenExchange;
  /** A POST was taken by the server. */
  onAccepted(headers: IncomingHttpHeaders): void;
  /** What went wrong without being the answer to a request. */
  report(message: string): void;
}
