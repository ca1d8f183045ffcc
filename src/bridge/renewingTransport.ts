import { visible } from '../base/visibleText.ts';
import { readCancellation } from '../protocol/cancellation.ts';
import {
  request,
  withId,
  type Frame,
  type IdToken,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import type { Revision } from '../protocol/revision.ts';
import type {
  ClientTransport,
  ClientTransportListener,
  SendOptions,
  SessionDoubt,
  TransportFailure,
} from '../transports/transport.ts';
import { OwnRequests, type OwnRequestsOptions } from './ownRequests.ts';
import { Renewal } from './renewal.ts';
import { RenewalPace } from './renewalPace.ts';
import { isOfOneSession, SessionMemory } from './sessionMemory.ts';
import { SessionQuestions } from './sessionQuestions.ts';

export interface RenewingOptions extends OwnRequestsOptions {
  /** Makes the transport anew. */
  readonly connect: () => ClientTransport;
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

/** More notifications than a client has for a session that is not there. */
const MAX_HELD = 100;

const CLOSED: TransportFailure = { kind: 'closed', message: 'The connection was closed.' };

/**
 * A transport whose server may forget the session of the legacy era: it is opened once more, and its owner knows of it
 * only by the requests that may have been carried out and are not made again (2025-11-25, Transports, Session
 * Management). Requests that do no harm are repeated, once, and so are notifications that mean something in any session.
 *
 * Whatever meets the loss opens the new session: a request at once; a notification, an answer or the standing stream,
 * for which nobody waits, at the pace of `RenewalPace`.
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
  readonly #own: OwnRequests;
  readonly #pace = new RenewalPace();
  /** The transports whose session is known to be lost. */
  readonly #lost = new WeakSet<ClientTransport>();
  /** Notifications that were sent a second time. */
  readonly #repeated = new WeakSet<Frame>();
  #inner: ClientTransport;
  #revision: Revision | undefined;
  #listener: ClientTransportListener | undefined;
  /** What waits for the new session, while there is none. */
  #waiting: Outgoing[] | undefined;
  #renewal: Renewal | undefined;
  /** Notifications for the next session, which nobody waits for. */
  #held: Outgoing[] = [];
  #closing: Promise<void> | undefined;

  constructor(options: RenewingOptions) {
    this.#options = options;
    this.#own = new OwnRequests(options);
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
    this.#pace.forget();
    this.#renewal?.giveUp(CLOSED);
    this.#own.giveUp(CLOSED);
    await Promise.all([...this.#inners].map((inner) => inner.close()));
  }

  #begin(inner: ClientTransport): void {
    this.#inners.add(inner);
    inner.start({
      onFrame: (frame, stream, status) => this.#onFrame(inner, frame, stream, status),
      onRequestFailed: (id, failure) => this.#onRequestFailed(inner, id, failure),
      onSessionDoubt: (doubt) => this.#onSessionDoubt(inner, doubt),
      onNoise: (noise) => this.#listener?.onNoise(noise),
      onOversized: (head) => this.#listener?.onOversized(head),
      onClose: (failure) => {
        this.#inners.delete(inner);
        this.#own.giveUp(failure, inner);
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
        if (this.#own.settle(inner, frame.id ?? stream, frame)) return;
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
    const open = this.#open.get(id);
    this.#open.delete(id);
    const isLost = failure.kind === 'session-lost' && this.#closing === undefined;
    // What was lost twice is not worth a third session right away, and nobody waits for the others.
    if (isLost && (open === undefined || open.again)) this.#lose(inner);
    if (this.#own.settle(inner, id, failure)) return;
    if (!isLost || open === undefined) {
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
    if (!open.again && inner === this.#inner) this.#waiting ??= this.#renew(inner, 'request');
    if (refusal === undefined) this.#dispatch({ ...open, again: true });
    else this.#listener?.onRequestFailed(id, { ...failure, message: refusal });
    this.#retire(inner);
  }

  #onSessionDoubt(inner: ClientTransport, { unheard, failure }: SessionDoubt): void {
    if (this.#closing !== undefined) return;
    if (unheard === undefined) {
      void this.#examine(inner, failure);
      return;
    }
    this.#lose(inner);
    const message = unheard.kind === 'response' ? 'An answer' : visible(unheard.method);
    if (unheard.kind === 'notify' && !isOfOneSession(unheard) && !this.#repeated.has(unheard)) {
      this.#repeat(inner, unheard);
    } else if (unheard.kind === 'response' || unheard.method !== Method.initialized) {
      this.#options.report(`${message} was not told in the new session: it belongs to a lost one.`);
    }
  }

  /** Only a request can tell a session that is lost from a server that has no standing stream. */
  async #examine(inner: ClientTransport, refusal: TransportFailure): Promise<void> {
    const answer = await this.#own.ask(inner, request('', Method.ping));
    if (this.#closing !== undefined || !this.#isCurrent(inner) || this.#lost.has(inner)) return;
    if (answer.kind === 'response' || !isPassing(answer)) {
      this.#options.report(`The standing stream is off: ${refusal.message}`);
    } else {
      this.#pace.note();
      this.#wait(inner, () => void this.#examine(inner, refusal));
    }
  }

  /** A session is lost that nobody waits for. */
  #lose(inner: ClientTransport): void {
    const isNew = !this.#lost.has(inner);
    this.#lost.add(inner);
    if (inner !== this.#inner || this.#waiting !== undefined) return;
    // Nothing is left to be found out.
    if (isNew) this.#pace.forget();
    const renew = (): void => {
      this.#waiting ??= this.#renew(inner, 'nobody');
    };
    if (this.#pace.isCalm) renew();
    else this.#wait(inner, renew);
  }

  /** Does something about a session later, if it is the one that is open then. */
  #wait(inner: ClientTransport, action: () => void): void {
    this.#pace.wait(() => {
      if (inner === this.#inner && this.#closing === undefined) action();
    });
  }

  #repeat(inner: ClientTransport, frame: NotifyFrame): void {
    this.#repeated.add(frame);
    const message: Outgoing = { frame, options: undefined };
    if (inner !== this.#inner || this.#waiting !== undefined) this.#dispatch(message);
    else this.#hold([message]);
  }

  #hold(messages: readonly Outgoing[]): void {
    this.#held.push(...messages);
    for (const { frame } of this.#held.splice(0, this.#held.length - MAX_HELD)) {
      if (frame.kind !== 'notify') continue;
      this.#options.report(`${visible(frame.method)} was not told: no session could be opened.`);
    }
  }

  /** Opens a session in place of the one that is lost; returns where messages wait for it. */
  #renew(lost: ClientTransport, waits: 'request' | 'nobody'): Outgoing[] {
    this.#pace.forget();
    this.#pace.note();
    const inner = this.#options.connect();
    this.#begin(inner);
    const renewal = new Renewal(inner, this.#own, this.#options.report);
    this.#renewal = renewal;
    void renewal.run(this.#memory, this.#revision).then((failure) => {
      this.#renewal = undefined;
      if (this.#closing !== undefined) this.#end(CLOSED);
      else if (failure === undefined) this.#renewed(inner, lost);
      else this.#notRenewed(inner, failure, waits);
    });
    return this.#held.splice(0);
  }

  #renewed(inner: ClientTransport, lost: ClientTransport): void {
    this.#options.report('The server has lost the session; a new one was opened in its place.');
    this.#inner = inner;
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const message of waiting) this.#dispatch(message);
    for (const change of this.#memory.changes) this.#listener?.onFrame(change, undefined);
    this.#retire(lost);
    if (this.#lost.has(inner)) this.#lose(inner);
  }

  #notRenewed(
    inner: ClientTransport,
    failure: TransportFailure,
    waits: 'request' | 'nobody',
  ): void {
    void inner.close();
    const message = `The server has lost the session, and no other could be opened: ${failure.message}`;
    const waiting = this.#waiting ?? [];
    if (waits === 'request' || waiting.some(({ frame }) => frame.kind === 'request')) {
      this.#end({ kind: failure.kind, message });
      void this.close();
      return;
    }
    // Whoever asks next will find out, and be told.
    this.#waiting = undefined;
    this.#hold(waiting);
    this.#options.report(message);
    if (isPassing(failure)) this.#lose(this.#inner);
  }

  /** A session that is lost ends with the last request under way in it, and so do its questions. */
  #retire(inner: ClientTransport): void {
    if (this.#isCurrent(inner)) return;
    if (!this.#inners.has(inner)) return;
    for (const open of this.#open.values()) if (open.inner === inner) return;
    for (const withdrawal of this.#questions.end(inner)) {
      this.#listener?.onFrame(withdrawal, undefined);
    }
    void inner.close();
  }

  #isCurrent(inner: ClientTransport): boolean {
    return inner === this.#inner || inner === this.#renewal?.inner;
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

/** Whether the same may go well a while later, without anybody's doing. */
function isPassing({ kind }: TransportFailure): boolean {
  return kind === 'network' || kind === 'http-status' || kind === 'closed';
}

const LOST_AGAIN = 'The session was lost again right after a new one had been opened.';

/** The request that a message is, or that it cancels. */
function idOf(frame: Frame): IdToken | undefined {
  if (frame.kind === 'request') return frame.id;
  return frame.kind === 'notify' ? readCancellation(frame)?.id : undefined;
}
