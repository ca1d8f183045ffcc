import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** The lines of stdio over a socket, for the clients of any SDK; they have only transports that start a process. */
export class SocketClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #path: string;
  readonly #lines = new ReadBuffer();
  #socket: Socket | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async start(): Promise<void> {
    const socket = connect(this.#path);
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#lines.append(chunk);
      this.#read();
    });
    socket.on('close', () => this.onclose?.());
    socket.on('error', (error) => this.onerror?.(error));
    await once(socket, 'connect');
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket?.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#socket?.end();
  }

  #read(): void {
    for (;;) {
      try {
        const message = this.#lines.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }
}
