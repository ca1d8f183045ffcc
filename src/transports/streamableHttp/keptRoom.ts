/** Lets go of what is kept of one stream. */
export type GiveWay = () => void;

/**
 * What all the sessions of a listener keep together for clients that come back. Beyond the limit the streams give way
 * that nobody reads, those first that were left, or written to, longest ago; the last of them stays, as the newest event
 * of a session does.
 */
export class KeptRoom {
  readonly #limit: number;
  readonly #left = new Map<object, GiveWay>();
  #bytes = 0;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How much is kept, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** So much more is kept; less where it is negative. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Nobody reads a stream, and something is kept of it. */
  leave(stream: object, giveWay: GiveWay): void {
    this.#left.delete(stream);
    this.#left.set(stream, giveWay);
  }

  /** Somebody reads it again, or nothing is kept of it any more. */
  take(stream: object): void {
    this.#left.delete(stream);
  }

  tidy(): void {
    for (const [stream, giveWay] of this.#left) {
      if (this.#bytes <= this.#limit || this.#left.size === 1) return;
      this.#left.delete(stream);
      giveWay();
    }
  }
}
