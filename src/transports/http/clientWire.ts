import type { IdToken } from '../../protocol/frame.ts';
import { readMessage } from '../../protocol/jsonRpc.ts';
import type { ExchangeListener, ExchangeRequest, OpenExchange } from './exchange.ts';
import type { Place } from './httpFailure.ts';
import type { Inbox } from './inbox.ts';

/** What the exchanges of one connection share: where they go, and who hears of messages. */
export interface ClientWire {
  readonly inbox: Inbox;
  readonly place: Place;
  exchange(
    request: Pick<ExchangeRequest, 'method' | 'headers' | 'body'>,
    listener: ExchangeListener,
  ): OpenExchange;
  /** What went wrong without being the answer to a request. */
  report(message: string): void;
}

/** Passes on the message of a body, if it is one. An error without an id can only be meant for the request `id`. */
export function passBody(
  inbox: Inbox,
  body: Buffer,
  id: IdToken | undefined,
  status?: number,
): void {
  const reading = readMessage(body);
  if (reading.kind !== 'frame') {
    if (status === undefined) inbox.deliver(body, id);
    return;
  }
  const { frame } = reading;
  if (frame.kind === 'response' && frame.error !== undefined && frame.id === undefined) {
    if (inbox.isWaiting(id)) {
      inbox.pass({ kind: 'response', id, error: frame.error }, id, status);
    }
  } else {
    inbox.pass(frame, id, status);
  }
}
