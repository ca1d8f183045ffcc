import type { Timeouts } from './timeouts.ts';

/** Whose time is not the server's. */
export interface Excuses {
  /** True while a person is asked something, so that the server is not silent. */
  readonly isWaitedFor: () => boolean;
  /** True while a person signs in, so that nothing counts at all. */
  readonly isAsking: () => boolean;
}

/** The time that one request may take: in silence, and in all. */
export class CallClock {
  readonly #limits: Timeouts;
  readonly #excuses: Excuses;
  readonly #onExpired: (limitMs: number) => void;
  #idle: NodeJS.Timeout | undefined;
  #cap: NodeJS.Timeout | undefined;

  /** Starts at once. */
  constructor(limits: Timeouts, excuses: Excuses, onExpired: (limitMs: number) => void) {
    this.#limits = limits;
    this.#excuses = excuses;
    this.#onExpired = onExpired;
    this.#startCap();
    this.restart();
  }

  /** The server has been heard: its silence begins anew. */
  restart(): void {
    const { requestMs } = this.#limits;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#excuses.isWaitedFor() || this.#excuses.isAsking()) this.restart();
      else this.#onExpired(requestMs);
    }, requestMs);
  }

  stop(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#cap);
  }

  #startCap(): void {
    const { maxRequestMs } = this.#limits;
    this.#cap = setTimeout(() => {
      if (this.#excuses.isAsking()) this.#startCap();
      else this.#onExpired(maxRequestMs);
    }, maxRequestMs);
  }
}
