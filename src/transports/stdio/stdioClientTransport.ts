import type { Frame } from '../../protocol/frame.ts';
import { readMessage } from '../../protocol/jsonRpc.ts';
import type {
  ClientTransport,
  ClientTransportListener,
  Noise,
  TransportFailure,
} from '../transport.ts';
import { describeExit } from './failures.ts';
import { LineReader, MAX_LINE_BYTES, type LineListener } from '../lines/lineReader.ts';
import { MessageWriter } from '../lines/messageWriter.ts';
import { peekMessage } from '../messageHead.ts';
import { spawnServer, type ServerCommand, type ServerProcess } from './spawnServer.ts';
import { SAMPLE_BYTES, sampleOf } from '../sample.ts';

/** How to start a server, and what else to tell of it. */
export interface StdioClientOptions extends ServerCommand {
  readonly maxLineBytes?: number | undefined;
  /** How long the server is waited for after its stdin was closed, and again after it was asked to end. */
  readonly endGraceMs?: number | undefined;
  /** Each line of stderr, which is no error by itself. */
  readonly onStderr?: ((line: string) => void) | undefined;
}

const CLOSED: TransportFailure = {
  kind: 'closed',
  message: 'The connection to the server was closed.',
};

/** Talks to a server over the standard streams of a process that it starts, and ends with all its descendants. */
export class StdioClientTransport implements ClientTransport {
  readonly kind = 'stdio';
  readonly cancelsByClosing = false;

  readonly #options: StdioClientOptions;
  readonly #reader: LineReader;
  readonly #early: Frame[] = [];
  #listener: ClientTransportListener | undefined;
  #process: ServerProcess | undefined;
  #writer: MessageWriter | undefined;
  #inMessage = false;
  #closing: Promise<void> | undefined;
  #closed = false;

  constructor(options: StdioClientOptions) {
    this.#options = options;
    this.#reader = new LineReader(this.#lines(), options.maxLineBytes);
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** The last line of stderr so far: what a server that is slow to start says of itself. */
  lastStderrLine(): string | undefined {
    return this.#process?.lastStderrLine();
  }

  start(listener: ClientTransportListener): void {
    this.#listener = listener;
    this.#process = spawnServer(
      this.#options,
      {
        onStdout: (chunk) => this.#reader.push(chunk),
        onStderr: (line) => this.#options.onStderr?.(line),
        onFailed: (failure) => this.#finish(failure),
        onExit: (exit) => {
          this.#reader.end();
          this.#finish(describeExit(exit, this.#inMessage));
        },
      },
      this.#options.endGraceMs,
    );
    const { stdin } = this.#process;
    if (stdin === undefined) return;
    this.#writer = new MessageWriter(stdin);
    for (const frame of this.#early.splice(0)) this.#writer.send(frame);
  }

  send(frame: Frame): void {
    if (this.#closed || this.#closing !== undefined) return;
    if (this.#writer !== undefined) this.#writer.send(frame);
    else if (this.#process === undefined) this.#early.push(frame);
  }

  /** A session over stdio is the process itself. */
  negotiated(): void {}

  /** Over stdio a request is cancelled by a message. */
  abandon(): void {}

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#writer?.flush();
    await this.#process?.end();
    this.#finish(CLOSED);
  }

  #finish(failure: TransportFailure): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listener?.onClose(this.#closing === undefined ? failure : CLOSED);
  }

  /** Undefined once nobody wants to hear any more. */
  #audience(): ClientTransportListener | undefined {
    return this.#closed || this.#closing !== undefined ? undefined : this.#listener;
  }

  #lines(): LineListener {
    const limit = this.#options.maxLineBytes ?? MAX_LINE_BYTES;
    const message = `The server's answer is longer than the ${limit} bytes that are read of one message.`;
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
