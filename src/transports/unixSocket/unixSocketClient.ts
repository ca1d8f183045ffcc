import { connect, type Socket } from 'node:net';
import type { Frame } from '../../protocol/frame.ts';
import { MessageWriter } from '../lines/messageWriter.ts';
import { unread } from '../lines/unread.ts';
import { ServerLines } from '../lines/serverLines.ts';
import type { ClientTransport, ClientTransportListener, TransportFailure } from '../transport.ts';

/** How long the server is waited for after the bridge has ended its side. */
const END_GRACE_MS = 1000;

export interface UnixSocketClientOptions {
  /** Of the socket, or of a named pipe on Windows. */
  readonly path: string;
  readonly maxLineBytes?: number | undefined;
}

const CLOSED: TransportFailure = {
  kind: 'closed',
  message: 'The connection to the server was closed.',
};

function connectFailure(path: string, { code }: NodeJS.ErrnoException): TransportFailure {
  const why: Record<string, string> = {
    ENOENT: 'there is nothing at this path. Is the server running, and is the path right?',
    ECONNREFUSED: 'nobody listens there any more. Start the server again.',
    EACCES: 'you may not open it. Its server has to run under your name, or let you in.',
    ENOTSOCK: 'it is no socket.',
  };
  const known = Object.entries(why).find(([name]) => name === code)?.[1];
  return {
    kind: 'network',
    message: `Cannot connect to the socket ${path}: ${known ?? `the connection failed (${code ?? 'unknown reason'}).`}`,
  };
}

/**
 * Talks to a server that listens on a local socket, in the lines of stdio (2026-07-28, Transports, Custom Transports).
 * The connection is the session; whose process the server is does not concern it.
 */
export class UnixSocketClient implements ClientTransport {
  readonly kind = 'unixSocket';
  readonly cancelsByClosing = false;

  readonly #options: UnixSocketClientOptions;
  readonly #reader: ServerLines;
  readonly #early: Frame[] = [];
  #listener: ClientTransportListener | undefined;
  #socket: Socket | undefined;
  #writer: MessageWriter | undefined;
  #closing: Promise<void> | undefined;
  #closed = false;

  constructor(options: UnixSocketClientOptions) {
    this.#options = options;
    this.#reader = new ServerLines(() => this.#audience(), options.maxLineBytes);
  }

  start(listener: ClientTransportListener): void {
    this.#listener = listener;
    const { path } = this.#options;
    const socket = connect(path);
    this.#socket = socket;
    this.#writer = new MessageWriter(socket);
    for (const frame of this.#early.splice(0)) this.#writer.send(frame);
    let failure: TransportFailure | undefined;
    let isConnected = false;
    socket.once('connect', () => {
      isConnected = true;
    });
    socket.on('data', (chunk: Buffer) => this.#reader.push(chunk));
    socket.on('error', (error) => {
      if (!isConnected) failure = connectFailure(path, error);
    });
    socket.once('close', () => {
      this.#reader.end();
      this.#finish(failure ?? this.#ended());
    });
  }

  send(frame: Frame): void {
    if (this.#closed || this.#closing !== undefined) return;
    if (this.#writer === undefined) this.#early.push(frame);
    else this.#write(frame, this.#writer);
  }

  #write(frame: Frame, writer: MessageWriter): void {
    const refused = unread(frame, writer);
    if (refused === undefined) writer.send(frame);
    else queueMicrotask(() => this.#audience()?.onRequestFailed(refused.id, refused.failure));
  }

  /** Undefined once nobody wants to hear any more. */
  #audience(): ClientTransportListener | undefined {
    return this.#closed || this.#closing !== undefined ? undefined : this.#listener;
  }

  /** A session over a socket is the connection itself. */
  negotiated(): void {}

  /** Over a socket a request is cancelled by a message. */
  abandon(): void {}

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const socket = this.#socket;
    if (socket !== undefined && !socket.destroyed) {
      this.#writer?.flush();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => socket.destroy(), END_GRACE_MS);
        socket.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
        if (socket.connecting) socket.destroy();
        else socket.end();
      });
    }
    this.#finish(CLOSED);
  }

  /** As a process that ends: a new connection may do better. */
  #ended(): TransportFailure {
    const where = this.#reader.endedInMessage ? ' in the middle of a message' : '';
    return { kind: 'exited', message: `The server closed the connection${where}.` };
  }

  #finish(failure: TransportFailure): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listener?.onClose(this.#closing === undefined ? failure : CLOSED);
  }
}
