import { toRaw, type RawJson } from './rawJson.ts';

/** A JSON-RPC id exactly as its owner wrote it, quotes and all: `1` and `"1"` are different tokens. */
export type IdToken = string;

/** Where the parts of an envelope stand in the bytes it came in; lets a message leave with the bytes it came with. */
export interface EnvelopeSource {
  readonly bytes: Buffer;
  readonly id: RawJson | undefined;
  readonly payload: RawJson | undefined;
}

/**
 * What is wrong with an envelope whose parts could still be told apart. Every known client drops such a message without
 * a word, so it is never written again as it came.
 */
export type EnvelopeFlaw =
  | 'missing-jsonrpc'
  | 'unknown-member'
  | 'null-params'
  | 'null-member'
  | 'result-and-error'
  | 'malformed-error'
  | 'response-without-outcome';

/**
 * Where a message stands in its conversation and who signed it: carried from one ZAP peer to another, never made up or
 * checked, and left out where JSON-RPC has no place for it.
 */
export interface Provenance {
  readonly session: string;
  /** 64 bits, unsigned. */
  readonly seq: bigint;
  readonly subject: string;
  readonly sig: Buffer;
}

/**
 * A payload that is not JSON (ZAP, codec 1 and 2): `binary` is for peers that both know its type, `none` says that there
 * is none. JSON-RPC leaves it out, so that params, result and error data hold JSON and nothing else.
 */
export interface OtherPayload {
  readonly codec: 'binary' | 'none';
  readonly bytes: Buffer;
}

interface Received {
  /** Absent on a message of our own making. */
  readonly source?: EnvelopeSource;
  readonly flaws?: readonly EnvelopeFlaw[];
  readonly provenance?: Provenance;
  readonly otherPayload?: OtherPayload;
}

export interface RequestFrame extends Received {
  readonly kind: 'request';
  readonly id: IdToken;
  readonly method: string;
  readonly params?: RawJson | undefined;
}

export interface NotifyFrame extends Received {
  readonly kind: 'notify';
  readonly method: string;
  readonly params?: RawJson | undefined;
}

/** An error as its author put it: `raw` is the whole object, `data` a part of it. */
export interface FrameError {
  readonly code: number;
  readonly message: string;
  readonly data?: RawJson | undefined;
  readonly raw: RawJson;
}

export interface ResultFrame extends Received {
  readonly kind: 'response';
  readonly id: IdToken | undefined;
  readonly result: RawJson;
  readonly error?: undefined;
}

export interface ErrorFrame extends Received {
  readonly kind: 'response';
  /** Absent where the peer could not tell which request it answers (JSON-RPC 2.0, section 5: a null id). */
  readonly id: IdToken | undefined;
  readonly error: FrameError;
  readonly result?: undefined;
}

export type ResponseFrame = ResultFrame | ErrorFrame;

/** One MCP message as a value; its payload is raw bytes that nobody has parsed. */
export type Frame = RequestFrame | NotifyFrame | ResponseFrame;

export function makeError(code: number, message: string, data?: unknown): FrameError {
  const value = data === undefined ? { code, message } : { code, message, data };
  return { code, message, data: data === undefined ? undefined : toRaw(data), raw: toRaw(value) };
}

/** The successful reply to a request. */
export function answer(request: RequestFrame, result: RawJson): ResultFrame {
  return addressed(request, { kind: 'response', id: request.id, result });
}

/** The failing reply to a request. */
export function fail(
  request: RequestFrame,
  code: number,
  message: string,
  data?: unknown,
): ErrorFrame {
  const error = makeError(code, message, data);
  return addressed(request, { kind: 'response', id: request.id, error });
}

/** A response as the reply to a request, whichever request its author answered. */
export function reply<R extends ResponseFrame>(request: RequestFrame, response: R): R {
  return addressed(request, { ...response, id: request.id });
}

/** A request, as far as it says where it stands. */
export type Asked = Pick<RequestFrame, 'provenance'>;

/** A notification of our own making about a request: whoever tells clients apart by their sessions finds it there. */
export function concerning(request: Asked, notification: NotifyFrame): NotifyFrame {
  return addressed(request, notification);
}

/** The one place where the session and the number of a request are copied; who signed what follows it stays. */
function addressed<F extends ResponseFrame | NotifyFrame>(request: Asked, frame: F): F {
  const asked = request.provenance;
  if (asked === undefined) return frame;
  const { session, seq } = asked;
  const { subject, sig } = frame.provenance ?? UNSIGNED;
  return { ...frame, provenance: { session, seq, subject, sig } };
}

const UNSIGNED = { subject: '', sig: Buffer.alloc(0) };

export function request(id: IdToken, method: string, params?: RawJson): RequestFrame {
  return { kind: 'request', id, method, params };
}

export function notify(method: string, params?: RawJson): NotifyFrame {
  return { kind: 'notify', method, params };
}

/** The same message under another id; its other bytes stay. */
export function withId<F extends RequestFrame | ResponseFrame>(frame: F, id: IdToken): F {
  return { ...frame, id };
}

/** The same request or notification with other params; its other bytes stay. */
export function withParams<F extends RequestFrame | NotifyFrame>(frame: F, params: RawJson): F {
  return { ...frame, params };
}

/** The same response with another result; its other bytes stay. */
export function withResult(frame: ResultFrame, result: RawJson): ResultFrame {
  return { ...frame, result };
}
