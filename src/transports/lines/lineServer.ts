import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { makeError, type ErrorFrame, type Frame, type IdToken } from '../../protocol/frame.ts';
import { readMessage, type NoiseReason } from '../../protocol/jsonRpc.ts';
import {
  refusalOfAll,
  type AcceptChannel,
  type Noise,
  type ServerChannel,
  type ServerChannelListener,
} from '../transport.ts';
import { LineReader, MAX_LINE_BYTES, type LineListener } from './lineReader.ts';
import { ANSWER_GAP_MS } from '../answerGap.ts';
import { MessageWriter } from './messageWriter.ts';
import { idOfCall, peekMessage } from '../messageHead.ts';
import { sampleOf } from '../sample.ts';

/** The streams to serve on, and the limits that hold on them. */
export interface LineServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxLineBytes?: number | undefined;
  /** How long an answer waits behind a notification. */
  readonly answerGapMs?: number | undefined;
  /** How long an answer is waited for once the input has ended, counted anew from each answer. */
  readonly lastAnswersMs?: number | undefined;
  /** How long a client for which too much waits may take nothing of it. */
  readonly stalledMs?: number | undefined;
  /** What went wrong without being anybody's answer, for a log. */
  readonly report?: ((message: string) => void) | undefined;
  /** What came before there was anybody to tell. */
  readonly onEarlyNoise?: ((noise: EarlyNoise) => void) | undefined;
  /** The conversation is over, or will never begin; `unanswered` requests were given up. Called once. */
  readonly onClose?: ((unanswered: number) => void) | undefined;
}

/** Noise ahead of the first request; `unexpected` is a message, but a notification or a response. */
export interface EarlyNoise {
  readonly reason: Noise['reason'] | 'unexpected';
  readonly sample: string;
}

/** Enough for most calls of a script; clients that end what they started mostly wait less before they use force. */
const LAST_ANSWERS_MS = 5000;
/** How long a client that does not read is waited for at the end. */
const DRAIN_MS = 1000;
/** Of a client that has left so much unread nothing more is read, until it has caught up; */
const MUCH_UNREAD = MAX_LINE_BYTES;
/** one to which so much is said all the same is given up, unless it is merely slow. */
const TOO_MUCH_UNREAD = 4 * MAX_LINE_BYTES;
const STALLED_MS = 10_000;

/**
 * Serves the one client at the other end of a stream of lines.
 *
 * The end of the input does not end what was asked before: scripts write all they want to know and close.
 */
export class LineServer {
  readonly #accept: AcceptChannel;
  readonly #options: LineServerOptions;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writer: MessageWriter;
  readonly #reader: LineReader;
  readonly #channel: ServerChannel;
  #listener: ServerChannelListener | undefined;
  /** How many requests wait for their answer. */
  #open = 0;
  /** Runs once the input has ended. */
  #patience: NodeJS.Timeout | undefined;
  #holding = false;
  #closed = false;
  #stopping: Promise<void> | undefined;

