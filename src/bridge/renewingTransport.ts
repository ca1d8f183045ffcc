import { delay } from '../base/delay.ts';
import {
  notify,
  withId,
  type Frame,
  type IdToken,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, stringOf } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import type {
  ClientTransport,
  ClientTransportListener,
  SendOptions,
  TransportFailure,
} from '../transports/transport.ts';
import { SessionMemory } from './sessionMemory.ts';

export interface RenewingOptions {
  /** Makes the transport anew. */
  readonly connect: () => ClientTransport;
  /** How long the server may take to open a session. */
  readonly startMs: number;
  /** True while a person is asked to sign in, whose time is not the server's. */
  readonly isAsking: () => boolean;
  readonly report: (message: string) => void;
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

/** The bridge's own requests, which no one outside waits for. */
const OWN = '"renewal-';

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
  readonly #asked = new Map<IdToken, ClientTransport>();
  readonly #inners = new Set<ClientTransport>();
  #inner: ClientTransport;
  #revision: Revision | undefined;
  #listener: ClientTransportListener | undefined;
  /** What waits for the new session, while there is none. */
  #waiting: Outgoing[] | undefined;
  #onRenewal: ((answer: ResponseFrame | TransportFailure) => void) | undefined;
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
    this.#onRenewal?.({ kind: 'closed', message: 'The connection was closed.' });
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
      },
    });
  }

  #dispatch(message: Outgoing): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(message);
      return;
    }
    const { frame, options } = message;
    const inner = this.#open.get(idOf(frame) ?? '')?.inner ?? this.#inner;
    if (frame.kind === 'request') this.#open.set(frame.id, { ...message, frame, inner });
    inner.send(frame, options);
  }

  /** An answer goes to the session in which the question was asked. */
  #answer(frame: ResponseFrame, options: SendOptions | undefined): void {
    const inner = this.#asked.get(frame.id ?? '') ?? this.#inner;
    this.#asked.delete(frame.id ?? '');
    inner.send(frame, options);
  }

  #onFrame(inner: ClientTransport, frame: Frame, stream?: IdToken, status?: number): void {
    if (frame.kind === 'request') this.#asked.set(frame.id, inner);
    if (frame.kind === 'response') {
      if (frame.id?.startsWith(OWN) === true) {
        this.#onRenewal?.(frame);
        return;
      }
      const open = this.#open.get(frame.id ?? '');
      this.#open.delete(frame.id ?? '');
      if (open !== undefined) {
        this.#memory.answered(open.frame, frame);
        this.#retire(open.inner);
      }
    }
    this.#listener?.onFrame(frame, stream, status);
  }

  #onRequestFailed(inner: ClientTransport, id: IdToken, failure: TransportFailure): void {
    if (id.startsWith(OWN)) {
      this.#onRenewal?.(failure);
      return;
    }
    const open = this.#open.get(id);
    this.#open.delete(id);
    const isLost = failure.kind === 'session-lost' && open !== undefined;
    if (!isLost || this.#closing !== undefined) {
      this.#listener?.onRequestFailed(id, failure);
      return;
    }
    const { frame } = open;
    const refusal = open.again ? LOST_AGAIN : this.#memory.mayRepeat(frame) ? undefined : NOT_SAFE;
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
    void this.#shakeHands(inner).then((failure) => {
      if (failure === undefined) this.#renewed(inner, lost);
      else this.#notRenewed(inner, failure);
    });
    return [];
  }

  /** Says what opened the lost session; undefined where the server agrees to the same again. */
  async #shakeHands(inner: ClientTransport): Promise<TransportFailure | undefined> {
    const { initialize } = this.#memory;
    const revision = this.#revision;
    if (initialize === undefined || revision === undefined) {
      return { kind: 'closed', message: 'no session had been opened' };
    }
    const answer = await this.#ask(inner, withId(initialize, `${OWN}initialize"`));
    if (answer.kind !== 'response') return answer;
    if (answer.error !== undefined) return { kind: 'malformed', message: answer.error.message };
    const chosen = stringOf(getMember(answer.result, 'protocolVersion'));
    if (chosen !== revision) {
      // The client was told what the old one could do; only a new handshake can tell it otherwise.
      const message = `it speaks ${chosen ?? 'no revision'} now instead of ${revision}; connect to it anew.`;
      return { kind: 'malformed', message };
    }
    inner.negotiated(revision);
    inner.send(notify(Method.initialized));
    // What waits counts on them, and over HTTP a request may overtake another.
    for (const [index, setting] of this.#memory.settings.entries()) {
      const set = await this.#ask(inner, withId(setting, `${OWN}${index}"`));
      if (set.kind === 'closed') return set;
      if (set.kind === 'response') continue;
      this.#options.report(`The new session is not set as the old one was: ${set.message}`);
    }
    return undefined;
  }

  /** A request of the bridge's own; one that takes too long fails. */
  async #ask(
    inner: ClientTransport,
    request: RequestFrame,
  ): Promise<ResponseFrame | TransportFailure> {
    const { startMs, isAsking } = this.#options;
    const late = delay(startMs, undefined, isAsking);
    const answer = await new Promise<ResponseFrame | TransportFailure>((resolve) => {
      this.#onRenewal = resolve;
      inner.send(request);
      const message = `it did not answer within ${startMs / 1000} s.`;
      void late.promise.then(() => resolve({ kind: 'closed', message }));
    });
    late.cancel();
    this.#onRenewal = undefined;
    return answer;
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

  /** A session that is lost ends with the last request under way in it. */
  #retire(inner: ClientTransport): void {
    if (inner === this.#inner || !this.#inners.has(inner)) return;
    for (const open of this.#open.values()) if (open.inner === inner) return;
    void inner.close();
  }

  #end(failure: TransportFailure): void {
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.onClose(failure);
  }
}

const NOT_SAFE =
  'The session was lost, and the call not retried: the server may have carried it out, and its tool is declared neither read-only nor idempotent. A new session is open; call it again if that is safe.';

const LOST_AGAIN = 'The session was lost again right after a new one had been opened.';

/** The request that a message is, or that it cancels. */
function idOf(frame: Frame): IdToken | undefined {
  if (frame.kind === 'request') return frame.id;
  return frame.kind === 'notify' ? cancelledBy(frame) : undefined;
}

function cancelledBy({ method, params }: NotifyFrame): IdToken | undefined {
  if (method !== Method.cancelled || params === undefined) return undefined;
  return getMember(params, 'requestId')?.toString('utf8');
}
