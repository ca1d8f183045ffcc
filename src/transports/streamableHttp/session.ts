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

export interface SessionOptions {
  readonly keepAliveMs: number;
  readonly settleMs: number;
  /** How long a session may go without a stream and a request before it is given up. */
  readonly idleMs: number;
  /** How long a question waits for the standing stream while none is open. */
  readonly questionMs: number;
  /** How many messages wait for the standing stream while none is open. */
  readonly queueLimit: number;
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
 * A response whose client has gone is dropped and reported: the standing stream may not carry it (2025-11-25,
 * Transports, Listening for Messages from the Server). A notification or a question goes to the standing stream once the
 * request it belongs to is over, or the question's client has gone; a question that finds none then is undeliverable.
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
  #opening: IdToken | undefined;
  #standing: { readonly stream: EventStream; readonly response: ServerResponse } | undefined;
  #ended = false;

  constructor(path: string, options: SessionOptions, onEnd: (session: HttpSession) => void) {
    this.path = path;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#idle = setTimeout(() => this.#onIdle(), options.idleMs).unref();
  }

  /** Delivers the request that opened the session. */
  open(accept: AcceptChannel, first: RequestFrame, response: ServerResponse): void {
    this.#opening = first.id;
    this.#expect([first.id], false, response);
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

  get hasStanding(): boolean {
    return this.#standing !== undefined;
  }

  /** True while this id names a request that is not answered, so that no other may use it. */
  isInFlight(id: IdToken): boolean {
    return this.#answers.has(id) || this.#abandoned.has(id);
  }

  /** Counts as a sign of life of the client. */
  touch(): void {
    if (!this.#ended) this.#idle.refresh();
  }

  receive(request: RequestFrame, response: ServerResponse): void {
    this.#expect([request.id], false, response);
    this.listener?.onFrame(request);
  }

  /** Several messages at once; `response` is answered where one of them is a request. */
  receiveBatch(frames: readonly Frame[], response: ServerResponse): void {
    const ids = frames.flatMap((frame) => (frame.kind === 'request' ? [frame.id] : []));
    const answer = ids.length > 0 ? this.#expect(ids, true, response) : undefined;
    this.listener?.onBatch(frames, (replies) => {
      for (const id of ids) this.#forget(id);
      const whole = refusalOfAll(replies);
      if (whole !== undefined) answer?.refuse(whole);
      for (const reply of replies) if (reply.kind === 'response') answer?.respond(reply);
      answer?.finish();
    });
  }

  /** The stream for what belongs to no request. */
  openStanding(response: ServerResponse): void {
    const stream = new EventStream(response, this.#streamOptions());
    this.#standing = { stream, response };
    response.once('close', () => {
      this.#standing = undefined;
      this.touch();
    });
    for (const frame of this.#waiting.splice(0)) stream.send(frame);
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
    else if (this.#standing?.stream.send(frame) === true) return;
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
    this.#standing?.stream.end();
    this.#onEnd(this);
    this.#listener?.onClose();
  }

  #streamOptions(): EventStreamOptions {
    return {
      headers: { 'Mcp-Session-Id': this.id },
      keepAliveMs: this.#options.keepAliveMs,
      settleMs: this.#options.settleMs,
      onOverflow: () => this.#options.report('A client does not read its stream; it was cut off.'),
    };
  }

  #expect(ids: readonly IdToken[], asArray: boolean, response: ServerResponse): Answer {
    const onGone = (): void => this.#onGone(ids);
    const answer = new Answer(response, ids.length, asArray, this.#streamOptions(), onGone);
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
    if (this.#answers.size > 0 || this.#standing !== undefined) {
      this.touch();
      return;
    }
    this.#options.report('A session was idle for too long and has ended.');
    this.close();
  }
}
