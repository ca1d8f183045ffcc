import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import type { AcceptChannel, ServerTransport } from '../transport.ts';
import { sendEmpty, sendError } from '../http/httpReply.ts';
import { refusalOf } from '../http/loopbackGuard.ts';
import { handlePost, unsupportedVersion, type AcceptModern } from './postHandler.ts';
import { accepts, statedVersion } from '../http/requestHeaders.ts';
import type { SessionOptions } from './session.ts';
import { Sessions } from './sessions.ts';

/** Longer than the pauses between an agent's calls, so that its connections are not opened anew for each. */
const CONNECTION_KEEP_ALIVE_MS = 65_000;
/** What was said last leaves in a later turn; so long it has for that. */
const FAREWELL_MS = 50;

export interface StreamableHttpServerOptions extends Partial<SessionOptions> {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Who serves a path; asked for every request, so that endpoints may come and go. */
  readonly endpoints: (path: string) => AcceptChannel | undefined;
  /** Where given, every request has to bring it as its bearer token. */
  readonly token?: string | undefined;
  /** Where absent, modern clients are told which revisions are served. */
  readonly acceptModern?: AcceptModern;
}

export type Listening =
  | { readonly kind: 'listening'; readonly port: number; readonly transport: ServerTransport }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Starts a listener on 127.0.0.1 for the clients of Streamable HTTP: those of revisions 2025-03-26 to 2025-11-25 in
 * sessions of their own, and each message of later ones on its own.
 *
 * Invariants: what does not come from this machine, or lacks the token, is turned away before its path, method or body
 * is looked at; nothing a client sends ends the listener.
 */
export function listenStreamableHttp(options: StreamableHttpServerOptions): Promise<Listening> {
  const report = options.report ?? ((): void => undefined);
  const sessions = new Sessions({
    keepAliveMs: options.keepAliveMs ?? 15_000,
    settleMs: options.settleMs ?? 1,
    idleMs: options.idleMs ?? 30 * 60_000,
    questionMs: options.questionMs ?? 30_000,
    queueLimit: options.queueLimit ?? 256,
    report,
  });
  const server = createServer((request, response) => {
    const port = request.socket.localPort ?? 0;
    // Streams report a peer that has gone as an error, which would end the process if nobody listened.
    response.on('error', () => undefined);
    route(request, response, port, options, sessions).catch((error: unknown) => {
      report(`Serving a request failed: ${String(error)}`);
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
      resolve({ kind: 'failed', message: `Cannot listen on ${where}: ${error.code ?? 'error'}.` });
    });
    server.listen(options.port ?? 0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const close = (): Promise<void> => closeServer(server, sessions);
      const transport = { address: `http://127.0.0.1:${port}`, close };
      resolve({ kind: 'listening', port, transport });
    });
  });
}

function closeServer(server: Server, sessions: Sessions): Promise<void> {
  return new Promise((resolve) => {
    const rest = setTimeout(() => server.closeAllConnections(), FAREWELL_MS);
    server.close(() => {
      clearTimeout(rest);
      resolve();
    });
    sessions.closeAll();
    server.closeIdleConnections();
  });
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  options: StreamableHttpServerOptions,
  sessions: Sessions,
): Promise<void> {
  const code = ErrorCode.invalidRequest;
  const refusal = refusalOf(request, port, options.token);
  if (refusal !== undefined) {
    const headers: Record<string, string> =
      refusal.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    sendError(response, { ...refusal, code, headers });
    return;
  }
  const path = request.url?.split('?', 1)[0] ?? '/';
  const accept = options.endpoints(path);
  if (accept === undefined) {
    sendError(response, { status: 404, code, message: 'There is no endpoint at this path.' });
    return;
  }
  switch (request.method) {
    case 'POST': {
      const { acceptModern } = options;
      await handlePost(request, response, { path, accept, acceptModern, sessions });
      return;
    }
    case 'GET':
    case 'DELETE':
      handleSessionRequest(request, response, path, options, sessions);
      return;
    default: {
      const message = 'An endpoint knows POST, GET and DELETE.';
      const headers = { Allow: 'GET, POST, DELETE' };
      sendError(response, { status: 405, code, message, headers });
    }
  }
}

/** GET opens the standing stream of a session, DELETE ends the session. */
function handleSessionRequest(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  options: StreamableHttpServerOptions,
  sessions: Sessions,
): void {
  const { headers } = request;
  const code = ErrorCode.invalidRequest;
  const stated = statedVersion(headers);
  if (stated.kind === 'modern') {
    // That era has neither (2026-07-28, Streamable HTTP, Earlier Streamable HTTP Revisions).
    const message = 'This revision has only POST.';
    sendError(response, { status: 405, code, message, headers: { Allow: 'POST' } });
    return;
  }
  if (stated.kind === 'unknown') {
    sendError(response, unsupportedVersion(stated.version, options.acceptModern !== undefined));
    return;
  }
  if (request.method === 'GET' && !accepts(headers.accept, 'text/event-stream')) {
    sendError(response, { status: 406, code, message: 'Accept has to list text/event-stream.' });
    return;
  }
  const found = sessions.find(headers, path);
  if (found.kind === 'none') {
    sendError(response, found.reply);
  } else if (request.method === 'DELETE') {
    found.session.close();
    sendEmpty(response, 200);
  } else if (found.session.hasStanding) {
    sendError(response, { status: 409, code, message: 'This session has its stream already.' });
  } else {
    found.session.openStanding(response);
  }
}
