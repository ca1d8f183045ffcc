import type { ServerResponse } from 'node:http';
import type { Frame } from '../../protocol/frame.ts';
import { writeMessage } from '../../protocol/jsonRpc.ts';
import { encodeEvent, KEEP_ALIVE_COMMENT } from './encodeEvent.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';

/** A message smaller than this is worth copying into one write. */
const SMALL = 64 * 1024;

export interface EventStreamOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly keepAliveMs: number;
  /** How long a response waits behind the message before it, once that message has left. */
  readonly settleMs: number;
  /** Called when the client does not read what it is sent and the stream is cut off. */
  readonly onOverflow: () => void;
}

/** One event as it will be written. */
interface Outgoing {
  readonly kind: 'response' | 'other';
  readonly chunks: Buffer[];
  readonly length: number;
}

/**
 * An open event stream to a client.
 *
 * Invariant: a response never leaves in one write with a notification before it. Clients handle a response at once but a
 * notification a turn later, so that progress which is read together with its answer can be lost.
 */
export class EventStream {
  /** What is written to a connection that breaks is lost. */
  readonly isResumable = false;
  readonly #response: ServerResponse;
  readonly #options: EventStreamOptions;
  readonly #queue: (Outgoing | 'end')[] = [];
  readonly #keepAlive: NodeJS.Timeout;
  /** How many bytes are in the queue. */
  #queued = 0;
  #leaving = 0;
  #settling: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, options: EventStreamOptions) {
    this.#response = response;
    this.#options = options;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
      ...options.headers,
    });
    response.flushHeaders();
    this.#keepAlive = setInterval(() => this.comment(), options.keepAliveMs);
    response.once('close', () => {
      clearInterval(this.#keepAlive);
      clearTimeout(this.#settling);
    });
  }

  get isConnected(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Sends a message, under an event id where one is given; false where the client is no longer there to read it. */
  send(frame: Frame, id?: string): boolean {
    // Whether what waits has been handed to the system makes no difference to the memory it takes.
    if (this.#response.writableLength + this.#queued > MAX_MESSAGE_BYTES) this.#cutOff();
    if (!this.isConnected) return false;
    const chunks = encodeEvent(writeMessage(frame), id);
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const kind = frame.kind === 'response' ? 'response' : 'other';
    this.#queue.push({ kind, chunks, length });
    this.#queued += length;
    this.#flush();
    return this.isConnected;
  }

  /** An event that is no message, before any that is one; `data` is one line. */
  tell(type: string, data: string): void {
    this.#response.write(`event: ${type}\ndata: ${data}\n\n`);
  }

  /** Tells a client from where to ask for the rest, should the connection end, and how long to wait before it does. */
  prime(id: string, retryMs: number): void {
    this.#response.write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
  }

  /** Ends the stream once everything before has been written. */
  end(): void {
    this.#queue.push('end');
    this.#flush();
  }

  /** Ends the stream for one that goes on elsewhere: what has not left will come there. */
  leave(): void {
    this.#clear();
    // A client that does not read would keep what waits for it for as long as it likes.
    if (this.#response.writableLength > 0) this.#response.destroy();
    else this.end();
  }

  /** Shows the client and everything between that the stream is alive. */
  comment(): void {
    if (this.#response.writable) this.#response.write(KEEP_ALIVE_COMMENT);
  }

  #flush(): void {
    for (;;) {
      const next = this.#queue[0];
      const unsettled = this.#leaving > 0 || this.#settling !== undefined;
      if (next === undefined || (next !== 'end' && next.kind === 'response' && unsettled)) return;
      this.#queue.shift();
      if (next === 'end') {
        clearInterval(this.#keepAlive);
        this.#response.end();
        return;
      }
      this.#write(next);
    }
  }

  #write({ kind, chunks, length }: Outgoing): void {
    this.#queued -= length;
    if (!this.#response.writable) return;
    const writes = length < SMALL ? [Buffer.concat(chunks, length)] : chunks;
    const last = writes.pop() ?? Buffer.alloc(0);
    for (const chunk of writes) this.#response.write(chunk);
    if (kind === 'response') {
      this.#response.write(last);
      return;
    }
    this.#leaving++;
    this.#response.write(last, () => this.#onLeft());
  }

  #cutOff(): void {
    if (this.#response.destroyed) return;
    this.#clear();
    this.#options.onOverflow();
    this.#response.destroy();
  }

  #clear(): void {
    this.#queue.length = 0;
    this.#queued = 0;
  }

  /** One turn after the timer, so that a reader on the same event loop has had its turn too. */
  #settle(): void {
    this.#settling = undefined;
    this.#flush();
  }

  #onLeft(): void {
    this.#leaving--;
    if (this.#leaving > 0) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => setImmediate(() => this.#settle()), this.#options.settleMs);
  }
}
