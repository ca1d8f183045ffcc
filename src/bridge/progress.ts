import { withMeta } from '../protocol/metaEdit.ts';
import { withParams, type NotifyFrame, type RequestFrame } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getAt, getMember, kindOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { Exchange } from './exchange.ts';

/**
 * The params of a request under a progress token of the bridge's own. Params by position have no room for one; what to
 * make of them is the server's affair.
 */
export function withProgressToken(request: RequestFrame, token: number): RawJson {
  const params = request.params ?? toRaw({});
  if (kindOf(params) !== 'object') return params;
  const meta = getMember(params, '_meta');
  // Whatever else a client put there is not the bridge's to replace.
  if (meta !== undefined && kindOf(meta) !== 'object') return params;
  return withMeta(params, 'progressToken', toRaw(token));
}

/** Tells a client the news of its request; progress reaches it under its own token, and only if it gave one. */
export function tellClient(exchange: Exchange, frame: NotifyFrame): void {
  if (frame.method !== Method.progress || frame.params === undefined) {
    exchange.notify(frame);
    return;
  }
  const progress = progressOf(exchange.request, frame);
  if (progress !== undefined) exchange.notify(progress);
}

/** Progress of a client's request under its own token; undefined where it gave none. */
export function progressOf(request: RequestFrame, frame: NotifyFrame): NotifyFrame | undefined {
  const token = request.params && getAt(request.params, ['_meta', 'progressToken']);
  if (token === undefined || frame.params === undefined) return undefined;
  return withParams(frame, setMember(frame.params, 'progressToken', token));
}
