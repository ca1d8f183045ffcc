import type { IncomingHttpHeaders } from 'node:http';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import type { RequestFrame, ResponseFrame } from '../../protocol/frame.ts';
import type { ParamHeader } from '../../protocol/headerValue.ts';
import { readRequestMeta, versionInMeta } from '../../protocol/requestMeta.ts';
import { isModernRevision, MODERN_REVISIONS } from '../../protocol/revision.ts';
import { ANSWER_GAP_MS } from '../answerGap.ts';
import type { ServerChannel, ServerChannelListener } from '../transport.ts';
import { Answer } from './answer.ts';
import { EventStream } from '../http/eventStream.ts';
import { sendEmpty, sendError, type ErrorReply } from '../http/httpReply.ts';
import { headerMismatch, versionMismatch } from './modernHeaders.ts';
import { unsupportedVersion, type AcceptModern, type ModernPost } from './postHandler.ts';

/** Who serves the modern clients of one path. */
export interface ModernService {
  /** Serves one message; what is sent back belongs to it. */
  readonly accept: (channel: ServerChannel) => ServerChannelListener;
  /** The arguments of a tool that a call has to repeat in headers, as far as they are known. */
  readonly paramHeaders: (tool: string) => readonly ParamHeader[];
}

export interface ModernEndpointOptions {
  readonly service: (path: string) => ModernService | undefined;
  readonly keepAliveMs?: number;
  readonly settleMs?: number;
  /** What went wrong without being anybody's answer, for a log. */
  readonly report?: (message: string) => void;
}

/** The statuses that errors of the protocol have (2026-07-28, Streamable HTTP, Request Metadata). */
const STATUS: ReadonlyMap<number, number> = new Map([
  [ErrorCode.methodNotFound, 404],
  [ErrorCode.headerMismatch, 400],
  [ErrorCode.missingRequiredClientCapability, 400],
  [ErrorCode.unsupportedProtocolVersion, 400],
]);

function statusOf(frame: ResponseFrame): number {
  return frame.error === undefined ? 200 : (STATUS.get(frame.error.code) ?? 200);
}

/**
 * The server's side of Streamable HTTP in the modern era: every POST is a conversation of its own, answered by a plain
 * body or by an event stream, and given up by closing the connection (2026-07-28, Streamable HTTP).
 */
export function serveModern(options: ModernEndpointOptions): AcceptModern {
  return (post) => {
    const service = options.service(post.path);
    if (service === undefined) {
      const message = 'There is no endpoint at this path.';
      sendError(post.response, { status: 404, code: ErrorCode.invalidRequest, message });
      return;
    }
    const { frame, response } = post;
    switch (frame.kind) {
      case 'request': {
        const problem = problemOf(post.headers, frame, service);
        if (problem === undefined) serve(frame, post, service, options);
        else sendError(response, { ...problem, id: frame.id });
        return;
      }
      case 'notify': {
        const listener = service.accept(NOBODY);
        listener.onFrame(frame);
        sendEmpty(response, 202);
        return;
      }
      case 'response': {
        const message = 'In this revision a client sends no responses.';
        sendError(response, { status: 400, code: ErrorCode.invalidRequest, message });
      }
    }
  };
}

/** A notification has no answer. */
const NOBODY: ServerChannel = {
  send: () => undefined,
  drop: () => undefined,
  close: () => undefined,
};

/** Why a request is refused before anybody looks at what it wants. */
function problemOf(
  headers: IncomingHttpHeaders,
  frame: RequestFrame,
  { paramHeaders }: ModernService,
): ErrorReply | undefined {
  const other = versionMismatch(headers, frame);
  if (other !== undefined) return mismatched(other);
  const version = headers['mcp-protocol-version'];
  if (typeof version === 'string' && !isModernRevision(version)) {
    // What shows its era nowhere else may as well be a legacy client, which is told of all that is served.
    const reply = unsupportedVersion(version, true);
    const isLegacy = versionInMeta(frame.params) === undefined;
    const data = { supported: MODERN_REVISIONS, requested: version };
    return isLegacy ? reply : { ...reply, data };
  }
  const reading = readRequestMeta(frame.params);
  if (reading.kind === 'malformed') {
    return { status: 400, code: ErrorCode.invalidParams, message: reading.message };
  }
  const mismatch = headerMismatch(headers, frame, paramHeaders);
  return mismatch === undefined ? undefined : mismatched(mismatch);
}

function mismatched(what: string): ErrorReply {
  return { status: 400, code: ErrorCode.headerMismatch, message: `Header mismatch: ${what}.` };
}

function serve(
  frame: RequestFrame,
  { response }: ModernPost,
  service: ModernService,
  options: ModernEndpointOptions,
): void {
  const { keepAliveMs = 15_000 } = options;
  const connection = {
    headers: {},
    keepAliveMs,
    settleMs: options.settleMs ?? ANSWER_GAP_MS,
    onOverflow: () => options.report?.('A client does not read its stream; it was cut off.'),
  };
  const answer = new Answer(
    response,
    1,
    false,
    {
      headers: {},
      open: (to) => new EventStream(to, connection),
      patienceMs: keepAliveMs,
      statusOf,
    },
    () => listener.onAbandoned(frame.id),
  );
  const listener = service.accept({
    send: (message) => {
      if (message.kind === 'response') answer.respond(message);
      else answer.send(message);
    },
    drop: () => response.destroy(),
    close: () => response.destroy(),
  });
  response.once('close', () => listener.onClose());
  listener.onFrame(frame);
}
