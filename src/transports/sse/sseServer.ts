import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANSWER_GAP_MS } from '../answerGap.ts';
import type { HttpService } from '../http/httpListener.ts';
import { sendEmpty, sendError } from '../http/httpReply.ts';
import { readMessageBody, refuse } from '../http/messageBody.ts';
import type { AcceptChannel } from '../transport.ts';
import { SseSession, type SseSessionOptions } from './sseSession.ts';

/** Behind the path of the stream: where its clients send their messages. */
const MESSAGES = '/message';

export interface SseServerOptions extends Partial<SseSessionOptions> {
  /** Who serves the event stream at a path; asked for every request. */
  readonly endpoints: (path: string) => AcceptChannel | undefined;
}

/**
 * Serves the clients of HTTP+SSE: a GET of a path opens a session and tells the address that takes its messages
 * (2024-11-05, Transports, HTTP with SSE). A client that tries Streamable HTTP there first learns from the 405 of its
 * POST what it has found (2025-11-25, Transports, Backwards Compatibility).
 */
export function serveSse(options: SseServerOptions): HttpService {
  const sessions = new Map<string, SseSession>();
  const sessionOptions: SseSessionOptions = {
    keepAliveMs: options.keepAliveMs ?? 15_000,
    settleMs: options.settleMs ?? ANSWER_GAP_MS,
    report: options.report ?? ((): void => undefined),
  };

  const open = (path: string, accept: AcceptChannel, response: ServerResponse): void => {
    const session = new SseSession(accept, response, sessionOptions, () =>
      sessions.delete(session.id),
    );
    sessions.set(session.id, session);
    session.announce(`${path}${MESSAGES}`);
  };

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const id = searchParams.get('sessionId');
    if (id === null) {
      sendError(response, refuse(400, 'The address lacks the sessionId that the stream has told.'));
      return;
    }
    const session = sessions.get(id);
    if (session === undefined || session.endpoint !== pathname) {
      const message = 'There is no such session. Open the event stream for a new one.';
      sendError(response, refuse(404, message));
      return;
    }
    const body = await readMessageBody(request);
    if (body.kind === 'aborted') return;
    if (body.kind === 'refused') {
      if (body.noise !== undefined) session.onNoise(body.noise);
      sendError(response, body.reply);
      return;
    }
    const problem = session.receive(body.reading);
    if (problem === undefined) sendEmpty(response, 202);
    else sendError(response, problem);
  };

  return {
    handle: (request, response, path) => {
      const accept = options.endpoints(path);
      if (accept !== undefined) {
        if (request.method === 'GET') open(path, accept, response);
        else refuseMethod(response, 'GET');
        return Promise.resolve();
      }
      const isEndpoint = path.endsWith(MESSAGES);
      if (!isEndpoint || options.endpoints(path.slice(0, -MESSAGES.length)) === undefined) {
        return undefined;
      }
      if (request.method === 'POST') return take(request, response);
      refuseMethod(response, 'POST');
      return Promise.resolve();
    },
    closeAll: () => {
      for (const session of [...sessions.values()]) session.close();
    },
  };
}

function refuseMethod(response: ServerResponse, allowed: string): void {
  const reply = refuse(405, `This address of HTTP+SSE knows ${allowed} alone.`);
  sendError(response, { ...reply, headers: { Allow: allowed } });
}
