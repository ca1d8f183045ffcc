import type { ServerResponse } from 'node:http';
import type { Frame, RequestFrame } from '../../protocol/frame.ts';
import { EventStream, type EventStreamOptions } from '../http/eventStream.ts';
import type { EventId, EventIds } from './eventIds.ts';
import type { Replay } from './replay.ts';

export interface ResumableStreamOptions {
  readonly connection: EventStreamOptions;
  /** How long a client is told to wait before it comes back. */
  readonly retryMs: number;
  /** How long a connection is held before the client is left to come back for the rest; for ever where absent. */
  readonly holdMs?: number | undefined;
  /** How long a question waits for a client that has gone. */
  readonly questionMs: number;
}

/** What a stream tells the session that it belongs to. */
export interface StreamOwner {
  readonly ids: EventIds;
  readonly replay: Replay<ResumableStream>;
  /** A question waited too long. */
  onUnasked(question: RequestFrame): void;
  /** An event is kept. */
  onKept(stream: ResumableStream): void;
  /** The stream has lost its connection, or has ended without one. */
  onDisconnected(stream: ResumableStream): void;
}

/**
 * A stream of events as its client knows it: it goes on over several connections, of which it has one at a time
 * (2025-11-25, Transports, Resumability and Redelivery). Each of its events has an id, is kept, and goes out on this
 * stream alone.
 */
export class ResumableStream {
  readonly kind: EventId['kind'];
  readonly number: number;
  readonly #options: ResumableStreamOptions;
  readonly #owner: StreamOwner;
  #sequence = 0;
  #primed = false;
  #ended = false;
  #connection: { readonly stream: EventStream; readonly response: ServerResponse } | undefined;

  constructor(
    { kind, stream }: Omit<EventId, 'sequence'>,
    options: ResumableStreamOptions,
    owner: StreamOwner,
  ) {
    this.kind = kind;
    this.number = stream;
    this.#options = options;
    this.#owner = owner;
  }

  get isConnected(): boolean {
    return this.#connection?.stream.isConnected === true;
  }

  /** True while a connection is there, be it one that only has to be read to its end. */
  get isRead(): boolean {
    return this.#connection?.response.destroyed === false;
  }

  /** True where the client has an id to come back with. */
  get isResumable(): boolean {
    return this.#primed || this.#sequence > 0;
  }

  /** True once nothing more is to come. */
  get isEnded(): boolean {
    return this.#ended;
  }

  /** The number of the last event. */
  get sequence(): number {
    return this.#sequence;
  }

  /**
   * Goes on over a connection, behind the event of which the client has the id. `primes` says that the client comes back
   * on its own where it is told how.
   */
  connect(response: ServerResponse, primes: boolean, after = 0): void {
    const before = this.#connection;
    const stream = new EventStream(response, this.#options.connection);
    this.#connection = { stream, response };
    before?.stream.leave();
    response.once('close', () => {
      if (this.#connection?.response !== response) return;
      this.#connection = undefined;
      this.#owner.onDisconnected(this);
    });
    if (primes) {
      stream.prime(this.#idOf(after), this.#options.retryMs);
      this.#primed = true;
      this.#releaseLater(stream, response);
    }
    for (const event of this.#owner.replay.after(this, after)) {
      stream.send(event.frame, this.#idOf(event.sequence));
      this.#owner.replay.settle(event);
    }
    if (this.#ended) stream.end();
  }

  /** False where the message has no way to the client on this stream. */
  send(frame: Frame): boolean {
    if (this.#ended) return false;
    const connection = this.isConnected ? this.#connection : undefined;
    // Whether a client that was told nothing of coming back will do so is unknown: nobody waits for its answer.
    const isSure = connection !== undefined || this.#primed;
    if (!isSure && (frame.kind === 'request' || !this.isResumable)) return false;
    this.#sequence++;
    const { replay } = this.#owner;
    const event = replay.keep(this, this.#sequence, frame, connection === undefined);
    connection?.stream.send(frame, this.#idOf(this.#sequence));
    if (connection === undefined && frame.kind === 'request') {
      setTimeout(() => {
        if (replay.withdraw(event)) this.#owner.onUnasked(frame);
      }, this.#options.questionMs).unref();
    }
    this.#owner.onKept(this);
    return true;
  }

  /** Nothing more is to come; the client may still come back for what it has not read. */
  end(): void {
    this.#ended = true;
    if (this.#connection === undefined) this.#owner.onDisconnected(this);
    else this.#connection.stream.end();
  }

  comment(): void {
    this.#connection?.stream.comment();
  }

  #idOf(sequence: number): string {
    return this.#owner.ids.write({ kind: this.kind, stream: this.number, sequence });
  }

  #releaseLater(stream: EventStream, response: ServerResponse): void {
    const { holdMs } = this.#options;
    if (holdMs === undefined) return;
    const timer = setTimeout(() => stream.end(), holdMs).unref();
    response.once('close', () => clearTimeout(timer));
  }
}
