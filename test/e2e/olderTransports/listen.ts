import { createServer, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

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
