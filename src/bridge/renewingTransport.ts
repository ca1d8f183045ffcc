import { readCancellation } from '../protocol/cancellation.ts';
import {
  withId,
  type Frame,
  type IdToken,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import type { Revision } from '../protocol/revision.ts';
import type {
  ClientTransport,
  ClientTransportListener,
  SendOptions,
  TransportFailure,
} from '../transports/transport.ts';
import { Renewal, type RenewalOptions } from './renewal.ts';
import { SessionMemory } from './sessionMemory.ts';
import { SessionQuestions } from './sessionQuestions.ts';

export interface RenewingOptions extends RenewalOptions {
  /** Makes the transport anew. */
  readonly connect: () => ClientTransport;
}

interface Outgoing {
  readonly frame: Frame;
  readonly options: SendOptions | undefined;
  /** It was lost with a session once. */
  readonly again?: true;
}

interface OpenRequest extends Outgoing {
  readonly frame: RequestFrame;
  readonly inner: ClientTransport;
}

const CLOSED: TransportFailure = { kind: 'closed', message: 'The connection was closed.' };

/**
 * A transport whose server may forget the session of the legacy era: it is opened once more, and its owner knows of it
 * only by the requests that may have been carried out and are not made again (2025-11-25, Transports, Session
 * Management). Requests that do no harm are repeated, once.
 *
 * Invariant: as for every transport, a request is answered, failed or abandoned exactly once.
 */
export class RenewingTransport implements ClientTransport {
  readonly kind: ClientTransport['kind'];
  readonly #options: RenewingOptions;
  readonly #memory = new SessionMemory();
  readonly #open = new Map<IdToken, OpenRequest>();
  readonly #questions = new SessionQuestions<ClientTransport>();
  readonly #inners = new Set<ClientTransport>();
  #inner: ClientTransport;
  #revision: Revision | undefined;
  #listener: ClientTransportListener | undefined;
  /** What waits for the new session, while there is none. */
  #waiting: Outgoing[] | undefined;
  #renewal: Renewal | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: RenewingOptions) {
    this.#options = options;
    this.#inner = options.connect();
    this.kind = this.#inner.kind;
  }

  get cancelsByClosing(): boolean {
    return this.#inner.cancelsByClosing;
  }

  start(listener: ClientTransportListener): void {
    this.#listener = listener;
    this.#begin(this.#inner);
  }

  negotiated(revision: Revision): void {
    this.#revision = revision;
    this.#inner.negotiated(revision);
  }

  send(frame: Frame, options?: SendOptions): void {
    if (frame.kind === 'response') this.#answer(frame, options);
    else this.#dispatch({ frame, options });
  }

  abandon(id: IdToken): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.inner.abandon(id);
    if (open !== undefined) this.#retire(open.inner);
    this.#waiting = this.#waiting?.filter(({ frame }) => idOf(frame) !== id);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#renewal?.giveUp(CLOSED);
    await Promise.all([...this.#inners].map((inner) => inner.close()));
  }

  #begin(inner: ClientTransport): void {
    this.#inners.add(inner);
    inner.start({
      onFrame: (frame, stream, status) => this.#onFrame(inner, frame, stream, status),
      onRequestFailed: (id, failure) => this.#onRequestFailed(inner, id, failure),
      onNoise: (noise) => this.#listener?.onNoise(noise),
      onOversized: (head) => this.#listener?.onOversized(head),
      onClose: (failure) => {
        this.#inners.delete(inner);
        if (inner === this.#inner) this.#end(failure);
        else if (inner === this.#renewal?.inner) this.#renewal.giveUp(failure);
      },
    });
  }

  #dispatch(message: Outgoing): void {
    const { frame, options } = message;
    // A cancellation goes to the session of the request, be it lost or not.
    const open =
      frame.kind === 'notify' ? this.#open.get(readCancellation(frame)?.id ?? '') : undefined;
    if (this.#waiting !== undefined && open === undefined) {
      this.#waiting.push(message);
      return;
    }
    const inner = open?.inner ?? this.#inner;
    if (frame.kind === 'request') this.#open.set(frame.id, { ...message, frame, inner });
    inner.send(frame, options);
  }

  /** An answer goes to the session in which the question was asked, and nowhere once that is over. */
  #answer(frame: ResponseFrame, options: SendOptions | undefined): void {
    if (frame.id === undefined) {
      this.#inner.send(frame, options);
      return;
    }
    const asked = this.#questions.answer(frame.id);
    asked?.session.send(frame.id === asked.id ? frame : withId(frame, asked.id), options);
  }

  #onFrame(inner: ClientTransport, frame: Frame, stream?: IdToken, status?: number): void {
    switch (frame.kind) {
      case 'request':
        this.#listener?.onFrame(this.#questions.ask(inner, frame), stream, status);
        return;
      case 'notify': {
        const isWithdrawal = frame.method === Method.cancelled;
        const told = isWithdrawal ? this.#questions.withdraw(inner, frame) : frame;
        this.#listener?.onFrame(told, stream, status);
        return;
      }
      case 'response':
        if (this.#renewal?.settle(inner, frame.id ?? stream, frame) === true) return;
        this.#onResponse(frame, stream, status);
    }
  }

  #onResponse(frame: ResponseFrame, stream: IdToken | undefined, status: number | undefined): void {
    const open = this.#open.get(frame.id ?? '');
    this.#open.delete(frame.id ?? '');
    if (open !== undefined) this.#memory.answered(open.frame, frame);
    this.#listener?.onFrame(frame, stream, status);
    if (open !== undefined) this.#retire(open.inner);
  }

  #onRequestFailed(inner: ClientTransport, id: IdToken, failure: TransportFailure): void {
    if (this.#renewal?.settle(inner, id, failure) === true) return;
    const open = this.#open.get(id);
    this.#open.delete(id);
    const isLost = failure.kind === 'session-lost' && open !== undefined;
    if (!isLost || this.#closing !== undefined) {
      this.#listener?.onRequestFailed(id, failure);
      this.#retire(inner);
      return;
    }
    const { frame } = open;
    const refusal = open.again
      ? LOST_AGAIN
      : this.#memory.mayRepeat(frame)
        ? undefined
        : notSafe(frame);
    // What was lost twice is not worth a third session; the next request will find out.
    if (inner === this.#inner && open.again === undefined) this.#waiting ??= this.#renew(inner);
    if (refusal === undefined) this.#dispatch({ ...open, again: true });
    else this.#listener?.onRequestFailed(id, { ...failure, message: refusal });
    this.#retire(inner);
  }

  /** Opens a session in place of the one that is lost; returns where messages wait for it. */
  #renew(lost: ClientTransport): Outgoing[] {
    const inner = this.#options.connect();
    this.#begin(inner);
    const renewal = new Renewal(inner, this.#options);
    this.#renewal = renewal;
    void renewal.run(this.#memory, this.#revision).then((failure) => {
      this.#renewal = undefined;
      if (this.#closing !== undefined) this.#end(CLOSED);
      else if (failure === undefined) this.#renewed(inner, lost);
      else this.#notRenewed(inner, failure);
    });
    return [];
  }

  #renewed(inner: ClientTransport, lost: ClientTransport): void {
    this.#options.report('The server has lost the session; a new one was opened in its place.');
    this.#inner = inner;
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const message of waiting) this.#dispatch(message);
    for (const change of this.#memory.changes) this.#listener?.onFrame(change, undefined);
    this.#retire(lost);
  }

  #notRenewed(inner: ClientTransport, { kind, message }: TransportFailure): void {
    void inner.close();
    const failure = `The server has lost the session, and no other could be opened: ${message}`;
    this.#end({ kind, message: failure });
    void this.close();
  }

  /** A session that is lost ends with the last request under way in it, and so do its questions. */
  #retire(inner: ClientTransport): void {
    if (inner === this.#inner || inner === this.#renewal?.inner) return;
    if (!this.#inners.has(inner)) return;
    for (const open of this.#open.values()) if (open.inner === inner) return;
    for (const withdrawal of this.#questions.end(inner)) {
      this.#listener?.onFrame(withdrawal, undefined);
    }
    void inner.close();
  }

  #end(failure: TransportFailure): void {
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.onClose(failure);
  }
}

function notSafe({ method }: RequestFrame): string {
  const what =
    method === Method.toolsCall
      ? 'the call not retried: the server may have carried it out, and its tool is declared neither read-only nor idempotent'
      : 'the request not repeated: the server may have carried it out';
  return `The session was lost, and ${what}. A new session is open; ask again if that is safe.`;
}

const LOST_AGAIN = 'The session was lost again right after a new one had been opened.';

/** The request that a message is, or that it cancels. */
function idOf(frame: Frame): IdToken | undefined {
  if (frame.kind === 'request') return frame.id;
  return frame.kind === 'notify' ? readCancellation(frame)?.id : undefined;
}
