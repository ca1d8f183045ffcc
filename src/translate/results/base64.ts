import { stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';

const CHUNK = 65_536;
const scratch = Buffer.alloc((CHUNK / 4) * 3);

/**
 * The same bytes in the base64 that every reader takes (RFC 4648, section 4, with padding): the value itself where it is
 * that already; undefined where the text is no base64 of any kind.
 */
export function toStandardBase64(value: RawJson): RawJson | undefined {
  if (isStandard(value.subarray(1, -1))) return value;
  const text = stringOf(value);
  if (text === undefined) return undefined;
  if (isStandard(Buffer.from(text))) return value;
  // A `data:` address, lines of 76 characters, the alphabet of addresses, or no padding: other clothes, the same bytes.
  const digits = text
    .replace(/^data:[^,]{0,256};base64,/i, '')
    .replace(/[\t\n\f\r ]+/g, '')
    .replace(/={1,2}$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const standard = digits + '='.repeat((4 - (digits.length % 4)) % 4);
  return isStandard(Buffer.from(standard)) ? toRaw(standard) : undefined;
}

/** Decodes piece by piece, which is several times faster on megabytes than to look at every character. */
function isStandard(text: Buffer): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.at(-1) !== EQUALS ? 0 : text.at(-2) !== EQUALS ? 1 : 2;
  // The decoder takes the alphabet of addresses for the standard one.
  if (text.includes(DASH) || text.includes(UNDERSCORE)) return false;
  for (let start = 0; start < text.length; start += CHUNK) {
    const end = Math.min(start + CHUNK, text.length);
    const piece = text.toString('latin1', start, end);
    const isLast = end === text.length;
    const bytes = (piece.length / 4) * 3 - (isLast ? padding : 0);
    if (scratch.write(piece, 'base64') !== bytes) return false;
  }
  return true;
}

const EQUALS = 0x3d;
const DASH = 0x2d;
const UNDERSCORE = 0x5f;
