import type { Frame, IdToken } from '../../protocol/frame.ts';

/** How long later messages wait for the server to take a notification. */
const ORDER_MS = 2000;

/** One message on its way to the server, and what it says in headers. */
export interface Outgoing {
  readonly frame: Frame;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Messages that wait for their turn to be posted.
 *
 * Invariant: a message behind a notification leaves once the server has taken that notification, since HTTP itself keeps
 * no order.
 */
export class Outbox {
  readonly #post: (next: Outgoing, onHead: () => void) => void;
  readonly #queue: Outgoing[] = [];
  #isOpen = false;
  #holding = false;

  /** `post` sends one message; `onHead` is to be called as soon as the server has taken or refused it, or never will. */
  constructor(post: (next: Outgoing, onHead: () => void) => void) {
    this.#post = post;
  }

  /** Sends a message when its turn has come, not before `open`. */
  add(message: Outgoing): void {
    this.#queue.push(message);
    this.#flush();
  }

  /** There is a way to the server. */
  open(): void {
    this.#isOpen = true;
    this.#flush();
  }

  /** Takes back a request that has not left. */
  withdraw(id: IdToken): void {
    const index = this.#queue.findIndex(({ frame }) => frame.kind === 'request' && frame.id === id);
    if (index >= 0) this.#queue.splice(index, 1);
  }

  /** Takes back all that has not left. */
  clear(): readonly Outgoing[] {
    return this.#queue.splice(0);
  }

  #flush(): void {
    while (this.#isOpen && !this.#holding) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#post(next, next.frame.kind === 'notify' ? this.#hold() : () => undefined);
    }
  }

  /** Keeps back what follows until the returned function is called, or for too long. */
  #hold(): () => void {
    this.#holding = true;
    let held = true;
    const release = (): void => {
      clearTimeout(timer);
      if (!held) return;
      held = false;
      this.#holding = false;
      this.#flush();
    };
    const timer = setTimeout(release, ORDER_MS).unref();
    return release;
  }
}
