import { STATUS_CODES, type IncomingHttpHeaders } from 'node:http';
import { readMessage } from '../../protocol/jsonRpc.ts';
import type { TransportFailure } from '../transport.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import { sampleOf, safeText } from '../sample.ts';

/** What a person may be told of where a request went: never the path, the query or credentials. A socket is its own origin. */
export interface Place {
  readonly origin: string;
  readonly secrets: readonly string[];
}

/** The code of an error that a proxy caused by closing the connection. */
export const PROXY_CLOSED = 'PROXY_CLOSED';

/** What the codes of Node and undici mean to a person. */
const MEANING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there. Is the server running?',
  ENOENT: 'there is no such socket. Is the server running?',
  EACCES: 'its socket is not yours to open.',
  ENOTFOUND: 'its name is unknown. Is the address right?',
  EAI_AGAIN: 'its name could not be looked up. Is the network up?',
  ECONNRESET: 'it closed the connection.',
  UND_ERR_SOCKET: 'it closed the connection.',
  UND_ERR_CONNECT_TIMEOUT: 'it did not take the connection in time.',
  ETIMEDOUT: 'it did not take the connection in time.',
  EHOSTUNREACH: 'there is no way to it.',
  ENETUNREACH: 'there is no way to it.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not from an authority that this machine trusts.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS. Is its address one of http://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS. Is its address one of http://?',
  ERR_INVALID_CHAR: 'the address or a configured header is not valid for HTTP.',
  UND_ERR_INVALID_ARG: 'the address or a configured header is not valid for HTTP.',
  [PROXY_CLOSED]: 'the proxy of the environment closed the connection.',
  UND_ERR_ABORTED: 'the proxy of the environment refused the connection.',
  ERR_INVALID_URL: 'the proxy address of the environment is not a URL.',
};

/** How a page for a browser begins. */
const PAGE = /^\uFEFF?\s*<(!doctype|html)\b/i;

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w+$/.test(code) ? code : 'unknown reason';
}

/**
 * No response, or (`answering`) one that broke off. The texts of errors are not passed on: some repeat what was sent.
 */
export function networkFailure(place: Place, error: unknown, answering: boolean): TransportFailure {
  const code = codeOf(error);
  if (answering) {
    const message = `${place.origin}: the connection broke before the answer was complete (${code}).`;
    return { kind: 'network', message };
  }
  const meaning = MEANING[code];
  const why = meaning === undefined ? `the connection failed (${code}).` : `${meaning} (${code})`;
  return { kind: 'network', message: `Cannot reach ${place.origin}: ${why}` };
}

/** A response that tells of a failure by its status. */
export function statusFailure(
  place: Place,
  status: number,
  headers: IncomingHttpHeaders,
  body: Buffer,
): TransportFailure {
  const phrase = STATUS_CODES[status];
  const head = `${place.origin} answered with HTTP ${status}${phrase === undefined ? '' : ` (${phrase})`}`;
  const words = wordsOf(place, headers, body);
  const hint = status === 404 && words === '' ? ' Is the path right? It often is /mcp.' : '';
  const message = words === '' ? `${head}.${hint}` : `${head}: ${words}`;
  if (status !== 401 && status !== 403) return { kind: 'http-status', status, message };
  const challenge = headers['www-authenticate'];
  return {
    kind: 'unauthorized',
    status,
    message,
    ...(typeof challenge === 'string' && { challenge }),
  };
}

/** What the body of a failure says to a person; empty where it says nothing, or is a page for a browser. */
export function wordsOf(place: Place, headers: IncomingHttpHeaders, body: Buffer): string {
  const isPage =
    /^text\/html\b/i.test(headers['content-type'] ?? '') ||
    PAGE.test(body.toString('latin1', 0, 256));
  if (isPage) return '';
  const reading = readMessage(body);
  const error =
    reading.kind === 'frame' && reading.frame.kind === 'response' ? reading.frame.error : undefined;
  return error === undefined
    ? sampleOf(body, undefined, place.secrets)
    : safeText(error.message, place.secrets);
}

/** The bridge itself failed at an answer, for whatever reason. */
export function handlingFailure(place: Place, error: unknown): TransportFailure {
  const reason = safeText(String(error), place.secrets);
  const message = `The bridge failed to handle what ${place.origin} sent: ${reason}`;
  return { kind: 'malformed', message };
}

export function tooLarge(place: Place): TransportFailure {
  const message = `${place.origin} sent a message of more than ${MAX_MESSAGE_BYTES} bytes.`;
  return { kind: 'too-large', message };
}

/** A success that holds no message, or none that answers. */
export function malformed(place: Place, what: string): TransportFailure {
  return { kind: 'malformed', message: `${place.origin} ${what}` };
}

export function endedEarly(place: Place): TransportFailure {
  return {
    kind: 'network',
    message: `${place.origin}: the server closed the stream before answering.`,
  };
}
