/**
 * Finds where JSON values end, without building them.
 *
 * Invariant: nothing a peer sends throws out of here; malformed input is `-1`. The grammar is checked (RFC 8259) except
 * inside strings, whose bytes are nobody's business until somebody reads them.
 */

/** Deepest nesting that is followed; deeper input is treated as malformed, so that no peer can exhaust the stack. */
export const MAX_DEPTH = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** A string longer than this is searched natively, which beats a loop by far on base64 data. */
const SHORT_STRING = 48;

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** The offset of the first byte at or after `at` that is not JSON white space. */
export function skipSpace(bytes: Buffer, at: number): number {
  let i = at;
  for (;;) {
    const byte = bytes[i];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return i;
    i++;
  }
}

/** The offset behind the string whose opening quote is at `at`, or -1. */
export function skipString(bytes: Buffer, at: number): number {
  const short = Math.min(bytes.length, at + SHORT_STRING);
  let i = at + 1;
  while (i < short) {
    const byte = bytes[i];
    if (byte === QUOTE) return i + 1;
    i += byte === BACKSLASH ? 2 : 1;
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, i);
    if (quote < 0) return -1;
    let slashes = quote;
    while (slashes > i && bytes[slashes - 1] === BACKSLASH) slashes--;
    if ((quote - slashes) % 2 === 0) return quote + 1;
    i = quote + 1;
  }
}

function skipDigits(bytes: Buffer, at: number): number {
  let i = at;
  while (isDigit(bytes[i])) i++;
  return i;
}

function skipNumber(bytes: Buffer, at: number): number {
  let i = bytes[at] === 0x2d ? at + 1 : at;
  if (bytes[i] === 0x30) i++;
  else if (isDigit(bytes[i])) i = skipDigits(bytes, i);
  else return -1;
  if (bytes[i] === 0x2e) {
    if (!isDigit(bytes[i + 1])) return -1;
    i = skipDigits(bytes, i + 1);
  }
  if (bytes[i] === 0x65 || bytes[i] === 0x45) {
    i++;
    if (bytes[i] === 0x2b || bytes[i] === 0x2d) i++;
    if (!isDigit(bytes[i])) return -1;
    i = skipDigits(bytes, i);
  }
  return i;
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

function skipLiteral(bytes: Buffer, at: number, literal: Buffer): number {
  for (let i = 0; i < literal.length; i++) if (bytes[at + i] !== literal[i]) return -1;
  return at + literal.length;
}

function skipContainer(bytes: Buffer, at: number, close: number, depth: number): number {
  const keyed = close === CLOSE_OBJECT;
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === close) return i + 1;
  for (;;) {
    if (keyed) {
      if (bytes[i] !== QUOTE) return -1;
      i = skipString(bytes, i);
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] !== COLON) return -1;
      i = skipSpace(bytes, i + 1);
    }
    i = skipValue(bytes, i, depth);
    if (i < 0) return -1;
    i = skipSpace(bytes, i);
    if (bytes[i] === close) return i + 1;
    if (bytes[i] !== COMMA) return -1;
    i = skipSpace(bytes, i + 1);
  }
}

/** The offset behind the JSON value that starts at `at` (no white space before it), or -1 where there is none. */
export function skipValue(bytes: Buffer, at: number, depth = 0): number {
  if (depth > MAX_DEPTH) return -1;
  switch (bytes[at]) {
    case QUOTE:
      return skipString(bytes, at);
    case OPEN_OBJECT:
      return skipContainer(bytes, at, CLOSE_OBJECT, depth + 1);
    case OPEN_ARRAY:
      return skipContainer(bytes, at, CLOSE_ARRAY, depth + 1);
    case 0x74:
      return skipLiteral(bytes, at, TRUE);
    case 0x66:
      return skipLiteral(bytes, at, FALSE);
    case 0x6e:
      return skipLiteral(bytes, at, NULL);
    default:
      return skipNumber(bytes, at);
  }
}
