/** Releases whatever it was handed out for; calling it again does nothing. */
export type Dispose = () => void;

/** Subscribes a listener; the returned function unsubscribes it. */
export type Event<T> = (listener: (value: T) => void) => Dispose;

/**
 * One event with many listeners, called in the order in which they subscribed.
 *
 * Invariant: a listener that throws harms neither those after it nor whoever fires; the error becomes a warning of the
 * process.
 */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // Wrapped, so that the same function may subscribe twice and leave once.
    const entry = (value: T): void => listener(value);
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        // A fault of the listener's own, whatever it is; who fires can do nothing about it.
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  }
}
