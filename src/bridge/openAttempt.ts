import { ErrorCode, isModernError } from '../protocol/errorCodes.ts';
import { request, type Provenance } from '../protocol/frame.ts';
import type { RawJson } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import { toModernParams } from '../translate/modernRequest.ts';
import type { TransportFailure } from '../transports/transport.ts';
import type { CallOutcome } from './callOutcome.ts';
import type { ClientIdentity } from './client.ts';
import type { Connection } from './connection.ts';
import type { ServerIdentity } from './serverIdentity.ts';

/** What opening a server came to. */
export type Opened =
  | { readonly kind: 'open'; readonly connection: Connection; readonly server: ServerIdentity }
  | { readonly kind: 'failed'; readonly failure: TransportFailure };

/** What trying one era came to. */
export type Attempt = Opened | Other;

/** Not a server of this era, or not in a way that says so. */
export interface Other {
  readonly kind: 'other';
  /** What it did instead. */
  readonly evidence: string;
  /** The same at length, where there is more to say. */
  readonly words?: string;
  /** True where the server said no more than that it does not know or understand the request. */
  readonly unknown: boolean;
  /** The HTTP status of its refusal. */
  readonly status?: number | undefined;
  /** True where it refused in words that only a server of the modern era has. */
  readonly isModern?: boolean;
}

/** A refusal that a server gives to what it does not know; others have reasons of their own. */
const UNKNOWN: ReadonlySet<number> = new Set([
  ErrorCode.invalidRequest,
  ErrorCode.methodNotFound,
  ErrorCode.invalidParams,
]);

export function failed(failure: TransportFailure): Opened {
  return { kind: 'failed', failure };
}

/** A request of the handshake that was answered with an error. */
export function refusedWith(code: number, evidence: string, status?: number): Other {
  // The status is what a modern server says of a method that it does not know, and the body that it is one.
  const isModern = isModernError(code) || (code === ErrorCode.methodNotFound && status === 404);
  const unknown = UNKNOWN.has(code) || isModern;
  return { kind: 'other', evidence, unknown, status, isModern };
}

/** Why an attempt did not open the server, for a person. */
export function reasonOf(attempt: Exclude<Attempt, { kind: 'open' }>): string {
  if (attempt.kind === 'failed') return attempt.failure.message;
  return attempt.words ?? attempt.evidence;
}

/** What is left to say of a server when there is nothing more to try. */
export function settled(attempt: Attempt): Opened {
  if (attempt.kind !== 'other') return attempt;
  const message = `The server could not be opened: ${reasonOf(attempt)}`;
  return failed({ kind: 'malformed', message });
}

/** A request that ended without an answer: of another era, or beyond the question of eras. */
export function unanswered(
  outcome: Exclude<CallOutcome, { kind: 'response' }>,
  to: string,
): Attempt {
  if (outcome.kind === 'timeout') {
    return { kind: 'other', evidence: `it did not answer ${to}`, unknown: false };
  }
  const { failure } = outcome;
  if (failure.kind === 'exited') {
    return { kind: 'other', evidence: failure.message, unknown: false };
  }
  if (failure.kind === 'http-status') {
    const { status, message: words } = failure;
    const evidence = `it answered ${to} with HTTP ${status ?? ''}`;
    return { kind: 'other', evidence, words, unknown: true, status };
  }
  return failed(failure);
}

/** A request of the handshake, whose time the caller keeps. */
export function ask(
  connection: Connection,
  method: string,
  params: RawJson,
  options: {
    headers?: Readonly<Record<string, string>>;
    verbatim?: boolean;
    provenance?: Provenance | undefined;
  },
): Promise<CallOutcome> {
  return new Promise((resolve) => {
    const { provenance } = options;
    const frame = { ...request('0', method, params), ...(provenance && { provenance }) };
    connection.call(frame, { ...options, timed: false, onOutcome: resolve });
  });
}

/** A request of the modern era, which says by itself who sends it and in which revision. */
export function askModern(
  connection: Connection,
  method: string,
  revision: Revision,
  client: ClientIdentity,
): Promise<CallOutcome> {
  const params = toModernParams(undefined, {
    revision,
    clientInfo: client.info,
    clientCapabilities: client.capabilities,
    logLevel: undefined,
  });
  const headers = { 'MCP-Protocol-Version': revision, 'Mcp-Method': method };
  return ask(connection, method, params, { headers });
}

/** The first attempt that opened the server or told why it cannot be, else what the last one came to. */
export function firstDecisive(attempts: readonly Promise<Attempt>[]): Promise<Attempt> {
  return new Promise((resolve) => {
    let left = attempts.length;
    for (const attempt of attempts) {
      void attempt.then((result) => {
        left--;
        if (result.kind !== 'other' || left === 0) resolve(result);
      });
    }
  });
}
