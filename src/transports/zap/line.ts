import type { Socket } from 'node:net';
import { decodeZap, type ZapReading } from '../../protocol/zap/decode.ts';
import { describeLength } from './message.ts';
import { MessageReader } from './messageReader.ts';

/** What comes over one connection. */
export interface LineListener {
  onReading(reading: ZapReading): void;
  /** What follows cannot be read; `problem` is the predicate of a sentence about the message. The line is closed. */
  onLost(problem: string): void;
  /** What was written has left, of which there was much. */
  onDrained?(): void;
  /** Called once, whoever closed it; `error` where it broke. */
  onClose(error: NodeJS.ErrnoException | undefined): void;
}

const KEEP_ALIVE_MS = 30_000;

/** One connection that carries messages of ZAP, at either end. */
export class Line {
  readonly #socket: Socket;
  #closed = false;

  constructor(socket: Socket, listener: LineListener) {
    this.#socket = socket;
    let problem: NodeJS.ErrnoException | undefined;
    let ended = false;
    const reader = new MessageReader({
      onMessage: (bytes) => {
        if (!this.#closed) listener.onReading(decodeZap(bytes));
      },
      onLost: (length) => {
        listener.onLost(describeLength(length));
        this.close();
      },
    });
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('drain', () => listener.onDrained?.());
    socket.on('error', (error) => {
      problem = error;
    });
    const gone = (): void => {
      if (ended) return;
      ended = true;
      this.#closed = true;
      listener.onClose(problem);
    };
    // A peer that writes no more reads no more: there is no half of an exchange.
    socket.once('end', () => {
      gone();
      socket.destroy();
    });
    socket.once('close', gone);
  }

  get isOpen(): boolean {
    return !this.#closed;
  }

  /** True while the peer has left so much unread that `onDrained` will follow. */
  get isFull(): boolean {
    return !this.#closed && this.#socket.writableNeedDrain;
  }

  write(bytes: Buffer): void {
    if (!this.#closed) this.#socket.write(bytes);
  }

  /** Reads no more until `resume`, which also keeps the peer's end from being noticed. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** An idle connection keeps no process alive. */
  hold(): void {
    this.#socket.ref();
  }

  letGo(): void {
    this.#socket.unref();
  }

  /** Closes it once what was written has left. */
  finish(): void {
    this.#socket.end();
  }

  /** Closes it at once. */
  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }
}
