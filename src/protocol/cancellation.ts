import { notify, type IdToken, type NotifyFrame } from './frame.ts';
import { Method } from './methods.ts';
import { setMember } from './rawEdit.ts';
import { getMember, toRaw, type RawJson } from './rawJson.ts';

/** Which request a message gives up, and why. */
export interface Cancellation {
  readonly id: IdToken;
  readonly reason: RawJson | undefined;
}

/** What `notifications/cancelled` says; undefined for any other, and for one that names no request. */
export function readCancellation({ method, params }: NotifyFrame): Cancellation | undefined {
  if (method !== Method.cancelled || params === undefined) return undefined;
  const id = getMember(params, 'requestId')?.toString('utf8');
  return id === undefined ? undefined : { id, reason: getMember(params, 'reason') };
}

/** The message that gives a request up. */
export function cancellation(id: IdToken, reason?: RawJson): NotifyFrame {
  const params = setMember(toRaw({}), 'requestId', Buffer.from(id));
  const whole = reason === undefined ? params : setMember(params, 'reason', reason);
  return notify(Method.cancelled, whole);
}
