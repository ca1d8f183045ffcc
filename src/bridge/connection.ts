import { cancellation } from '../protocol/cancellation.ts';
import {
  concerning,
  withId,
  withParams,
  type Asked,
  type Frame,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type {
  ClientTransport,
  Noise,
  SendOptions,
  TransportFailure,
} from '../transports/transport.ts';
import { CallClock, type Excuses } from './callClock.ts';
import type { CallOutcome } from './callOutcome.ts';
import { withProgressToken } from './progress.ts';
import type { Timeouts } from './timeouts.ts';

export interface CallOptions extends SendOptions {
  /** Called exactly once, unless the call was cancelled first. */
  readonly onOutcome: (outcome: CallOutcome) => void;
  /** What the server says in the course of this call; progress tokens are the bridge's own here. */
  readonly onNotification?: (frame: NotifyFrame) => void;
  /** False for requests that are open by nature, and for those whose time the caller keeps. */
  readonly timed?: boolean;
  /** True for the handshake, whose params go out exactly as given. */
  readonly verbatim?: boolean;
}

/** A request under way. */
export interface Call {
  readonly id: number;
  /** Gives up: the server is told in the way of its transport, and nothing more is heard of the call. */
  cancel(reason?: RawJson): void;
  /** Waits no longer; the server, which ended the call in its own way, is told nothing. */
  forget(): void;
}

/** What a peer can do wrong on a connection; warnings of one topic are shown as one, with a count. */
export type WarningTopic = Noise['reason'] | 'null-id' | 'unknown-id' | 'id-type' | 'envelope';

export type OnWarning = (topic: WarningTopic, message: string) => void;

/** What a connection tells the session that owns it. */
export interface ConnectionListener {
  /** A notification that no call could be found for, or that speaks of the whole session. */
  onNotification(frame: NotifyFrame, call: number | undefined): void;
  /** A request of the server's own; `respond` takes exactly one answer. */
  onRequest(
    frame: RequestFrame,
    call: number | undefined,
    respond: (answer: ResponseFrame) => void,
  ): void;
  onClose(failure: TransportFailure): void;
}

/** More tasks than one session has under way whose calls have been answered. */
const MAX_FOLLOWED = 256;

interface Pending extends CallOptions, Asked {
  readonly id: number;
  readonly method: string;
  /** Absent where the time is the caller's. */
  clock?: CallClock;
}

/**
 * Correlates requests and responses on one connection to a server: ids and progress tokens are the bridge's own there,
 * unique for the life of the connection, so that no two clients can collide.
 */
export class Connection {
  readonly transport: ClientTransport;
  readonly timeouts: Timeouts;
  readonly #onWarning: OnWarning;
  readonly #excuses: Excuses;
  readonly #pending = new Map<number, Pending>();
  readonly #followed = new Map<number, (frame: NotifyFrame) => void>();
  #listener: ConnectionListener | undefined;
  #early: ((listener: ConnectionListener) => void)[] = [];
  #nextId = 1;
  #openQuestions = 0;
  /** The notification that was sent last, while nothing was answered since. */
  #notified: string | undefined;
  #closed: TransportFailure | undefined;

  /** Resolves when the connection is gone for whatever reason, and all that belonged to it. */
  readonly closed: Promise<void>;
  #resolveClosed: () => void = () => undefined;

  /** `isAsking` is true while a person is asked to sign in, for which no request is to blame. */
  constructor(
    transport: ClientTransport,
    timeouts: Timeouts,
    onWarning: OnWarning,
    isAsking: () => boolean = () => false,
  ) {
    this.transport = transport;
    // While a person thinks about a question of the server's, the server is not silent.
    this.#excuses = { isWaitedFor: () => this.#openQuestions > 0, isAsking };
    this.timeouts = timeouts;
    this.#onWarning = onWarning;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    transport.start({
      onFrame: (frame, stream, status) => this.#onFrame(frame, stream, status),
      onRequestFailed: (id, failure) => this.#settle(Number(id), { kind: 'failed', failure }),
      onNoise: (noise) => this.#warn(noise.reason, describeNoise(noise)),
      onOversized: (head) => this.#onOversized(head),
      onClose: (failure) => {
        this.#onClose(failure);
        this.#resolveClosed();
      },
    });
  }

  get isOpen(): boolean {
    return this.#closed === undefined;
  }

  /** Takes the connection into service; what the server said before, while it was being opened, is told now. */
  attach(listener: ConnectionListener): void {
    this.#listener = listener;
    for (const tell of this.#early.splice(0)) tell(listener);
    if (this.#closed !== undefined) listener.onClose(this.#closed);
  }

  /** Sends a request under an id of this connection, with a progress token of this connection in its `_meta`. */
  call(request: RequestFrame, options: CallOptions): Call {
    const id = this.#nextId++;
    const { method, provenance } = request;
    const pending: Pending = { ...options, id, method, ...(provenance && { provenance }) };
    if (this.#closed !== undefined) {
      const failure = this.#closed;
      queueMicrotask(() => options.onOutcome({ kind: 'failed', failure }));
      return { id, cancel: () => undefined, forget: () => undefined };
    }
    this.#pending.set(id, pending);
    if (options.timed !== false) {
      pending.clock = new CallClock(this.timeouts, this.#excuses, (limit) =>
        this.#expire(pending, limit),
      );
    }
    const marked =
      options.verbatim === true ? request : withParams(request, withProgressToken(request, id));
    this.transport.send(withId(marked, String(id)), options);
    return {
      id,
      cancel: (reason) => this.#cancel(id, reason),
      forget: () => void this.#take(id),
    };
  }

  /**
   * Goes on telling the progress of a call that was answered with a task, whose token is good for as long as the task
   * lasts (2025-11-25, Tasks, Task Progress Notifications); of too many the oldest is let go. Returns how to stop it.
   */
  followProgress(call: number, tell: (frame: NotifyFrame) => void): () => void {
    this.#followed.set(call, tell);
    if (this.#followed.size > MAX_FOLLOWED) {
      for (const oldest of this.#followed.keys()) {
        this.#followed.delete(oldest);
        break;
      }
    }
    return () => this.#followed.delete(call);
  }

  notify(frame: NotifyFrame, options?: SendOptions): void {
    if (this.#closed !== undefined) return;
    this.#notified = frame.method;
    this.transport.send(frame, options);
  }

  /** Ends the connection; calls under way fail as closed. */
  async close(): Promise<void> {
    // Nothing more is sent on it from here on, though its end may take its time.
    this.#onClose({ kind: 'closed', message: 'The connection was closed.' });
    await this.transport.close();
    this.#resolveClosed();
  }

  #onFrame(frame: Frame, stream: string | undefined, status: number | undefined): void {
    if (frame.flaws !== undefined) {
      this.#warn(
        'envelope',
        `The server's message has a faulty envelope (${frame.flaws.join(', ')}); it was written anew around its payload.`,
      );
    }
    const call = stream === undefined ? undefined : Number(stream);
    switch (frame.kind) {
      case 'response':
        this.#onResponse(frame, call, status);
        return;
      case 'request':
        this.#openQuestions++;
        this.#tell((listener) =>
          listener.onRequest(frame, call, (response) => {
            this.#openQuestions--;
            this.transport.send(withId(response, frame.id));
          }),
        );
        return;
      case 'notify':
        this.#onNotification(frame, call);
    }
  }

  #onResponse(frame: ResponseFrame, stream: number | undefined, status: number | undefined): void {
    const id = this.#idOf(frame, stream);
    this.#notified = undefined;
    if (id === undefined) return;
    this.#settle(id, { kind: 'response', frame, ...(status !== undefined && { status }) });
  }

  /**
   * Which call a response answers: by its id, by an id that only lost its type, as that whose stream it came on, or as the
   * only call there is.
   */
  #idOf(frame: ResponseFrame, stream: number | undefined): number | undefined {
    if (frame.id === undefined) {
      const message = frame.error?.message ?? 'no message';
      if (stream === undefined && this.#answersNotification(frame)) {
        this.#warn('null-id', `The server answered a notification with an error: ${message}`);
        return undefined;
      }
      this.#warn('null-id', `The server sent an error without an id: ${message}`);
      return stream ?? this.#only();
    }
    const id = Number(frame.id.replaceAll('"', ''));
    if (!this.#pending.has(id)) {
      this.#warn(
        'unknown-id',
        'The server answered a request that is not open (an unknown id, or a second answer); the answer was dropped.',
      );
      return undefined;
    }
    if (frame.id !== String(id)) {
      const message = `The server answered the id ${id} as ${frame.id}; the answer was accepted.`;
      this.#warn('id-type', message);
    }
    return id;
  }

  /** A server that knows not the method of a request has read its id; a notification has none. */
  #answersNotification({ error }: ResponseFrame): boolean {
    if (error?.code !== ErrorCode.methodNotFound || this.#notified === undefined) return false;
    const [only, ...others] = this.#pending.values();
    return others.length > 0 || only === undefined || !error.message.includes(only.method);
  }

  #onNotification(frame: NotifyFrame, stream: number | undefined): void {
    if (frame.method === Method.progress) {
      const token = frame.params && getMember(frame.params, 'progressToken');
      const id = Number(token?.toString('latin1').replaceAll('"', ''));
      const pending = this.#pending.get(id);
      // Nobody asked for it, or its call is over: a client would take it for a fault.
      if (pending === undefined) {
        this.#followed.get(id)?.(frame);
        return;
      }
      pending.clock?.restart();
      pending.onNotification?.(frame);
      return;
    }
    const pending = stream === undefined ? undefined : this.#pending.get(stream);
    if (pending?.onNotification !== undefined) pending.onNotification(frame);
    else this.#tell((listener) => listener.onNotification(frame, stream));
  }

  #tell(event: (listener: ConnectionListener) => void): void {
    if (this.#listener === undefined) this.#early.push(event);
    else event(this.#listener);
  }

  #onOversized(head: Buffer): void {
    const named = Number(getMember(head, 'id')?.toString('latin1'));
    const id = this.#pending.has(named) ? named : this.#only();
    const message =
      'The server sent a message over the size limit of the bridge (64 MiB); it was skipped.';
    this.#warn('too-large', message);
    if (id !== undefined)
      this.#settle(id, { kind: 'failed', failure: { kind: 'too-large', message } });
  }

  /** The call that waits for an answer, where there is exactly one; open streams wait for none. */
  #only(): number | undefined {
    const [only, ...others] = [...this.#pending.values()].filter(({ timed }) => timed !== false);
    return others.length === 0 ? only?.id : undefined;
  }

  #onClose(failure: TransportFailure): void {
    if (this.#closed !== undefined) return;
    this.#closed = failure;
    for (const id of [...this.#pending.keys()]) this.#settle(id, { kind: 'failed', failure });
    this.#listener?.onClose(failure);
  }

  #settle(id: number, outcome: CallOutcome): void {
    const pending = this.#take(id);
    pending?.onOutcome(outcome);
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    pending?.clock?.stop();
    this.#pending.delete(id);
    return pending;
  }

  #cancel(id: number, reason?: RawJson): void {
    const pending = this.#take(id);
    if (pending === undefined || this.#closed !== undefined) return;
    if (this.transport.cancelsByClosing) {
      this.transport.abandon(String(id));
      return;
    }
    this.notify(concerning(pending, cancellation(String(id), reason)));
    this.transport.abandon(String(id));
  }

  #expire(pending: Pending, limit: number): void {
    this.#cancel(pending.id, toRaw('The request timed out.'));
    pending.onOutcome({
      kind: 'timeout',
      message: `The server did not answer ${pending.method} within ${limit / 1000} s; the request was cancelled.`,
    });
  }

  #warn(topic: WarningTopic, message: string): void {
    this.#onWarning(topic, message);
  }
}

function describeNoise(noise: Noise): string {
  const what = {
    'not-json': 'text that is no JSON',
    'not-json-rpc': 'JSON that is no JSON-RPC message',
    'not-utf8': 'bytes that are no UTF-8',
    'too-large': 'a message over the limit',
    unexpected: 'a message out of place',
  }[noise.reason];
  return `The server wrote ${what} where only messages belong; it is ignored. It begins: ${noise.sample}`;
}
