import type { Socket } from 'node:net';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import {
  fail,
  makeError,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../../protocol/frame.ts';
import type { ZapFlaw, ZapReading } from '../../protocol/zap/decode.ts';
import type { ClientLine } from './conversation.ts';
import { Line } from './line.ts';
import { describeFlaw, describeLength, messageOf } from './message.ts';

/** What a connection of a client brings. */
export interface ServerLineListener {
  onMessage(frame: RequestFrame | NotifyFrame, line: ClientLine): void;
  onClose(line: ClientLine): void;
  report(message: string): void;
}

/** After these flaws it is not even sure that the peer speaks ZAP; the others cost one message. */
const FATAL: ReadonlySet<ZapFlaw> = new Set<ZapFlaw>([
  'short',
  'wrong-magic',
  'unknown-version',
  'unknown-kind',
  'size-out-of-bounds',
  'root-out-of-bounds',
]);

const BINARY =
  'The params are binary (codec 1), which only a peer of their own kind can read; send JSON.';

/** A client's connection: takes one request at a time, and the next one when the answer to that has been read. */
export class ServerLine implements ClientLine {
  readonly #line: Line;
  readonly #listener: ServerLineListener;
  /** What came while a request was open. */
  readonly #next: ZapReading[] = [];
  #busy = false;

  constructor(socket: Socket, listener: ServerLineListener) {
    this.#listener = listener;
    this.#line = new Line(socket, {
      onReading: (reading) => this.#onReading(reading),
      onLost: (problem) => listener.report(`A message of a client ${problem}; it was cut off.`),
      onDrained: () => this.#goOn(),
      onClose: () => listener.onClose(this),
    });
  }

  answer(response: ResponseFrame): void {
    this.#busy = false;
    this.#write(response);
    this.#goOn();
  }

  close(): void {
    this.#line.close();
  }

  /** Closes it once the last answer has left. */
  finish(): void {
    this.#line.finish();
  }

  /** Takes what came meanwhile. */
  #goOn(): void {
    while (!this.#mustWait && this.#next.length > 0) {
      const reading = this.#next.shift();
      if (reading !== undefined) this.#take(reading);
    }
    if (this.#next.length === 0) this.#line.resume();
  }

  get #mustWait(): boolean {
    return this.#busy || this.#line.isFull;
  }

  #onReading(reading: ZapReading): void {
    const isNotify = reading.kind === 'frame' && reading.frame.kind === 'notify';
    if (!this.#mustWait || (isNotify && this.#next.length === 0)) {
      this.#take(reading);
      return;
    }
    this.#next.push(reading);
    this.#line.pause();
  }

  #take(reading: ZapReading): void {
    if (reading.kind === 'refused') {
      this.#refuse(reading);
      return;
    }
    const { frame } = reading;
    switch (frame.kind) {
      case 'response':
        this.#listener.report('A client answered without having been asked; it was ignored.');
        return;
      case 'notify':
        if (frame.otherPayload?.codec === 'binary') this.#listener.report(BINARY);
        else this.#listener.onMessage(frame, this);
        return;
      case 'request':
        if (frame.otherPayload?.codec === 'binary') {
          this.#write(fail(frame, ErrorCode.invalidParams, BINARY));
          return;
        }
        this.#busy = true;
        this.#listener.onMessage(frame, this);
    }
  }

  #refuse({ flaw, of, id }: Extract<ZapReading, { kind: 'refused' }>): void {
    const message = `The message ${describeFlaw(flaw)}.`;
    this.#listener.report(`From a client: ${message}`);
    if (FATAL.has(flaw)) {
      // Nor is it sure then where the next message begins.
      this.#next.length = 0;
      this.#line.close();
    } else if (of === 'request') {
      const code = flaw === 'payload-not-json' ? ErrorCode.parseError : ErrorCode.invalidRequest;
      this.#write({ kind: 'response', id, error: makeError(code, message) });
    }
  }

  #write(response: ResponseFrame): void {
    const outgoing = messageOf(response);
    if (outgoing.kind === 'message') {
      if (outgoing.lost !== undefined) {
        this.#listener.report(`ZAP has no place for ${outgoing.lost}.`);
      }
      this.#line.write(outgoing.bytes);
      return;
    }
    const message = `The answer ${describeLength(outgoing.length)}.`;
    const { id, provenance } = response;
    const error = makeError(ErrorCode.internalError, message);
    const refusal = messageOf({ kind: 'response', id, error, ...(provenance && { provenance }) });
    if (refusal.kind === 'message') this.#line.write(refusal.bytes);
  }
}
