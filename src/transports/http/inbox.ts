import type { Frame, IdToken } from '../../protocol/frame.ts';
import { readMessage } from '../../protocol/jsonRpc.ts';
import type { ClientTransportListener, SessionDoubt, TransportFailure } from '../transport.ts';
import { sampleOf } from '../sample.ts';

/** What belongs to one open request and ends with it. */
export interface OpenCall {
  /** Its response is there. */
  onAnswered(): void;
  /** Nobody wants the response any more. */
  stop(): void;
}

/**
 * The requests that wait for a response, and the way of every message to the owner.
 *
 * Invariant: a request leaves this table exactly once: answered, failed or abandoned.
 */
export class Inbox {
  readonly #calls = new Map<IdToken, OpenCall>();
  #listener: ClientTransportListener | undefined;

  start(listener: ClientTransportListener): void {
    this.#listener = listener;
  }

  expect(id: IdToken, call: OpenCall): void {
    this.#calls.set(id, call);
  }

  isWaiting(id: IdToken | undefined): id is IdToken {
    return id !== undefined && this.#calls.has(id);
  }

  /** Passes on what one message or one array of them holds; `stream` is the request on whose response it came. */
  deliver(bytes: Buffer, stream: IdToken | undefined): void {
    const reading = readMessage(bytes);
    if (reading.kind === 'batch') {
      for (const message of reading.messages) this.deliver(message, stream);
    } else if (reading.kind === 'frame') {
      this.pass(reading.frame, stream);
    } else {
      this.#listener?.onNoise({ reason: reading.reason, sample: sampleOf(bytes) });
    }
  }

  pass(frame: Frame, stream: IdToken | undefined, status?: number): void {
    if (frame.kind === 'response' && frame.id !== undefined) this.#take(frame.id)?.onAnswered();
    this.#listener?.onFrame(frame, stream, status);
  }

  fail(id: IdToken, failure: TransportFailure): void {
    if (this.#take(id) !== undefined) this.#listener?.onRequestFailed(id, failure);
  }

  /** Fails a request that never left. */
  refuse(id: IdToken, failure: TransportFailure): void {
    this.#listener?.onRequestFailed(id, failure);
  }

  /** False where nobody does anything about it. */
  doubt(doubt: SessionDoubt): boolean {
    if (this.#listener?.onSessionDoubt === undefined) return false;
    this.#listener.onSessionDoubt(doubt);
    return true;
  }

  abandon(id: IdToken): void {
    this.#take(id)?.stop();
  }

  /** Stops every open request and tells nothing from here on; gives back the listener for the last word. */
  silence(): ClientTransportListener | undefined {
    const listener = this.#listener;
    this.#listener = undefined;
    for (const id of [...this.#calls.keys()]) this.abandon(id);
    return listener;
  }

  #take(id: IdToken): OpenCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
}
