import { request, type Provenance } from '../protocol/frame.ts';
import type { RawJson } from '../protocol/rawJson.ts';
import type { TransportFailure } from '../transports/transport.ts';
import type { CallOutcome } from './callOutcome.ts';
import type { Connection } from './connection.ts';
import type { ServerIdentity } from './serverIdentity.ts';

/** What opening a server came to. */
export type Opened =
  | { readonly kind: 'open'; readonly connection: Connection; readonly server: ServerIdentity }
  | { readonly kind: 'failed'; readonly failure: TransportFailure };

/** What trying one era came to. */
export type Attempt =
  | Opened
  /** Not a server of this era, or not in a way that says so; `evidence` is what it did instead. */
  | { readonly kind: 'other'; readonly evidence: string };

export function failed(failure: TransportFailure): Opened {
  return { kind: 'failed', failure };
}

/** What is left to say of a server when there is nothing more to try. */
export function settled(attempt: Attempt): Opened {
  if (attempt.kind !== 'other') return attempt;
  return failed({
    kind: 'malformed',
    message: `The server could not be opened: ${attempt.evidence}`,
  });
}

/** A request that ended without an answer: of another era, or beyond the question of eras. */
export function unanswered(
  outcome: Exclude<CallOutcome, { kind: 'response' }>,
  to: string,
): Attempt {
  if (outcome.kind === 'timeout') return { kind: 'other', evidence: `it did not answer ${to}` };
  const { failure } = outcome;
  if (failure.kind === 'exited') return { kind: 'other', evidence: failure.message };
  if (failure.kind === 'http-status') {
    return { kind: 'other', evidence: `it answered ${to} with HTTP ${failure.status ?? ''}` };
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
