import { ErrorCode } from '../protocol/errorCodes.ts';
import { fail, type RequestFrame, type ResponseFrame } from '../protocol/frame.ts';
import type { TransportFailure } from '../transports/transport.ts';

/** How one request to the server ended. */
export type CallOutcome =
  /** `status` is that of the HTTP response, where it was not a success. */
  | { readonly kind: 'response'; readonly frame: ResponseFrame; readonly status?: number }
  | { readonly kind: 'failed'; readonly failure: TransportFailure }
  | { readonly kind: 'timeout'; readonly message: string };

/** The answer a client gets when its request ended without the server's own. */
export function failureFrame(
  request: RequestFrame,
  outcome: Exclude<CallOutcome, { kind: 'response' }>,
): ResponseFrame {
  const message = outcome.kind === 'failed' ? outcome.failure.message : outcome.message;
  return fail(request, ErrorCode.internalError, message);
}

/** The answer to a request of the bridge's own, whichever way it ended. */
export function answerOrFailure(request: RequestFrame, outcome: CallOutcome): ResponseFrame {
  return outcome.kind === 'response' ? outcome.frame : failureFrame(request, outcome);
}
