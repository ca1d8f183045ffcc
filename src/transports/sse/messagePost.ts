import type { IncomingHttpHeaders } from 'node:http';
import type { Frame, IdToken } from '../../protocol/frame.ts';
import { messageBytes } from '../../protocol/jsonRpc.ts';
import { passBody, type ClientWire } from '../http/clientWire.ts';
import type { OpenExchange } from '../http/exchange.ts';
import { handlingFailure, statusFailure, tooLarge } from '../http/httpFailure.ts';
import type { OpenCall } from '../http/inbox.ts';
import { ReplyReader } from '../http/reply.ts';
import type { TransportFailure } from '../transport.ts';

/** How long a server may keep the POST of a request open behind its answer. */
const LINGER_MS = 1000;

/**
 * One message on its way to the server. Its response says only whether the server took it: the answer comes on the
 * event stream, at times before that response.
 */
export class MessagePost implements OpenCall {
  readonly #wire: ClientWire;
  readonly #id: IdToken | undefined;
  readonly #exchange: OpenExchange;
  readonly #onHead: () => void;
  #refusal: ReplyReader | undefined;
  #linger: NodeJS.Timeout | undefined;

  /** `onHead` is called as soon as the server has taken or refused the message, or can no longer do so. */
  constructor(wire: ClientWire, frame: Frame, onHead: () => void) {
    this.#wire = wire;
    this.#id = frame.kind === 'request' ? frame.id : undefined;
    this.#onHead = onHead;
    if (this.#id !== undefined) wire.inbox.expect(this.#id, this);
    this.#exchange = wire.exchange(
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: messageBytes(frame),
      },
      {
        onHead: (status, headers) => {
          onHead();
          if (status >= 300) this.#refusal = this.#readRefusal(status, headers);
        },
        // What comes with a success is for people, as the word `Accepted`.
        onData: (chunk) => this.#refusal?.feed(chunk),
        onEnd: () => this.#refusal?.end(),
        onFailure: (failure) => {
          onHead();
          this.#fail(failure);
        },
        onFault: (error) => {
          onHead();
          this.#fail(handlingFailure(wire.place, error));
        },
      },
    );
  }

  onAnswered(): void {
    this.#linger = setTimeout(() => this.#exchange.abort(), LINGER_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#linger);
    this.#exchange.abort();
    this.#onHead();
  }

  #readRefusal(status: number, headers: IncomingHttpHeaders): ReplyReader {
    const { inbox, place } = this.#wire;
    return new ReplyReader(status, headers, {
      onEvent: () => undefined,
      onBody: (body) => {
        const failure = statusFailure(place, status, headers, body);
        // 404: the session is gone, which the words of the body do not tell a machine.
        if (this.#id !== undefined && failure.kind !== 'unauthorized' && status !== 404) {
          passBody(inbox, body, this.#id, status);
        }
        this.#fail(failure);
      },
      onTooLarge: () => {
        this.#exchange.abort();
        this.#fail(tooLarge(place));
      },
    });
  }

  #fail(failure: TransportFailure): void {
    if (this.#id === undefined) this.#wire.report(`A message was not taken: ${failure.message}`);
    else this.#wire.inbox.fail(this.#id, failure);
  }
}
