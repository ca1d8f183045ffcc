import { connect, createServer, type Socket } from 'node:net';

import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';

import { createEverythingServer } from '../../fixtures/everythingModern/server.ts';
import { createSurface } from '../../fixtures/everythingModern/surface.ts';
import { loadSdk, loadStdio } from '../../fixtures/olderServers/sdk.ts';
import { createOldServer } from '../../fixtures/olderServers/server.ts';

/** Listens on a socket and gives each connection to a server; ends with the test. */
export async function listen(path: string, serve: (socket: Socket) => unknown): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
}

/** A server that a past SDK makes, one for each connection. */
export async function listenOld(path: string, revision: string): Promise<void> {
  const sdk = await loadSdk(revision);
  const StdioTransport = await loadStdio(revision);
  await listen(path, (socket) => createOldServer(sdk).connect(new StdioTransport(socket, socket)));
}

/** The everything server of 2026-07-28, one for each connection. */
export async function listenModern(path: string): Promise<void> {
  const surface = createSurface();
  await listen(path, (socket) => {
    const transport = new StdioServerTransport(socket, socket);
    serveStdio(() => createEverythingServer(surface), { legacy: 'reject', transport });
  });
}

/** The lines of stdio over a socket, for the clients of any SDK; they have only transports that start a process. */
export class SocketClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #path: string;
  #socket: Socket | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async start(): Promise<void> {
    const socket = connect(this.#path);
    this.#socket = socket;
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    });
    socket.on('close', () => this.onclose?.());
    socket.on('error', (error) => this.onerror?.(error));
    await new Promise<void>((resolve) => socket.once('connect', resolve));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket?.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#socket?.end();
  }
}
