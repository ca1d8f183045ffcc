import { ErrorCode } from '../../protocol/errorCodes.ts';
import {
  fail,
  type Frame,
  type IdToken,
  type RequestFrame,
  type ResponseFrame,
} from '../../protocol/frame.ts';
import { safeText } from '../sample.ts';
import type { AcceptChannel, ServerChannel, ServerChannelListener } from '../transport.ts';

/** A connection of a client, as far as a conversation is concerned. */
export interface ClientLine {
  /** Answers the request that waits on it; the next one may come. */
  answer(response: ResponseFrame): void;
  /** Closes it, because its request gets no answer. */
  close(): void;
}

export interface ConversationOptions {
  readonly accept: AcceptChannel;
  /** How long a conversation outlives its last connection. */
  readonly idleMs: number;
  readonly report: (message: string) => void;
  readonly onEnd: (conversation: Conversation) => void;
}

interface Waiting {
  readonly request: RequestFrame;
  readonly line: ClientLine;
}

/** What one client says, over however many connections: each answer goes back on the one its request came on. */
export class Conversation implements ServerChannel {
  readonly answersOnly = true;
  readonly #options: ConversationOptions;
  readonly #waiting = new Map<IdToken, Waiting>();
  readonly #lines = new Set<ClientLine>();
  #listener: ServerChannelListener | undefined;
  #idle: NodeJS.Timeout | undefined;
  #told = false;
  #ended = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** True where it has no connection, and its client may never come back. */
  get isLeft(): boolean {
    return this.#lines.size === 0;
  }

  /** Takes a message; false where nobody is there for it, since the first one has to be a request. */
  receive(frame: RequestFrame | Extract<Frame, { kind: 'notify' }>, line: ClientLine): boolean {
    this.#lines.add(line);
    clearTimeout(this.#idle);
    if (frame.kind === 'notify') {
      this.#listener?.onFrame(frame);
      return this.#listener !== undefined;
    }
    if (this.#waiting.has(frame.id)) {
      const message = `The id ${frame.id} is that of a request still open.`;
      line.answer(fail(frame, ErrorCode.invalidRequest, message));
      return true;
    }
    this.#waiting.set(frame.id, { request: frame, line });
    this.#listener ??= this.#options.accept(this, frame);
    this.#listener.onFrame(frame);
    return true;
  }

  /** A connection has gone, and with it whoever would have read the answer to what it asked. */
  leave(line: ClientLine): void {
    if (!this.#lines.delete(line) || this.#ended) return;
    for (const [id, waiting] of this.#waiting) {
      if (waiting.line !== line) continue;
      this.#waiting.delete(id);
      this.#listener?.onAbandoned(id);
    }
    if (this.#lines.size > 0) return;
    this.#idle = setTimeout(() => this.#end(), this.#options.idleMs).unref();
  }

  send(frame: Frame): void {
    if (this.#ended) return;
    if (frame.kind !== 'response') {
      this.#leaveOut(frame);
      return;
    }
    const waiting = frame.id === undefined ? undefined : this.#waiting.get(frame.id);
    if (waiting === undefined) {
      const id = safeText(frame.id ?? 'null');
      this.#options.report(`Nobody is there to read the response to ${id}; it was dropped.`);
      return;
    }
    this.#waiting.delete(waiting.request.id);
    waiting.line.answer(frame);
  }

  drop(id: IdToken): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    // Whoever still reads there learns by it that nothing will come.
    waiting?.line.close();
  }

  close(): void {
    if (this.#ended) return;
    for (const { request, line } of [...this.#waiting.values()]) {
      line.answer(fail(request, ErrorCode.internalError, 'The session ended before the answer.'));
    }
    this.#waiting.clear();
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#idle);
    this.#options.onEnd(this);
    this.#listener?.onClose();
  }

  /** A connection of ZAP carries answers and nothing else to a client. */
  #leaveOut(frame: Exclude<Frame, ResponseFrame>): void {
    if (!this.#told) {
      this.#told = true;
      this.#options.report(
        `Over ZAP a client is told nothing but answers: ${safeText(frame.method)} was left out, and what else the server tells or asks will be.`,
      );
    }
    if (frame.kind === 'request') this.#listener?.onUndeliverable(frame.id);
  }
}
