import type { ServerResponse } from 'node:http';
import type { Frame, RequestFrame } from '../../protocol/frame.ts';
import { MAX_MESSAGE_BYTES } from '../http/limits.ts';
import { EventIds, type EventId } from './eventIds.ts';
import type { KeptRoom } from './keptRoom.ts';
import { Replay, type KeptEvent } from './replay.ts';
import { ResumableStream, type ResumableStreamOptions } from './resumableStream.ts';

export interface SessionStreamsOptions extends ResumableStreamOptions {
  /** How long the events of a stream are kept that was sent to its end. */
  readonly keptMs: number;
  /** What this session keeps counts there. */
  readonly room: KeptRoom;
}

/**
 * What a session keeps: of what a connection has taken a little, since it has most likely arrived; of what nobody has
 * taken as much as one message may hold, or a large answer could not be come back for.
 */
const LIMITS = {
  written: { events: 1000, bytes: 16 * 1024 * 1024 },
  owed: { events: 1000, bytes: MAX_MESSAGE_BYTES },
};

/** What the streams of a session tell it. */
export interface StreamsListener {
  /** A message that no client will read any more. */
  onLost(frame: Frame): void;
  /** A client went away from a stream, or has read it to its end. */
  onDisconnected(): void;
  readonly report: (message: string) => void;
}

/** What becomes of a client that asks for the rest of a stream. */
export type Resumption =
  | 'resumed'
  /** Nothing more comes on that stream. */
  | 'over'
  /** It is no event id of this session. */
  | 'unknown';

/** The event streams of one session, those included whose client has gone and may come back. */
export class SessionStreams {
  readonly #options: SessionStreamsOptions;
  readonly #listener: StreamsListener;
  readonly #ids = new EventIds();
  readonly #replay: Replay<ResumableStream>;
  /** The one that was connected last comes last. */
  readonly #streams = new Map<number, ResumableStream>();
  #last = 0;

  constructor(options: SessionStreamsOptions, listener: StreamsListener) {
    this.#options = options;
    this.#listener = listener;
    this.#replay = new Replay(
      LIMITS,
      ({ stream, frame }, owed) => {
        if (owed) listener.onLost(frame);
        this.#tidy(stream);
      },
      (bytes) => options.room.count(bytes),
    );
  }

  /** The newest standing stream that has a connection. */
  get standing(): ResumableStream | undefined {
    return [...this.#streams.values()].findLast(
      ({ kind, isConnected }) => kind === 'standing' && isConnected,
    );
  }

  /** Opens a new stream. */
  open(kind: EventId['kind'], response: ServerResponse, primes: boolean): ResumableStream {
    this.#last++;
    const owner = {
      ids: this.#ids,
      replay: this.#replay,
      onUnasked: (question: RequestFrame): void => this.#listener.onLost(question),
      onKept: (kept: ResumableStream): void => this.#onKept(kept),
      onDisconnected: (gone: ResumableStream): void => this.#onDisconnected(gone),
    };
    const stream = new ResumableStream({ kind, stream: this.#last }, this.#options, owner);
    this.#connect(stream, response, primes, 0);
    return stream;
  }

  /** Goes on with the stream of an event id, behind that event. */
  resume(response: ServerResponse, lastEventId: string, primes: boolean): Resumption {
    const id = this.#ids.read(lastEventId);
    if (id === undefined) return 'unknown';
    const stream = this.#streams.get(id.stream);
    if (stream === undefined) return this.#reopen(id, response, primes);
    if (stream.kind !== id.kind || id.sequence > stream.sequence) return 'unknown';
    if (stream.isEnded && id.sequence === stream.sequence) return 'over';
    const missed = stream.sequence - id.sequence;
    const lost = missed - this.#replay.after(stream, id.sequence).length;
    if (lost > 0) {
      this.#listener.report(`A client came back for ${missed} messages, ${lost} of them too late.`);
    }
    this.#connect(stream, response, primes, id.sequence);
    return 'resumed';
  }

  /** Ends every stream; what nobody has taken is lost. */
  close(): void {
    const streams = [...this.#streams.values()];
    const lost = streams.flatMap((stream) => this.#forget(stream));
    for (const stream of streams) stream.end();
    for (const { frame } of lost) this.#listener.onLost(frame);
  }

  /** For a client that comes back to a stream of which nothing is kept. */
  #reopen({ kind, stream }: EventId, response: ServerResponse, primes: boolean): Resumption {
    if (stream > this.#last) return 'unknown';
    if (kind === 'request') {
      this.#listener.report('A client came back for an answer that is kept no more.');
      return 'over';
    }
    // What is yet to come belongs on one standing stream as well as on another.
    this.open(kind, response, primes);
    return 'resumed';
  }

  #connect(
    stream: ResumableStream,
    response: ServerResponse,
    primes: boolean,
    after: number,
  ): void {
    this.#streams.delete(stream.number);
    this.#streams.set(stream.number, stream);
    this.#options.room.take(stream);
    stream.connect(response, primes, after);
  }

  #onKept(stream: ResumableStream): void {
    const { room } = this.#options;
    if (!stream.isRead) room.leave(stream, () => this.#giveWay(stream));
    room.tidy();
  }

  #onDisconnected(stream: ResumableStream): void {
    if (this.#replay.after(stream, 0).length > 0) this.#onKept(stream);
    if (stream.isEnded) {
      setTimeout(() => this.#letGo(stream), this.#options.keptMs).unref();
    } else {
      this.#tidy(stream);
    }
    this.#listener.onDisconnected();
  }

  /** Forgets a stream that was sent to its end, unless its client is there or has not been sent all of it. */
  #letGo(stream: ResumableStream): void {
    if (stream.isConnected || this.#replay.owed().some((event) => event.stream === stream)) return;
    this.#forget(stream);
  }

  /** Other sessions need the room. */
  #giveWay(stream: ResumableStream): void {
    const lost = this.#replay.forget(stream);
    this.#tidy(stream);
    for (const { frame } of lost) this.#listener.onLost(frame);
  }

  /** Returns what nobody has taken. */
  #forget(stream: ResumableStream): readonly KeptEvent<ResumableStream>[] {
    this.#streams.delete(stream.number);
    this.#options.room.take(stream);
    return this.#replay.forget(stream);
  }

  /** Forgets a stream that nobody can come back to. */
  #tidy(stream: ResumableStream): void {
    const isDone = stream.kind === 'standing' || stream.isEnded || !stream.isResumable;
    if (stream.isConnected || !isDone || this.#replay.after(stream, 0).length > 0) return;
    this.#forget(stream);
  }
}
