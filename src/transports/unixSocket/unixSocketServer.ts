import { createServer, type Server } from 'node:net';
import { LineServer } from '../lines/lineServer.ts';
import { listenPrivately, makeWay } from '../socketFile.ts';
import type { AcceptChannel, ServerTransport } from '../transport.ts';

export interface UnixSocketServerOptions {
  /** Of the socket to make, or of a named pipe on Windows. */
  readonly path: string;
  readonly accept: AcceptChannel;
  /** How long an answer is waited for once a client has ended its side, counted anew from each answer. */
  readonly lastAnswersMs?: number | undefined;
  /** How long a client for which too much waits may take nothing of it. */
  readonly stalledMs?: number | undefined;
  /** What went wrong without being anybody's answer, for a log. */
  readonly report?: ((message: string) => void) | undefined;
  /** A client has gone that had not got all its answers. */
  readonly onUnanswered?: ((requests: number) => void) | undefined;
}

export type SocketListening =
  | { readonly kind: 'listening'; readonly transport: ServerTransport }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Starts a listener on a local socket. Each connection is one conversation in the lines of stdio (2026-07-28,
 * Transports, Custom Transports), of a client of either era.
 */
export async function listenUnixSocket(options: UnixSocketServerOptions): Promise<SocketListening> {
  const { path } = options;
  // A named pipe of Windows is no file, and leaves nothing behind.
  const obstacle = process.platform === 'win32' ? undefined : await makeWay(path);
  if (obstacle !== undefined) return { kind: 'failed', message: obstacle };
  const connections = new Set<LineServer>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new LineServer(options.accept, {
      input: socket,
      output: socket,
      lastAnswersMs: options.lastAnswersMs,
      stalledMs: options.stalledMs,
      report: options.report,
      onClose: (unanswered) => {
        connections.delete(connection);
        if (unanswered > 0) options.onUnanswered?.(unanswered);
        void connection.close();
      },
    });
    connections.add(connection);
  });
  return new Promise((resolve) => {
    // One client that could not be let in later is no end for the others.
    server.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ kind: 'failed', message: describe(path, error) });
    });
    listenPrivately(server, path, () => {
      const close = (): Promise<void> => closeAll(server, connections);
      resolve({ kind: 'listening', transport: { address: path, close } });
    });
  });
}

function describe(path: string, { code = 'error' }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Something listens at ${path} already.`;
    case 'EACCES':
      return `The socket ${path} cannot be made: you may not write into its folder.`;
    case 'EINVAL':
      return `The socket ${path} cannot be made: the system refuses the path; it may be too long (about 100 bytes are the most).`;
    default:
      return `Cannot listen on ${path}: ${code}.`;
  }
}

/** The file goes with the listener. */
async function closeAll(server: Server, connections: ReadonlySet<LineServer>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await Promise.all([...connections].map((connection) => connection.close()));
  await closed;
}
