import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import type { Frame, IdToken } from '../../protocol/frame.ts';
import { readMessage, type Reading } from '../../protocol/jsonRpc.ts';
import { Meta } from '../../protocol/meta.ts';
import { Method } from '../../protocol/methods.ts';
import { getAt, stringOf } from '../../protocol/rawJson.ts';
import { eraOf, isLegacyRevision, REVISIONS } from '../../protocol/revision.ts';
import type { AcceptChannel } from '../transport.ts';
import { sendEmpty, sendError, type ErrorReply } from '../http/httpReply.ts';
import { MAX_BATCH_LENGTH } from '../http/limits.ts';
import { readMessageBody, refuse } from '../http/messageBody.ts';
import { accepts, statedVersion } from '../http/requestHeaders.ts';
import type { Sessions } from './sessions.ts';
import { streamTerms } from './streamTerms.ts';

/** A message of a modern client that has passed the checks every POST has to pass. */
export interface ModernPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly frame: Frame;
  readonly response: ServerResponse;
}

/** Answers one message of a modern client; the seam where the server side of that era joins. */
export type AcceptModern = (post: ModernPost) => void;

/** What handling a POST needs to know. */
export interface PostContext {
  readonly path: string;
  readonly accept: AcceptChannel;
  readonly acceptModern: AcceptModern | undefined;
  readonly sessions: Sessions;
}

/** 400, as the specification wants it for a version this endpoint does not serve. */
export function unsupportedVersion(
  version: string,
  modernServed: boolean,
  id?: IdToken,
): ErrorReply {
  const supported = REVISIONS.filter(
    (revision) => isLegacyRevision(revision) || (modernServed && eraOf(revision) === 'modern'),
  );
  return {
    status: 400,
    code: ErrorCode.unsupportedProtocolVersion,
    message: `Unsupported protocol version. This endpoint serves ${supported.join(', ')}.`,
    id,
    data: { supported, requested: version },
  };
}

const DUPLICATE_ID = refuse(400, 'A request with this id is still open.');

/** Reads a POST and hands its messages to whom they are for; answers it itself where it is no proper one. */
export async function handlePost(
  request: IncomingMessage,
  response: ServerResponse,
  context: PostContext,
): Promise<void> {
  const { accept } = request.headers;
  if (!accepts(accept, 'application/json') || !accepts(accept, 'text/event-stream')) {
    const message = 'Accept has to list both application/json and text/event-stream.';
    sendError(response, refuse(406, message));
    return;
  }
  const body = await readMessageBody(request);
  if (body.kind === 'aborted') return;
  if (body.kind === 'refused') {
    const found = context.sessions.find(request.headers, context.path);
    if (body.noise !== undefined && found.kind === 'session') {
      found.session.listener?.onNoise(body.noise);
    }
    sendError(response, body.reply);
    return;
  }
  deliver(request.headers, body.reading, response, context);
}

function deliver(
  headers: IncomingHttpHeaders,
  reading: Exclude<Reading, { kind: 'noise' }>,
  response: ServerResponse,
  context: PostContext,
): void {
  const frame = reading.kind === 'frame' ? reading.frame : undefined;
  const id = frame?.kind === 'request' ? frame.id : undefined;
  const opens = frame?.kind === 'request' && frame.method === Method.initialize;
  const version = modernVersion(headers, frame, opens);
  if (version !== undefined) {
    if (context.acceptModern !== undefined && frame !== undefined) {
      context.acceptModern({ path: context.path, headers, frame, response });
    } else if (context.acceptModern !== undefined) {
      sendError(response, refuse(400, `Revision ${version} has no arrays of messages.`));
    } else {
      sendError(response, unsupportedVersion(version, context.acceptModern !== undefined, id));
    }
    return;
  }

  const { sessions, path } = context;
  if (opens && headers['mcp-session-id'] === undefined) {
    sessions.open(path).open(context.accept, frame, response);
    return;
  }
  const found = sessions.find(headers, path);
  if (found.kind === 'none') {
    sendError(response, { ...found.reply, id });
    return;
  }
  const { session } = found;
  session.touch();
  if (opens) {
    sendError(response, { ...refuse(400, 'This session is already initialized.'), id });
  } else if (reading.kind === 'batch') {
    const frames = framesOf(headers, reading.messages);
    if (!Array.isArray(frames)) {
      sendError(response, frames);
      return;
    }
    const ids = frames.flatMap((one) => (one.kind === 'request' ? [one.id] : []));
    if (new Set(ids).size < ids.length || ids.some((one) => session.isInFlight(one))) {
      sendError(response, DUPLICATE_ID);
      return;
    }
    session.receiveBatch(frames, response, streamTerms(headers));
    if (ids.length === 0) sendEmpty(response, 202);
  } else if (reading.frame.kind !== 'request') {
    session.listener?.onFrame(reading.frame);
    sendEmpty(response, 202);
  } else if (session.isInFlight(reading.frame.id)) {
    sendError(response, { ...DUPLICATE_ID, id });
  } else {
    session.receive(reading.frame, response, streamTerms(headers));
  }
}

/**
 * The version a message states in the way of the modern era, which makes it a modern one; `initialize` is always a
 * legacy client's, whatever its header says. A version nobody knows is taken for a modern one, so that its client is
 * told what is served.
 */
function modernVersion(
  headers: IncomingHttpHeaders,
  frame: Frame | undefined,
  opens: boolean,
): string | undefined {
  const params = frame === undefined || frame.kind === 'response' ? undefined : frame.params;
  const inBody = params && stringOf(getAt(params, ['_meta', Meta.protocolVersion]));
  if (inBody !== undefined) return inBody;
  if (opens) return undefined;
  const stated = statedVersion(headers);
  return stated.kind === 'modern' || stated.kind === 'unknown' ? stated.version : undefined;
}

/** The messages of an array, or why it is refused. Only revision 2025-03-26 has arrays; it knows no version header. */
function framesOf(headers: IncomingHttpHeaders, messages: readonly Buffer[]): Frame[] | ErrorReply {
  const stated = statedVersion(headers);
  if (stated.kind === 'legacy' && stated.version !== '2025-03-26') {
    return refuse(400, `Revision ${stated.version} has no arrays of messages.`);
  }
  if (messages.length === 0) return refuse(400, 'An array of messages may not be empty.');
  if (messages.length > MAX_BATCH_LENGTH) {
    return refuse(400, `An array may hold ${MAX_BATCH_LENGTH} messages at most.`);
  }
  const frames: Frame[] = [];
  for (const message of messages) {
    const reading = readMessage(message);
    if (reading.kind !== 'frame') return refuse(400, 'An item of the array is no message.');
    if (reading.frame.kind === 'request' && reading.frame.method === Method.initialize) {
      return refuse(400, 'initialize may not be part of an array.');
    }
    frames.push(reading.frame);
  }
  return frames;
}
