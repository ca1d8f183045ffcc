import { withMeta } from '../protocol/metaEdit.ts';
import { withParams, type IdToken, type NotifyFrame } from '../protocol/frame.ts';
import { Meta } from '../protocol/meta.ts';
import { objectOrEmpty, toRaw, type RawJson } from '../protocol/rawJson.ts';

/**
 * A notification as the stream of this `subscriptions/listen` request has to carry it: its id names the stream
 * (2026-07-28, Subscriptions, Receiving Notifications).
 */
export function withSubscription(frame: NotifyFrame, id: IdToken): NotifyFrame {
  return withParams(frame, subscribed(objectOrEmpty(frame.params), id));
}

/** The result with which a stream ends that nothing went wrong with (2026-07-28, Subscriptions, Graceful Closure). */
export function listenResult(id: IdToken): RawJson {
  return subscribed(toRaw({ resultType: 'complete' }), id);
}

function subscribed(raw: RawJson, id: IdToken): RawJson {
  return withMeta(raw, Meta.subscriptionId, Buffer.from(id));
}
