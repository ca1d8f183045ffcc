const FIRST_MS = 1000;
const LONGEST_MS = 5 * 60_000;
/** A session that lived as long was a good one. */
const CALM_MS = 2 * LONGEST_MS;

/**
 * How soon a session is opened anew that nobody waits for: at once, but a server that forgets one session after the other
 * is left alone for longer and longer.
 */
export class RenewalPace {
  #last = -Infinity;
  #inARow = 0;
  #timer: NodeJS.Timeout | undefined;

  /** True where nothing has to be waited for. */
  get isCalm(): boolean {
    return performance.now() - this.#last >= CALM_MS;
  }

  /** A session is opened now, or could not be. */
  note(): void {
    if (this.isCalm) this.#inARow = 0;
    this.#inARow++;
    this.#last = performance.now();
  }

  /** Does something when it is time, unless something waits for that already. */
  wait(action: () => void): void {
    const delayMs = Math.min(FIRST_MS * 2 ** (this.#inARow - 1), LONGEST_MS);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      action();
    }, delayMs).unref();
  }

  /** Gives up what waits. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
