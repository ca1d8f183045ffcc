import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { ANSWER_GAP_MS } from '../answerGap.ts';
import type { AcceptChannel } from '../transport.ts';
import { sendEmpty, sendError } from '../http/httpReply.ts';
import { MAX_MESSAGE_BYTES } from '../http/limits.ts';
import {
  listenHttp,
  type HttpListenerOptions,
  type HttpService,
  type Listening,
} from '../http/httpListener.ts';
import { handlePost, unsupportedVersion, type AcceptModern } from './postHandler.ts';
import { accepts, statedVersion } from '../http/requestHeaders.ts';
import { KeptRoom } from './keptRoom.ts';
import type { HttpSession } from './session.ts';
import { Sessions, type SessionsOptions } from './sessions.ts';
import { streamTerms } from './streamTerms.ts';

export interface StreamableHttpOptions extends Partial<SessionsOptions> {
  /** Who serves a path; asked for every request, so that endpoints may come and go. */
  readonly endpoints: (path: string) => AcceptChannel | undefined;
  /** Where absent, modern clients are told which revisions are served. */
  readonly acceptModern?: AcceptModern;
}

export type StreamableHttpServerOptions = StreamableHttpOptions &
  Pick<HttpListenerOptions, 'port' | 'token'>;

/** Four of the largest messages: in a process that an editor may share, and far from what people leave behind. */
const KEPT_BYTES = 4 * MAX_MESSAGE_BYTES;

/**
 * Serves the clients of Streamable HTTP: those of revisions 2025-03-26 to 2025-11-25 in sessions of their own, and each
 * message of later ones on its own.
 */
export function serveStreamableHttp(options: StreamableHttpOptions): HttpService {
  const sessions = new Sessions({
    keepAliveMs: options.keepAliveMs ?? 15_000,
    settleMs: options.settleMs ?? ANSWER_GAP_MS,
    idleMs: options.idleMs ?? 30 * 60_000,
    questionMs: options.questionMs ?? 30_000,
    queueLimit: options.queueLimit ?? 256,
    patienceMs: options.patienceMs ?? 250,
    retryMs: options.retryMs ?? 1000,
    holdMs: options.holdMs,
    keptMs: options.keptMs ?? 60_000,
    room: options.room ?? new KeptRoom(KEPT_BYTES),
    awayLimit: options.awayLimit ?? 100,
    report: options.report ?? ((): void => undefined),
  });
  return {
    handle: (request, response, path) => {
      const accept = options.endpoints(path);
      return accept && handle(request, response, path, accept, options, sessions);
    },
    closeAll: () => sessions.closeAll(),
  };
}

/** Starts a listener of its own for them. */
export function listenStreamableHttp(options: StreamableHttpServerOptions): Promise<Listening> {
  const { port, token, report } = options;
  return listenHttp({ port, token, report, services: [serveStreamableHttp(options)] });
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  accept: AcceptChannel,
  options: StreamableHttpOptions,
  sessions: Sessions,
): Promise<void> {
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
      const code = ErrorCode.invalidRequest;
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
  options: StreamableHttpOptions,
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
  } else {
    openStream(request, response, found.session);
  }
}

/** A new standing stream, or the rest of a stream whose connection ended. */
function openStream(
  { headers }: IncomingMessage,
  response: ServerResponse,
  session: HttpSession,
): void {
  const terms = streamTerms(headers);
  const lastEventId = headers['last-event-id'];
  if (typeof lastEventId !== 'string' || lastEventId === '') {
    session.openStanding(response, terms);
    return;
  }
  const code = ErrorCode.invalidRequest;
  const resumption = session.resume(response, lastEventId, terms);
  switch (resumption) {
    case 'resumed':
      return;
    case 'over': {
      // Clients that come back though they have their answer take this status, and no other, for the end.
      const message = 'Nothing more comes on the stream of this event id.';
      sendError(response, { status: 405, code, message, headers: { Allow: 'GET, POST, DELETE' } });
      return;
    }
    case 'unknown':
      sendError(response, { status: 400, code, message: 'This session has no such event id.' });
  }
}
