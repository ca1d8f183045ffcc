import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import {
  makeError,
  type Frame,
  type IdToken,
  type RequestFrame,
  type ResponseFrame,
} from '../../protocol/frame.ts';
import {
  refusalOfAll,
  type AcceptChannel,
  type ServerChannel,
  type ServerChannelListener,
} from '../transport.ts';
import { Answer } from './answer.ts';
import { EventStream, type EventStreamOptions } from '../http/eventStream.ts';
import { safeText } from '../sample.ts';
import type { KeptRoom } from './keptRoom.ts';
import { SessionStreams, type Resumption } from './sessionStreams.ts';
import type { StreamTerms } from './streamTerms.ts';

export interface SessionOptions {
  readonly keepAliveMs: number;
  readonly settleMs: number;
  /** How long a session may go without a stream and a request before it is given up. */
  readonly idleMs: number;
  /** How long a question waits for the standing stream while none is open. */
  readonly questionMs: number;
  /** How many messages wait for the standing stream while none is open. */
  readonly queueLimit: number;
  /** How long an answer stays a plain body for a client that could come back for a stream. */
  readonly patienceMs: number;
  /** How long such a client is told to wait before it comes back. */
  readonly retryMs: number;
  /** How long a connection to it is held before it is left to come back for the rest; for ever where absent. */
  readonly holdMs?: number | undefined;
  /** How long the events of a stream are kept that was sent to its end. */
  readonly keptMs: number;
  /** What all the sessions keep for clients that come back. */
  readonly room: KeptRoom;
  /** What went wrong without being anybody's answer, for a log. */
  readonly report: (message: string) => void;
}

function nameOf(frame: Frame): string {
  const name = frame.kind === 'response' ? `the response to ${frame.id ?? 'null'}` : frame.method;
  return safeText(name);
}

/**
 * One legacy client's session over HTTP: sends each message on the one stream it belongs to.
 *
 * What belongs to a request waits on the stream of that request while its client is away and may come back; where it
 * cannot, for want of an event id, a response is dropped and reported: the standing stream may not carry it (2025-11-25,
 * Transports, Listening for Messages from the Server). A notification or a question goes to the standing stream once the
 * request it belongs to is over, and a question where its client has gone for good as far as one can tell; one that
 * finds no such stream then is undeliverable.
 */
export class HttpSession implements ServerChannel {
  readonly id = randomUUID();
  readonly path: string;
  readonly #options: SessionOptions;
  readonly #onEnd: (session: HttpSession) => void;
  readonly #answers = new Map<IdToken, Answer>();
  /** Requests whose client went away; each waits for the response that nobody will read. */
  readonly #abandoned = new Set<IdToken>();
  readonly #waiting: Frame[] = [];
  readonly #idle: NodeJS.Timeout;
  #listener: ServerChannelListener | undefined;
  readonly #streams: SessionStreams;
  #opening: IdToken | undefined;
  #touchedAt = performance.now();
  #ended = false;

  constructor(path: string, options: SessionOptions, onEnd: (session: HttpSession) => void) {
    this.path = path;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#streams = new SessionStreams(
      { ...options, connection: this.#connectionOptions() },
      {
        onLost: (frame) => this.#discard(frame),
        onDisconnected: () => this.touch(),
        report: options.report,
      },
    );
    this.#idle = setTimeout(() => this.#onIdle(), options.idleMs).unref();
  }

  /** Delivers the request that opened the session. */
  open(accept: AcceptChannel, first: RequestFrame, response: ServerResponse): void {
    this.#opening = first.id;
    this.#expect([first.id], false, response, undefined);
    try {
      this.#listener = accept(this, first);
      this.listener?.onFrame(first);
    } catch (error) {
      // A session that could not be opened must not stay; whoever handles the POST answers it.
      this.#answers.clear();
      this.close();
      throw error;
    }
  }

  get listener(): ServerChannelListener | undefined {
    return this.#ended ? undefined : this.#listener;
  }

  /** True while this id names a request that is not answered, so that no other may use it. */
  isInFlight(id: IdToken): boolean {
    return this.#answers.has(id) || this.#abandoned.has(id);
  }