  constructor(accept: AcceptChannel, options: LineServerOptions) {
    this.#accept = accept;
    this.#options = options;
    this.#input = options.input;
    this.#output = options.output;
    this.#writer = new MessageWriter(this.#output, options.answerGapMs ?? ANSWER_GAP_MS);
    this.#reader = new LineReader(this.#lines(), options.maxLineBytes);
    this.#channel = {
      send: (frame) => this.#send(frame),
      drop: () => this.#onAnswered(1),
      close: () => void this.close(),
    };
    this.#input.on('data', this.#onData);
    this.#input.once('end', this.#onInputEnd);
    this.#input.once('error', this.#onGone);
    this.#input.once('close', this.#onInputClosed);
    this.#output.once('error', this.#onGone);
    this.#output.once('close', this.#onGone);
  }

  readonly #onData = (chunk: Buffer): void => this.#reader.push(chunk);

  readonly #onInputEnd = (): void => {
    this.#reader.end();
    if (this.#open === 0) this.#onGone();
    else this.#waitForAnswers();
  };

  readonly #onInputClosed = (): void => {
    // It closes behind its end, too.
    if (this.#patience === undefined) this.#onGone();
  };

  readonly #onGone = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#patience);
    const unanswered = this.#open;
    this.#listener?.onClose();
    this.#options.onClose?.(unanswered);
  };

  #waitForAnswers(): void {
    clearTimeout(this.#patience);
    const limit = this.#options.lastAnswersMs ?? LAST_ANSWERS_MS;
    this.#patience = setTimeout(this.#onGone, this.#open > 0 ? limit : 0);
  }

  #send(frame: Frame): void {
    // A client that has ended its input answers nothing.
    if (frame.kind === 'request' && this.#patience !== undefined) {
      this.#listener?.onUndeliverable(frame.id);
      return;
    }
    this.#write(frame);
    if (frame.kind === 'response') this.#onAnswered(1);
  }

  #write(frame: Frame): void {
    this.#writer.send(frame);
    this.#watchReader();
  }

  #writeBatch(frames: readonly Frame[]): void {
    this.#writer.sendBatch(frames);
    this.#watchReader();
  }

  /** What a client does not read is kept for it, which must not take all the memory there is. */
  #watchReader(): void {
    const { waiting, stalledMs } = this.#writer;
    if (this.#closed || waiting <= MUCH_UNREAD) return;
    const limit = this.#options.stalledMs ?? STALLED_MS;
    if (waiting > TOO_MUCH_UNREAD && stalledMs > limit) {
      this.#options.report?.('A client does not read what it is sent; it was cut off.');
      this.#onGone();
    } else if (!this.#holding) {
      this.#holding = true;
      this.#input.pause();
      // A stream says that it has drained only where it was full, which what leaves little by little never makes it.
      void this.#writer.drained().then(() => {
        this.#holding = false;
        this.#input.resume();
      });
    }
  }

  #onAnswered(requests: number): void {
    this.#open -= requests;
    if (this.#patience !== undefined && !this.#closed) this.#waitForAnswers();
  }

  close(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#input.off('data', this.#onData);
    // Whoever closes is not called back from inside the call.
    setImmediate(this.#onGone);
    await Promise.race([this.#writer.drained(), delay(DRAIN_MS, undefined, { ref: false })]);
    this.#input.destroy();
    // The standard output belongs to the process, which may have more to say.
    if (this.#output !== process.stdout) this.#output.end();
    this.#onGone();
  }

  #lines(): LineListener {
    const limit = this.#options.maxLineBytes ?? MAX_LINE_BYTES;
    const message = `The message is longer than the ${limit} bytes that are read of one message.`;
    let unanswered: Buffer | undefined;
    return {
      onLine: (line) => this.#receive(line),
      onOversized: (head) => {
        this.#noise('too-large', head);
        const { kind, id } = peekMessage(head);
        const known = kind === 'call' && id !== undefined;
        if (known) this.#refuse(ErrorCode.invalidRequest, message, id);
        unanswered = known ? undefined : head;
      },
      onOversizedEnd: (tail) => {
        if (unanswered === undefined) return;
        const { kind, id } = peekMessage(unanswered, tail);
        unanswered = undefined;
        this.#refuse(ErrorCode.invalidRequest, message, kind === 'call' ? id : undefined);
      },
      onTruncated: (rest) => {
        if (readMessage(rest).kind === 'frame') this.#receive(rest);
        else this.#noise('not-json', rest);
      },
    };
  }

  #receive(line: Buffer): void {
    const reading = readMessage(line);
    switch (reading.kind) {
      case 'frame':
        this.#deliver(reading.frame, line);
        return;
      case 'batch':
        this.#receiveBatch(reading.messages, line);
        return;
      case 'noise':
        this.#noise(reading.reason, line);
        this.#write(refusalOf(reading.reason, line));
        return;
    }
  }

  #deliver(frame: Frame, line: Buffer): void {
    if (this.#listener === undefined && frame.kind === 'request') {
      this.#listener = this.#accept(this.#channel, frame);
    }
    if (this.#listener === undefined) {
      this.#earlyNoise('unexpected', line);
      return;
    }
    if (frame.kind === 'request') this.#open++;
    this.#listener.onFrame(frame);
  }

  /** JSON-RPC 2.0, section 6: what is no message is answered in the array, and an empty array by a single error. */
  #receiveBatch(messages: readonly Buffer[], line: Buffer): void {
    const frames: Frame[] = [];
    const refusals: Frame[] = [];
    for (const message of messages) {
      const reading = readMessage(message);
      if (reading.kind === 'frame') frames.push(reading.frame);
      else refusals.push(refusal(ErrorCode.invalidRequest, NOT_A_MESSAGE, idOfCall(message)));
    }
    if (messages.length === 0) this.#refuse(ErrorCode.invalidRequest, 'The batch is empty.');
    const first = frames.find((frame) => frame.kind === 'request');
    if (this.#listener === undefined && first !== undefined) {
      this.#listener = this.#accept(this.#channel, first);
    }
    if (this.#listener === undefined || frames.length === 0) {
      if (frames.length === 0) this.#noise('not-json-rpc', line);
      else this.#earlyNoise('unexpected', line);
      this.#writeBatch(refusals);
      return;
    }
    const requests = frames.filter((frame) => frame.kind === 'request').length;
    this.#open += requests;
    const reply = (answers: readonly Frame[]): void => {
      this.#onAnswered(requests);
      const whole = refusalOfAll(answers);
      if (whole === undefined) this.#writeBatch([...answers, ...refusals]);
      else this.#write(whole);
    };
    this.#listener.onBatch(frames, reply);
  }

  #refuse(code: number, message: string, id?: IdToken): void {
    this.#write(refusal(code, message, id));
  }

  #noise(reason: Noise['reason'], line: Buffer): void {
    if (this.#listener === undefined) this.#earlyNoise(reason, line);
    else this.#listener.onNoise({ reason, sample: sampleOf(line) });
  }

  #earlyNoise(reason: EarlyNoise['reason'], line: Buffer): void {
    this.#options.onEarlyNoise?.({ reason, sample: sampleOf(line) });
  }
}

const NOT_A_MESSAGE = 'This is JSON, but no JSON-RPC message.';

function refusalOf(reason: NoiseReason, line: Buffer): ErrorFrame {
  const id = idOfCall(line);
  if (reason === 'not-json-rpc') return refusal(ErrorCode.invalidRequest, NOT_A_MESSAGE, id);
  const message = 'The line is not JSON in UTF-8, or nested too deeply.';
  return refusal(ErrorCode.parseError, message, id);
}

function refusal(code: number, message: string, id?: IdToken): ErrorFrame {
  return { kind: 'response', id, error: makeError(code, message) };
}
