import { ErrorCode } from '../protocol/errorCodes.ts';
import { fail, type RequestFrame, type ResponseFrame } from '../protocol/frame.ts';
import { errorForModern } from '../translate/modernError.ts';
import { isErrorResult } from '../translate/results/toolResult.ts';
import type { ClientIdentity } from './client.ts';
import type { Exchange } from './exchange.ts';
import type { HeldCall } from './heldCall.ts';

/**
 * The error that takes the place of a failure which only the client could have averted: the server asked for something
 * that the client did not say it can be asked (2026-07-28, Overview, `_meta`). Undefined where it was not so.
 */
export function lackedBy(
  { lacking }: HeldCall,
  request: RequestFrame,
  { error, result }: ResponseFrame,
): ResponseFrame | undefined {
  const failed = error !== undefined || isErrorResult(result);
  if (!failed || lacking === undefined) return undefined;
  const names = Object.keys(lacking).join(', ');
  const message = `The server needs a capability that was not declared: ${names}.`;
  return fail(request, ErrorCode.missingRequiredClientCapability, message, {
    requiredCapabilities: lacking,
  });
}

/** Hands over the answer of a legacy server, its error under the code that the client's revision has for it. */
export function respondInModernWords(
  exchange: Exchange,
  frame: ResponseFrame,
  profile: ClientIdentity['profile'],
): void {
  const { method, params } = exchange.request;
  const error = frame.error && errorForModern(method, frame.error, params, profile);
  if (frame.error === undefined || error === undefined || error === frame.error) {
    exchange.respond(frame);
    return;
  }
  exchange.note([
    {
      feature: 'error-code',
      path: '/code',
      before: `code ${frame.error.code}`,
      after: `code ${error.code}`,
      loss: 'none',
    },
  ]);
  exchange.respond({ ...frame, error });
}
