import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { listenProblem } from '../listenProblem.ts';
import type { ServerTransport } from '../transport.ts';
import { sendError } from './httpReply.ts';
import { refusalOf, targetOf } from './loopbackGuard.ts';

/** Longer than the pauses between an agent's calls, so that its connections are not opened anew for each. */
const CONNECTION_KEEP_ALIVE_MS = 65_000;
/** Arguments that travel in headers can be long (2026-07-28, Streamable HTTP, Custom Headers). */
const MAX_HEAD_BYTES = 256 * 1024;
/** What was said last leaves in a later turn; so long it has for that. */
const FAREWELL_MS = 50;

/** One transport's part of a listener. */
export interface HttpService {
  /** Answers a request, or gives undefined where its path is none of this transport's. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> | undefined;
  /** Ends every session. */
  closeAll(): void;
}

export interface HttpListenerOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined;
  /** Where given, every request has to bring it as its bearer token. */
  readonly token?: string | undefined;
  readonly services: readonly HttpService[];
  /** What went wrong without being anybody's answer, for a log. */
  readonly report?: ((message: string) => void) | undefined;
}

export type Listening =
  | { readonly kind: 'listening'; readonly port: number; readonly transport: ServerTransport }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Starts a listener on 127.0.0.1.
 *
 * Invariants: what does not come from this machine, or lacks the token, is turned away before its path, method or body
 * is looked at; nothing a client sends ends the listener.
 */
export function listenHttp(options: HttpListenerOptions): Promise<Listening> {
  const server = createServer({ maxHeaderSize: MAX_HEAD_BYTES }, (request, response) => {
    const port = request.socket.localPort ?? 0;
    // Streams report a peer that has gone as an error, which would end the process if nobody listened.
    response.on('error', () => undefined);
    route(request, response, port, options).catch((error: unknown) => {
      options.report?.(`Serving a request failed: ${String(error)}`);
      if (!response.headersSent) {
        const message = 'The bridge failed to handle this request.';
        sendError(response, { status: 500, code: ErrorCode.internalError, message });
      } else if (!response.writableEnded) {
        response.destroy();
      }
    });
  });
  server.keepAliveTimeout = CONNECTION_KEEP_ALIVE_MS;

  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const where = `127.0.0.1:${options.port ?? 0}`;
      const message = listenProblem(where, error, 'Choose another --port.');
      resolve({ kind: 'failed', message });
    });
    server.listen(options.port ?? 0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const close = (): Promise<void> => closeServer(server, options.services);
      const transport = { address: `http://127.0.0.1:${port}`, close };
      resolve({ kind: 'listening', port, transport });
    });
  });
}

function closeServer(server: Server, services: readonly HttpService[]): Promise<void> {
  return new Promise((resolve) => {
    const rest = setTimeout(() => server.closeAllConnections(), FAREWELL_MS);
    server.close(() => {
      clearTimeout(rest);
      resolve();
    });
    for (const service of services) service.closeAll();
    server.closeIdleConnections();
  });
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  { services, token }: HttpListenerOptions,
): Promise<void> {
  const code = ErrorCode.invalidRequest;
  const refusal = refusalOf(request, port, token);
  if (refusal !== undefined) {
    const headers: Record<string, string> =
      refusal.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    sendError(response, { ...refusal, code, headers });
    return;
  }
  const { path } = targetOf(request);
  for (const service of services) {
    const handled = service.handle(request, response, path);
    if (handled !== undefined) return handled;
  }
  sendError(response, { status: 404, code, message: 'There is no endpoint at this path.' });
}
