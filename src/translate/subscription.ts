import { withParams, type IdToken, type NotifyFrame } from '../protocol/frame.ts';
import { Meta } from '../protocol/meta.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, kindOf, toRaw, type RawJson } from '../protocol/rawJson.ts';

/**
 * A notification as the stream of this `subscriptions/listen` request has to carry it: its id names the stream
 * (2026-07-28, Subscriptions, Receiving Notifications).
 */
export function withSubscription(frame: NotifyFrame, id: IdToken): NotifyFrame {
  const given = frame.params;
  const params = given !== undefined && kindOf(given) === 'object' ? given : toRaw({});
  return withParams(frame, setMember(params, '_meta', subscribed(getMember(params, '_meta'), id)));
}

/** The result with which a stream ends that nothing went wrong with (2026-07-28, Subscriptions, Graceful Closure). */
export function listenResult(id: IdToken): RawJson {
  return setMember(toRaw({ resultType: 'complete' }), '_meta', subscribed(undefined, id));
}

function subscribed(meta: RawJson | undefined, id: IdToken): RawJson {
  const object = meta !== undefined && kindOf(meta) === 'object' ? meta : toRaw({});
  return setMember(object, Meta.subscriptionId, Buffer.from(id));
}
