import { readMessage } from '../../protocol/jsonRpc.ts';
import { peekMessage } from '../messageHead.ts';
import { SAMPLE_BYTES, sampleOf } from '../sample.ts';
import type { ClientTransportListener, Noise } from '../transport.ts';
import { LineReader, MAX_LINE_BYTES, type LineListener } from './lineReader.ts';

/** What a server writes as lines, told to whoever listens at the time. */
export class ServerLines {
  readonly #audience: () => ClientTransportListener | undefined;
  readonly #reader: LineReader;
  readonly #limit: number;
  #inMessage = false;

  /** `audience` gives undefined once nobody wants to hear any more. */
  constructor(audience: () => ClientTransportListener | undefined, maxLineBytes = MAX_LINE_BYTES) {
    this.#audience = audience;
    this.#limit = maxLineBytes;
    this.#reader = new LineReader(this.#lines(), maxLineBytes);
  }

  /** True where the stream has ended in the middle of a message. */
  get endedInMessage(): boolean {
    return this.#inMessage;
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk);
  }

  /** The stream is over. */
  end(): void {
    this.#reader.end();
  }

  #lines(): LineListener {
    const message = `The server's answer is longer than the ${this.#limit} bytes that are read of one message.`;
    let answer: Buffer | undefined;
    return {
      onLine: (line) => this.#receive(line),
      onOversized: (head) => {
        // A request or notification of the server's own must not be taken for the answer somebody waits for.
        answer = peekMessage(head).kind === 'call' ? undefined : head;
        if (answer === undefined) this.#noise('too-large', head);
        else this.#audience()?.onOversized(head);
      },
      onOversizedEnd: (tail) => {
        const { kind, id } = answer === undefined ? { kind: 'call' } : peekMessage(answer, tail);
        answer = undefined;
        if (kind !== 'answer' || id === undefined) return;
        this.#audience()?.onRequestFailed(id, { kind: 'too-large', message });
      },
      onTruncated: (rest) => {
        // A last message without its line break is whole all the same.
        this.#inMessage = looksLikeMessage(rest) && readMessage(rest).kind === 'noise';
        if (!this.#inMessage) this.#receive(rest);
      },
    };
  }

  #receive(line: Buffer, inBatch = false): void {
    const reading = readMessage(line);
    switch (reading.kind) {
      case 'frame':
        this.#audience()?.onFrame(reading.frame, undefined);
        return;
      case 'batch':
        if (inBatch) this.#noise('not-json-rpc', line);
        else for (const message of reading.messages) this.#receive(message, true);
        return;
      case 'noise':
        this.#noise(reading.reason, line);
        if (!inBatch) this.#failAnswer(reading.reason, line);
        return;
    }
  }

  /** An answer that cannot be read but says whose it is ends the wait for it at once. */
  #failAnswer(reason: Noise['reason'], line: Buffer): void {
    const { kind, id } = peekMessage(line, line.subarray(-SAMPLE_BYTES));
    if (kind !== 'answer' || id === undefined) return;
    const what = reason === 'not-utf8' ? 'not UTF-8' : 'no JSON';
    const message = `The server's answer is ${what}, so that it cannot be passed on.`;
    this.#audience()?.onRequestFailed(id, { kind: 'malformed', message });
  }

  #noise(reason: Noise['reason'], line: Buffer): void {
    this.#audience()?.onNoise({ reason, sample: sampleOf(line) });
  }
}

/** A server that dies while logging to stdout leaves half a line too. */
function looksLikeMessage(rest: Buffer): boolean {
  return /^\s*[[{]/.test(rest.toString('latin1', 0));
}