  /** True while a client waits for an answer or listens. */
  get isAttended(): boolean {
    const isAwaited = [...this.#answers.values()].some((answer) => answer.isAttended);
    return isAwaited || this.#streams.standing !== undefined;
  }

  /** True while a request is under way, whose client may come back for the answer. */
  get isBusy(): boolean {
    return this.#answers.size > 0;
  }

  /** When there was a sign of life last, in milliseconds of a clock of its own. */
  get touchedAt(): number {
    return this.#touchedAt;
  }

  /** Counts as a sign of life of the client. */
  touch(): void {
    if (this.#ended) return;
    this.#touchedAt = performance.now();
    this.#idle.refresh();
  }

  receive(request: RequestFrame, response: ServerResponse, terms: StreamTerms): void {
    this.#expect([request.id], false, response, terms);
    this.listener?.onFrame(request);
  }

  /** Several messages at once; `response` is answered where one of them is a request. */
  receiveBatch(frames: readonly Frame[], response: ServerResponse, terms: StreamTerms): void {
    const ids = frames.flatMap((frame) => (frame.kind === 'request' ? [frame.id] : []));
    const answer = ids.length > 0 ? this.#expect(ids, true, response, terms) : undefined;
    this.listener?.onBatch(frames, (replies) => {
      for (const id of ids) this.#forget(id);
      const whole = refusalOfAll(replies);
      if (whole !== undefined) answer?.refuse(whole);
      for (const reply of replies) if (reply.kind === 'response') answer?.respond(reply);
      answer?.finish();
    });
  }

  /** Opens a stream for what belongs to no request. Of several that stand, the newest gets it. */
  openStanding(response: ServerResponse, { primes }: StreamTerms): void {
    this.#streams.open('standing', response, primes);
    this.#sendWaiting();
  }

  /** Goes on with a stream behind the event that a client read last. */
  resume(response: ServerResponse, lastEventId: string, { primes }: StreamTerms): Resumption {
    const resumption = this.#streams.resume(response, lastEventId, primes);
    if (resumption === 'resumed') this.#sendWaiting();
    return resumption;
  }

  send(frame: Frame, relatedTo?: IdToken): void {
    if (this.#ended) return;
    if (frame.kind === 'response') {
      this.#respond(frame);
      return;
    }
    const answer = relatedTo === undefined ? undefined : this.#answers.get(relatedTo);
    if (answer?.send(frame) === true) return;
    const isLeft =
      answer !== undefined || (relatedTo !== undefined && this.#abandoned.has(relatedTo));
    if (isLeft && frame.kind === 'notify') this.#discard(frame);
    else if (this.#streams.standing?.send(frame) === true) return;
    else if (isLeft) this.#discard(frame);
    else this.#enqueue(frame);
  }

  drop(id: IdToken): void {
    const answer = this.#answers.get(id);
    this.#forget(id);
    answer?.drop();
  }

  /** Ends the session, whoever wants it; open requests are answered with an error first. */
  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#idle);
    const error = makeError(ErrorCode.internalError, 'The session ended before the answer.');
    for (const [id, answer] of this.#answers) answer.respond({ kind: 'response', id, error });
    this.#answers.clear();
    this.#streams.close();
    this.#onEnd(this);
    this.#listener?.onClose();
  }

  #connectionOptions(): EventStreamOptions {
    return {
      headers: { 'Mcp-Session-Id': this.id },
      keepAliveMs: this.#options.keepAliveMs,
      settleMs: this.#options.settleMs,
      onOverflow: () => this.#options.report('A client does not read its stream; it was cut off.'),
    };
  }

  /** `terms` are absent for the answer that makes the session known: nobody can come back for it. */
  #expect(
    ids: readonly IdToken[],
    asArray: boolean,
    response: ServerResponse,
    terms: StreamTerms | undefined,
  ): Answer {
    const { keepAliveMs, patienceMs } = this.#options;
    const connection = this.#connectionOptions();
    const primes = terms?.primes === true;
    const answer = new Answer(
      response,
      ids.length,
      asArray,
      {
        headers: connection.headers,
        // Without a byte for too long a client takes the server for dead; most wait a minute for the head.
        patienceMs: !primes ? keepAliveMs : terms.prefersStream ? 0 : patienceMs,
        open: (to) =>
          terms === undefined
            ? new EventStream(to, connection)
            : this.#streams.open('request', to, primes),
      },
      () => this.#onGone(ids),
    );
    for (const id of ids) this.#answers.set(id, answer);
    return answer;
  }

  #onGone(ids: readonly IdToken[]): void {
    if (this.#ended) return;
    for (const id of ids) {
      if (!this.#answers.delete(id)) continue;
      this.#abandoned.add(id);
      this.#listener?.onAbandoned(id);
    }
    this.touch();
    // Nobody knows the id of a session whose opening was never answered.
    if (this.#opening !== undefined && ids.includes(this.#opening)) this.close();
  }

  #respond(frame: ResponseFrame): void {
    const answer = frame.id === undefined ? undefined : this.#answers.get(frame.id);
    if (frame.id === undefined || answer === undefined) {
      if (frame.id !== undefined) this.#abandoned.delete(frame.id);
      this.#discard(frame);
      return;
    }
    this.#forget(frame.id);
    answer.respond(frame);
    if (frame.id !== this.#opening) return;
    this.#opening = undefined;
    if (frame.error !== undefined) this.close();
  }

  #forget(id: IdToken): void {
    this.#answers.delete(id);
    this.#abandoned.delete(id);
    this.touch();
  }

  #sendWaiting(): void {
    const { standing } = this.#streams;
    if (standing === undefined) return;
    for (const frame of this.#waiting.splice(0)) standing.send(frame);
  }

  #enqueue(frame: Frame): void {
    this.#waiting.push(frame);
    if (frame.kind === 'request') {
      setTimeout(() => this.#stopWaiting(frame), this.#options.questionMs).unref();
    }
    const [oldest] = this.#waiting;
    if (this.#waiting.length > this.#options.queueLimit && oldest !== undefined) {
      this.#stopWaiting(oldest);
    }
  }

  #stopWaiting(frame: Frame): void {
    const index = this.#waiting.indexOf(frame);
    if (index < 0 || this.#ended) return;
    this.#waiting.splice(index, 1);
    this.#discard(frame);
  }

  #discard(frame: Frame): void {
    this.#options.report(`Nobody is there to read ${nameOf(frame)}; it was dropped.`);
    if (frame.kind === 'request') this.listener?.onUndeliverable(frame.id);
  }

  #onIdle(): void {
    if (this.isAttended) {
      this.touch();
      return;
    }
    this.#options.report('A session was idle for too long and has ended.');
    this.close();
  }
}
