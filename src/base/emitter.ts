/** Releases whatever it was handed out for; calling it again does nothing. */
export type Dispose = () => void;

/** Subscribes a listener; the returned function unsubscribes it. */
export type Event<T> = (listener: (value: T) => void) => Dispose;

/** One event with many listeners, called in the order in which they subscribed. */
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
    for (const listener of [...this.#listeners]) listener(value);
  }
}
