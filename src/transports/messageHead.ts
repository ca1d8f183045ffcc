import type { IdToken } from '../protocol/frame.ts';
import { skipSpace, skipString, skipValue } from '../protocol/jsonScanner.ts';
import { stringOf } from '../protocol/rawJson.ts';

/** What can be told of a message that cannot be read: too long, nested too deeply, or broken. */
export interface MessageHead {
  readonly kind: 'call' | 'answer' | 'unknown';
  /** Absent where it stands in a part that was not looked at. */
  readonly id?: IdToken;
}

/** Enough for the members behind a payload. */
const TAIL_BYTES = 1024;

const ID = /^(?:-?\d+|"(?:[^"\\]|\\.)*")$/;

/**
 * The last members of an object. In a complete JSON text nothing but the outermost object can close with its last
 * byte, and a quote right behind a comma opens a string, so these members belong to the envelope.
 */
const LAST_MEMBERS =
  /,\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Looks at the front of such a message and, once it is known, at its end. */
export function peekMessage(head: Buffer, tail?: Buffer): MessageHead {
  let kind: MessageHead['kind'] = 'unknown';
  let id: IdToken | undefined;
  let at = skipSpace(head, 0);
  if (head[at] !== 0x7b) return { kind };
  do {
    const keyStart = skipSpace(head, at + 1);
    const keyEnd = head[keyStart] === 0x22 ? skipString(head, keyStart) : -1;
    if (keyEnd < 0) break;
    const key = stringOf(head.subarray(keyStart, keyEnd));
    if (key === 'method') kind = 'call';
    if ((key === 'result' || key === 'error') && kind === 'unknown') kind = 'answer';

    const valueStart = skipSpace(head, skipSpace(head, keyEnd) + 1);
    const valueEnd = skipValue(head, valueStart);
    // A number at the very end of the head may have lost digits.
    if (valueEnd < 0 || valueEnd >= head.length) break;
    if (key === 'id') id = head.toString('utf8', valueStart, valueEnd);
    at = skipSpace(head, valueEnd);
  } while (head[at] === 0x2c);

  id ??= tail === undefined ? undefined : LAST_MEMBERS.exec(tail.toString('utf8'))?.[1];
  return id !== undefined && ID.test(id) ? { kind, id } : { kind };
}

/** The id under which a request that cannot be read is to be refused; undefined where it is none, or hides its id. */
export function idOfCall(message: Buffer): IdToken | undefined {
  const { kind, id } = peekMessage(message, message.subarray(-TAIL_BYTES));
  // The id of an answer is one of the bridge's own, and would be taken for one of the client's.
  return kind === 'call' ? id : undefined;
}
