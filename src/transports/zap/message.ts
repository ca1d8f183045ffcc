import type { Frame } from '../../protocol/frame.ts';
import type { ZapFlaw } from '../../protocol/zap/decode.ts';
import { encodeZap } from '../../protocol/zap/encode.ts';
import { MAX_MESSAGE_BYTES, PREFIX_BYTES } from './limits.ts';

/** A message as it leaves, with its length before it; `lost` names what the wire has no place for. */
export type Outgoing =
  | { readonly kind: 'message'; readonly bytes: Buffer; readonly lost?: string }
  | { readonly kind: 'too-large'; readonly length: number };

export function messageOf(frame: Frame): Outgoing {
  const encoded = encodeZap(frame, PREFIX_BYTES);
  const length = encoded.bytes.length - PREFIX_BYTES;
  if (length > MAX_MESSAGE_BYTES) return { kind: 'too-large', length };
  encoded.bytes.writeUInt32BE(length);
  return { kind: 'message', ...encoded };
}

/** What is wrong with a message, as the predicate of a sentence. */
export function describeFlaw(flaw: ZapFlaw): string {
  return {
    short: 'is too short for a message of ZAP',
    'wrong-magic': 'does not begin like a message of ZAP',
    'unknown-version': 'is of a version of ZAP that this bridge does not know',
    'unknown-kind': 'is neither a request nor a response nor a notification',
    'size-out-of-bounds': 'names a size that is not its own',
    'root-out-of-bounds': 'has its root outside of itself',
    'slot-out-of-bounds': 'points outside of itself',
    'slots-overlap': 'points to the same bytes several times',
    'text-not-utf8': 'holds text that is not UTF-8',
    'id-not-json-rpc': 'has an id that is neither a JSON string nor a number',
    'payload-not-json': 'has a payload that is not JSON',
    'unknown-codec': 'has a payload in an encoding that this bridge does not know',
  }[flaw];
}

/** What is wrong with a length, as the predicate of a sentence. */
export function describeLength(length: number): string {
  return length === 0
    ? 'has a length of zero'
    : `is ${length} bytes long, beyond the ${MAX_MESSAGE_BYTES} that are read of one message`;
}
