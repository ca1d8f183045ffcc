import type { ServerResponse } from 'node:http';
import type { ErrorFrame, Frame, ResponseFrame } from '../../protocol/frame.ts';
import { writeMessage } from '../../protocol/jsonRpc.ts';
import { batchBytes, sendEmpty, sendJson } from '../http/httpReply.ts';

/** The event stream that an answer may become. */
export interface AnswerStream {
  /** True while a client is there. */
  readonly isConnected: boolean;
  /** True where a client that has gone may come back for it. */
  readonly isResumable: boolean;
  /** False where the message has no way to the client. */
  send(frame: Frame): boolean;
  end(): void;
  comment(): void;
}

export interface AnswerOptions {
  /** The headers of a plain body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly open: (response: ServerResponse) => AnswerStream;
  /** How long the answer is waited for before the stream is opened; 0 opens it at once. */
  readonly patienceMs: number;
  /** The HTTP status of a response that is a plain body; 200 where absent. */
  readonly statusOf?: (frame: ResponseFrame) => number;
}

/**
 * The reply to one POST that holds requests. It stays a plain JSON body where the answer is the first thing to say; a
 * message before the answer, or a long silence, turns it into an event stream that ends with the answer.
 */
export class Answer {
  readonly #response: ServerResponse;
  readonly #options: AnswerOptions;
  readonly #asArray: boolean;
  readonly #responses: ResponseFrame[] = [];
  #missing: number;
  readonly #silence: NodeJS.Timeout | undefined;
  #stream: AnswerStream | undefined;
  #answered = false;

  /** `requests` is how many of them the POST holds. */
  constructor(
    response: ServerResponse,
    requests: number,
    asArray: boolean,
    options: AnswerOptions,
    onAbandoned: () => void,
  ) {
    this.#missing = requests;
    this.#asArray = asArray;
    this.#response = response;
    this.#options = options;
    if (options.patienceMs === 0) this.#open();
    else this.#silence = setTimeout(() => this.#open().comment(), options.patienceMs);
    response.once('close', () => {
      clearTimeout(this.#silence);
      if (!this.#answered && this.#stream?.isResumable !== true) onAbandoned();
    });
  }

  /** True while a client waits for the reply. */
  get isAttended(): boolean {
    return this.#stream?.isConnected ?? !this.#response.destroyed;
  }

  /** A notification or a question that belongs to these requests; false where it has no way to the client here. */
  send(frame: Frame): boolean {
    return this.#open().send(frame);
  }

  /** One response. The last one that the POST waits for ends the reply. */
  respond(frame: ResponseFrame): void {
    if (this.#answered) return;
    this.#responses.push(frame);
    this.drop();
  }

  /** One request will have no response. */
  drop(): void {
    this.#missing--;
    if (this.#missing <= 0) this.finish();
  }

  /** Ends the reply with an error that speaks of the POST as a whole. */
  refuse(error: ErrorFrame): void {
    if (this.#answered) return;
    this.#answered = true;
    clearTimeout(this.#silence);
    if (this.#stream === undefined) sendJson(this.#response, 400, writeMessage(error));
    else {
      this.#stream.send(error);
      this.#stream.end();
    }
  }

  /**
   * Ends the reply with the responses there are. Those to an array are one array again, but events of their own where a
   * stream is open: no known client reads an array there. Where the client cancelled all that it asked, nothing is left
   * to say: 202, which every known client takes for the end.
   */
  finish(): void {
    if (this.#answered) return;
    this.#answered = true;
    clearTimeout(this.#silence);
    const [only] = this.#responses;
    if (this.#stream !== undefined) {
      for (const frame of this.#responses) this.#stream.send(frame);
      this.#stream.end();
    } else if (only === undefined) {
      sendEmpty(this.#response, 202);
    } else if (this.#asArray) {
      sendJson(this.#response, 200, batchBytes(this.#responses), this.#options.headers);
    } else {
      const status = this.#options.statusOf?.(only) ?? 200;
      sendJson(this.#response, status, writeMessage(only), this.#options.headers);
    }
  }

  #open(): AnswerStream {
    clearTimeout(this.#silence);
    this.#stream ??= this.#options.open(this.#response);
    return this.#stream;
  }
}
