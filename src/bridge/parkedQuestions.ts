import type { IdToken, RequestFrame, ResponseFrame } from '../protocol/frame.ts';
import type { HeldCall } from './heldCall.ts';

/** A question of a legacy server that belongs to no call; `respond` takes exactly one answer. */
export interface ParkedQuestion {
  readonly frame: RequestFrame;
  readonly respond: (answer: ResponseFrame) => void;
  /** Lets a call put it to the client after all; it is answered with what that comes to. */
  readonly putBy: (held: HeldCall, onAnswered: () => void) => void;
}

/** How long such a question waits, in milliseconds. */
export interface ParkingLimits {
  readonly lifeMs: number;
  /** How long a request that cannot ask may wait for its answer meanwhile: the server may be waiting for the question's. */
  readonly graceMs: number;
}

/**
 * The questions that a server asks as soon as its session is open, and the like: a modern client can be asked only in the
 * course of a call, and the next one that may ask takes them along.
 */
export class ParkedQuestions {
  readonly #limits: ParkingLimits;
  readonly #refuse: (parked: ParkedQuestion) => void;
  readonly #onLost: (parked: ParkedQuestion) => void;
  readonly #parked = new Map<IdToken, { parked: ParkedQuestion; timer: NodeJS.Timeout }>();
  #grace: NodeJS.Timeout | undefined;

  /** `refuse` answers a question in the client's place; `onLost` hears of one that the server still waited for. */
  constructor(
    limits: ParkingLimits,
    refuse: (parked: ParkedQuestion) => void,
    onLost: (parked: ParkedQuestion) => void,
  ) {
    this.#limits = limits;
    this.#refuse = refuse;
    this.#onLost = onLost;
  }

  park(parked: ParkedQuestion): void {
    const { id } = parked.frame;
    const timer = setTimeout(() => {
      this.withdraw(id);
      this.#onLost(parked);
    }, this.#limits.lifeMs).unref();
    this.#parked.set(id, { parked, timer });
  }

  /** Hands over all that waits. */
  take(): readonly ParkedQuestion[] {
    const all = [...this.#parked.values()];
    this.#parked.clear();
    clearTimeout(this.#grace);
    this.#grace = undefined;
    for (const { timer } of all) clearTimeout(timer);
    return all.map(({ parked }) => parked);
  }

  /** The server no longer waits for the answer to one. */
  withdraw(id: IdToken): void {
    const found = this.#parked.get(id);
    if (found === undefined) return;
    this.#parked.delete(id);
    clearTimeout(found.timer);
    this.#refuse(found.parked);
  }

  /** The client is gone. */
  refuseAll(): void {
    for (const parked of this.take()) this.#refuse(parked);
  }

  /** A request that cannot ask is under way: what waits is refused if `isWaiting` still holds after the grace. */
  startGrace(isWaiting: () => boolean): void {
    if (this.#parked.size === 0) return;
    this.#grace ??= setTimeout(() => {
      this.#grace = undefined;
      if (!isWaiting()) return;
      for (const parked of this.take()) {
        this.#refuse(parked);
        this.#onLost(parked);
      }
    }, this.#limits.graceMs);
  }
}
