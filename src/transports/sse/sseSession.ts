import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { makeError, type Frame, type IdToken } from '../../protocol/frame.ts';
import { readMessage, type Reading } from '../../protocol/jsonRpc.ts';
import { EventStream } from '../http/eventStream.ts';
import type { ErrorReply } from '../http/httpReply.ts';
import { MAX_BATCH_LENGTH } from '../http/limits.ts';
import { refuse } from '../http/messageBody.ts';
import type { AcceptChannel, Noise, ServerChannel, ServerChannelListener } from '../transport.ts';

export interface SseSessionOptions {
  readonly keepAliveMs: number;
  readonly settleMs: number;
  /** What went wrong without being anybody's answer, for a log. */
  readonly report: (message: string) => void;
}

/** One client's session over HTTP+SSE: it lasts as long as its event stream, on which all goes that is said to it. */
export class SseSession implements ServerChannel {
  readonly id = randomUUID();
  readonly #accept: AcceptChannel;
  readonly #stream: EventStream;
  readonly #onEnd: () => void;
  /** The requests that are not answered. */
  readonly #open = new Set<IdToken>();
  #endpoint = '';
  #listener: ServerChannelListener | undefined;
  #ended = false;

  constructor(
    accept: AcceptChannel,
    response: ServerResponse,
    options: SseSessionOptions,
    onEnd: () => void,
  ) {
    this.#accept = accept;
    this.#onEnd = onEnd;
    this.#stream = new EventStream(response, {
      headers: {},
      keepAliveMs: options.keepAliveMs,
      settleMs: options.settleMs,
      onOverflow: () => options.report('A client does not read its stream; it was cut off.'),
    });
    response.once('close', () => this.#end());
  }

  /** The path that takes the client's messages. */
  get endpoint(): string {
    return this.#endpoint;
  }

  /** Tells the client where to send its messages. */
  announce(endpoint: string): void {
    this.#endpoint = endpoint;
    this.#stream.tell('endpoint', `${endpoint}?sessionId=${this.id}`);
  }

  /** Takes what one POST holds; gives the reason where it is turned away. */
  receive(reading: Exclude<Reading, { kind: 'noise' }>): ErrorReply | undefined {
    const frames: Frame[] = [];
    for (const message of reading.kind === 'batch' ? reading.messages : []) {
      const item = readMessage(message);
      if (item.kind !== 'frame') return refuse(400, 'An item of the array is no message.');
      frames.push(item.frame);
    }
    if (reading.kind === 'frame') frames.push(reading.frame);
    if (frames.length === 0) return refuse(400, 'An array of messages may not be empty.');
    if (frames.length > MAX_BATCH_LENGTH) {
      return refuse(400, `An array may hold ${MAX_BATCH_LENGTH} messages at most.`);
    }
    const ids = frames.flatMap((frame) => (frame.kind === 'request' ? [frame.id] : []));
    if (new Set(ids).size < ids.length || ids.some((id) => this.#open.has(id))) {
      return { ...refuse(400, 'A request with this id is still open.'), id: ids[0] };
    }
    const listener = this.#listenerFor(frames);
    if (listener === undefined) return refuse(400, 'The first message has to be a request.');
    for (const id of ids) this.#open.add(id);
    if (reading.kind === 'frame') listener.onFrame(reading.frame);
    // No known client reads an array of answers from a stream.
    else listener.onBatch(frames, (replies) => replies.forEach((reply) => this.send(reply)));
    return undefined;
  }

  onNoise(noise: Noise): void {
    this.#listener?.onNoise(noise);
  }

  send(frame: Frame): void {
    if (this.#ended) return;
    if (frame.kind === 'response' && frame.id !== undefined) this.#open.delete(frame.id);
    this.#stream.send(frame);
  }

  drop(id: IdToken): void {
    this.#open.delete(id);
  }

  /** Ends the session, whoever wants it; open requests are answered with an error first. */
  close(): void {
    if (this.#ended) return;
    const error = makeError(ErrorCode.internalError, 'The session ended before the answer.');
    for (const id of this.#open) this.#stream.send({ kind: 'response', id, error });
    this.#stream.end();
    this.#end();
  }

  #listenerFor(frames: readonly Frame[]): ServerChannelListener | undefined {
    const first = frames.find((frame) => frame.kind === 'request');
    if (this.#listener === undefined && first !== undefined) {
      this.#listener = this.#accept(this, first);
    }
    return this.#listener;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#open.clear();
    this.#onEnd();
    this.#listener?.onClose();
  }
}
