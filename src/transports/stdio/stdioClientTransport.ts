import type { Frame } from '../../protocol/frame.ts';
import type { ClientTransport, ClientTransportListener, TransportFailure } from '../transport.ts';
import { describeExit } from './failures.ts';
import { ServerLines } from '../lines/serverLines.ts';
import { MessageWriter } from '../lines/messageWriter.ts';
import { unread } from '../lines/unread.ts';
import { spawnServer, type ServerCommand, type ServerProcess } from './spawnServer.ts';

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
  readonly #reader: ServerLines;
  readonly #early: Frame[] = [];
  #listener: ClientTransportListener | undefined;
  #process: ServerProcess | undefined;
  #writer: MessageWriter | undefined;
  #closing: Promise<void> | undefined;
  #closed = false;

  constructor(options: StdioClientOptions) {
    this.#options = options;
    this.#reader = new ServerLines(() => this.#audience(), options.maxLineBytes);
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
          this.#finish(describeExit(exit, this.#reader.endedInMessage));
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
    if (this.#writer !== undefined) this.#write(frame, this.#writer);
    else if (this.#process === undefined) this.#early.push(frame);
  }

  #write(frame: Frame, writer: MessageWriter): void {
    const refused = unread(frame, writer);
    if (refused === undefined) writer.send(frame);
    else queueMicrotask(() => this.#audience()?.onRequestFailed(refused.id, refused.failure));
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
}
