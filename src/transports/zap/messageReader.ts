import { MAX_MESSAGE_BYTES, PREFIX_BYTES } from './limits.ts';

/** What a reader finds in a stream of messages. */
export interface MessageListener {
  onMessage(bytes: Buffer): void;
  /** Where the next message begins is no longer known: a length is zero or beyond the limit. */
  onLost(length: number): void;
}

const FIRST_BYTES = 64 * 1024;

/**
 * Cuts a stream into messages by the length before each of them. Memory grows with the bytes that have come, never with
 * the bytes that were announced, and does not depend on how they were cut into chunks.
 */
export class MessageReader {
  readonly #listener: MessageListener;
  #buffer = Buffer.alloc(PREFIX_BYTES);
  #filled = 0;
  /** Undefined while the length itself is read. */
  #length: number | undefined;
  #lost = false;

  constructor(listener: MessageListener) {
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#lost) {
      const wanted = (this.#length ?? PREFIX_BYTES) - this.#filled;
      const part = chunk.subarray(at, at + wanted);
      this.#append(part);
      at += part.length;
      if (part.length === wanted) this.#complete();
    }
  }

  #append(part: Buffer): void {
    const needed = this.#filled + part.length;
    if (needed > this.#buffer.length) {
      const limit = this.#length ?? PREFIX_BYTES;
      const grown = Buffer.allocUnsafe(Math.min(limit, Math.max(needed, 2 * this.#buffer.length)));
      this.#buffer.copy(grown, 0, 0, this.#filled);
      this.#buffer = grown;
    }
    part.copy(this.#buffer, this.#filled);
    this.#filled = needed;
  }

  #complete(): void {
    const bytes = this.#buffer.subarray(0, this.#filled);
    this.#filled = 0;
    if (this.#length !== undefined) {
      this.#length = undefined;
      this.#buffer = Buffer.alloc(PREFIX_BYTES);
      this.#listener.onMessage(bytes);
      return;
    }
    const length = bytes.readUInt32BE(0);
    if (length === 0 || length > MAX_MESSAGE_BYTES) {
      this.#lost = true;
      this.#listener.onLost(length);
      return;
    }
    this.#length = length;
    this.#buffer = Buffer.allocUnsafe(Math.min(length, FIRST_BYTES));
  }
}
