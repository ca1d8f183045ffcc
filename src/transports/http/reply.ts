import type { IncomingHttpHeaders } from 'node:http';
import { Pieces } from '../pieces.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import { mediaType } from './requestHeaders.ts';
import { SseParser } from './sse.ts';

/** What the body of a response turned out to hold: `onBody` once at its end, the others for each event as it comes. */
export interface ReplyListener {
  /** An event that is a message. */
  onEvent(data: Buffer): void;
  /** Any other: servers use types of their own for their pings. */
  onOtherEvent?(type: string, data: Buffer): void;
  onBody(body: Buffer): void;
  onTooLarge(): void;
}

/** Reads the body of one response, either as an event stream or as a whole. */
export class ReplyReader {
  /** Set where the response is a successful event stream. */
  readonly events: SseParser | undefined;
  readonly #listener: ReplyListener;
  readonly #body = new Pieces();
  #isTooLarge = false;

  constructor(status: number, headers: IncomingHttpHeaders, listener: ReplyListener) {
    this.#listener = listener;
    if (status >= 300 || mediaType(headers) !== 'text/event-stream') return;
    const onTooLarge = (): void => listener.onTooLarge();
    const onEvent = (type: string, data: Buffer): void => {
      if (type !== 'message') listener.onOtherEvent?.(type, data);
      // One without data only sets the id or the retry time of the stream.
      else if (data.length > 0) listener.onEvent(data);
    };
    this.events = new SseParser({ onEvent, onTooLarge }, MAX_MESSAGE_BYTES);
  }

  feed(chunk: Buffer): void {
    if (this.events !== undefined) {
      this.events.feed(chunk);
      return;
    }
    if (this.#isTooLarge) return;
    this.#body.append(chunk);
    if (this.#body.length <= MAX_MESSAGE_BYTES) return;
    this.#isTooLarge = true;
    this.#body.clear();
    this.#listener.onTooLarge();
  }

  end(): void {
    if (this.events === undefined) this.#listener.onBody(Buffer.concat(this.#body.parts()));
  }
}
