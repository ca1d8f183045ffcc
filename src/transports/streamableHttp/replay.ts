import type { Frame } from '../../protocol/frame.ts';
import { writeMessage } from '../../protocol/jsonRpc.ts';

/** How much is kept at most; the newest event is kept whatever its size. */
export interface ReplayLimits {
  readonly events: number;
  readonly bytes: number;
}

/** An event that may be asked for again. */
export interface KeptEvent<Stream> {
  readonly stream: Stream;
  readonly sequence: number;
  readonly frame: Frame;
  readonly bytes: number;
}

/** Events in the order in which they came; beyond the limits the oldest give way, notifications first. */
class Shelf<Stream> {
  readonly events = new Set<KeptEvent<Stream>>();
  readonly #limits: ReplayLimits;
  readonly #onDropped: (event: KeptEvent<Stream>) => void;
  readonly #count: (bytes: number) => void;
  #bytes = 0;

  constructor(
    limits: ReplayLimits,
    onDropped: (event: KeptEvent<Stream>) => void,
    count: (bytes: number) => void,
  ) {
    this.#limits = limits;
    this.#onDropped = onDropped;
    this.#count = count;
  }

  add(event: KeptEvent<Stream>): void {
    this.events.add(event);
    this.#add(event.bytes);
    while (this.events.size > this.#limits.events || this.#bytes > this.#limits.bytes) {
      const least = this.#least(event);
      if (least === undefined) return;
      this.remove(least);
      this.#onDropped(least);
    }
  }

  /** What is missed least beside the newest: an answer is waited for, however old it is. */
  #least(newest: KeptEvent<Stream>): KeptEvent<Stream> | undefined {
    let oldest: KeptEvent<Stream> | undefined;
    for (const event of this.events) {
      if (event === newest) continue;
      if (event.frame.kind === 'notify') return event;
      oldest ??= event;
    }
    return oldest;
  }

  /** False where it is not there. */
  remove(event: KeptEvent<Stream>): boolean {
    if (!this.events.delete(event)) return false;
    this.#add(-event.bytes);
    return true;
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#count(bytes);
  }
}

/**
 * The last events of a session, for clients that come back for them. What a connection has taken, which has most likely
 * arrived, gives way before its turn to nothing that is still owed: each has limits of its own.
 */
export class Replay<Stream> {
  readonly #written: Shelf<Stream>;
  readonly #owed: Shelf<Stream>;

  /** `onDropped` is called for each event that gives way, `count` for how much more is kept, or less. */
  constructor(
    limits: { readonly written: ReplayLimits; readonly owed: ReplayLimits },
    onDropped: (event: KeptEvent<Stream>, owed: boolean) => void,
    count: (bytes: number) => void = () => undefined,
  ) {
    this.#written = new Shelf(limits.written, (event) => onDropped(event, false), count);
    this.#owed = new Shelf(limits.owed, (event) => onDropped(event, true), count);
  }

  /** Keeps an event; `owed` where no connection has taken it. */
  keep(stream: Stream, sequence: number, frame: Frame, owed: boolean): KeptEvent<Stream> {
    const bytes = writeMessage(frame).reduce((sum, { length }) => sum + length, 0);
    const event = { stream, sequence, frame, bytes };
    (owed ? this.#owed : this.#written).add(event);
    return event;
  }

  /** A connection has taken the event. */
  settle(event: KeptEvent<Stream>): void {
    if (this.#owed.remove(event)) this.#written.add(event);
  }

  /** Takes back an event that no connection has taken; false where it is no such one any more. */
  withdraw(event: KeptEvent<Stream>): boolean {
    return this.#owed.remove(event);
  }

  /** Lets go of all that is kept of a stream; returns what no connection has taken. */
  forget(stream: Stream): readonly KeptEvent<Stream>[] {
    return this.after(stream, 0).filter((event) => {
      this.#written.remove(event);
      return this.#owed.remove(event);
    });
  }

  /** What is kept of a stream behind one of its events, in order. */
  after(stream: Stream, sequence: number): readonly KeptEvent<Stream>[] {
    const all = [...this.#written.events, ...this.#owed.events];
    return all
      .filter((event) => event.stream === stream && event.sequence > sequence)
      .sort((one, other) => one.sequence - other.sequence);
  }

  /** What no connection has taken. */
  owed(): readonly KeptEvent<Stream>[] {
    return [...this.#owed.events];
  }
}
