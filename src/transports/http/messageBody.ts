import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { readMessage, type Reading } from '../../protocol/jsonRpc.ts';
import { idOfCall } from '../messageHead.ts';
import { sampleOf } from '../sample.ts';
import type { Noise } from '../transport.ts';
import type { ErrorReply } from './httpReply.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import { readBody } from './requestBody.ts';
import { mediaType } from './requestHeaders.ts';

/** What the body of a POST holds; `aborted`: the client went away in the middle of it. */
export type MessageBody =
  | { readonly kind: 'message'; readonly reading: Exclude<Reading, { kind: 'noise' }> }
  | { readonly kind: 'refused'; readonly reply: ErrorReply; readonly noise?: Noise }
  | { readonly kind: 'aborted' };

/** A refusal of a POST, for its status and its words. */
export function refuse(
  status: number,
  message: string,
  code: number = ErrorCode.invalidRequest,
): ErrorReply {
  return { status, code, message };
}

function headerProblem(headers: IncomingHttpHeaders): ErrorReply | undefined {
  if (mediaType(headers) !== 'application/json') {
    return refuse(415, 'The Content-Type of a message has to be application/json.');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return refuse(415, 'A message may not be compressed.');
  }
  return undefined;
}

function noiseReply(reason: Noise['reason'], empty: boolean): ErrorReply {
  if (empty) return refuse(400, 'The body is empty.', ErrorCode.parseError);
  return reason === 'not-json-rpc'
    ? refuse(400, 'The body is JSON but no JSON-RPC message.')
    : refuse(400, 'The body is not JSON in UTF-8, or nested too deeply.', ErrorCode.parseError);
}

/** Reads the message, or the array of messages, that a POST holds. */
export async function readMessageBody(request: IncomingMessage): Promise<MessageBody> {
  const problem = headerProblem(request.headers);
  if (problem !== undefined) return { kind: 'refused', reply: problem };
  const body = await readBody(request, MAX_MESSAGE_BYTES);
  if (body.kind === 'aborted') return body;
  if (body.kind === 'too-large') {
    const reply = refuse(413, `A message may be ${MAX_MESSAGE_BYTES} bytes at most.`);
    return { kind: 'refused', reply };
  }
  const { bytes } = body;
  const reading = readMessage(bytes);
  if (reading.kind !== 'noise') return { kind: 'message', reading };
  return {
    kind: 'refused',
    reply: { ...noiseReply(reading.reason, bytes.length === 0), id: idOfCall(bytes) },
    noise: { reason: reading.reason, sample: sampleOf(bytes) },
  };
}
