import {
  decodedFrom,
  decodeJsonEscapes,
  decodePercentEscapes,
  type DecodedText,
} from './decodedText.ts';
import type { ResolvedServer } from './resolve.ts';
import { httpAddress } from './socketUrl.ts';

/** Shorter values stand in too many words to be told apart from them. */
const SHORTEST_SECRET = 4;

/** Parts of shorter values look like other words in base64. */
const SHORTEST_ENCODED = 8;

const HIDDEN = '•••';
/** Stands at the end of what was cut. */
const CUT = '…';

const ASCII = /^[\x00-\x7f]*$/;
/** Escapes that a program has chosen to write: the spellings of a secret have those that JSON demands. */
const CHOSEN = /\\[^"\\nrtbf]/;
/** Those of them behind which there may be a character of ASCII. */
const CHOSEN_ASCII = /\\(?:u00[0-7]|[^"\\nrtbfu])/;

const SECRET_NAME = /key|token|secret|passw|pwd|auth|credential|cookie|session/i;

/** Replaces the secrets of one server in whatever it or the bridge says of it. */
export type Redact = (text: string) => string;

/**
 * Knows the values that must not be shown: what the user answered, headers, what is named like a secret in the environment
 * and in the query of the address, and what comes to be while the server is used. They are found in whatever way JSON, an
 * address or base64 writes them; what is spread over several texts is not.
 */
export function createRedactor(
  server: ResolvedServer,
  answers: readonly string[],
  later: ReadonlySet<string> = new Set(),
): Redact {
  const known = [...answers, ...secretsOf(server)].flatMap(partsOf);
  let secrets = spellings(known);
  let seen = 0;
  return (text) => {
    if (later.size !== seen) {
      seen = later.size;
      secrets = spellings([...known, ...later]);
    }
    if (secrets.length === 0) return text;
    const plain = secrets.reduce((result, secret) => without(secret, result), text);
    return withoutEscaped(secrets, plain);
  };
}

/** A scheme before a secret is none: what follows it can be shown alone, and so can what that says (RFC 7617). */
function partsOf(value: string): string[] {
  const [, scheme = '', bare = ''] = /^(Bearer|Basic|token)\s+(.*)$/is.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return bare === '' ? [value] : [value, bare];
  const pair = Buffer.from(bare, 'base64').toString('utf8');
  return [value, bare, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** Hides what only shows when a text is decoded, as a part of JSON or of an address. */
function withoutEscaped(secrets: readonly string[], text: string): string {
  const isAscii = secrets.every((secret) => ASCII.test(secret));
  const found = readingsOf(text, isAscii ? CHOSEN_ASCII : CHOSEN).flatMap((reading) =>
    secrets.flatMap((secret) => placesOf(secret, reading)),
  );
  if (found.length === 0) return text;
  let result = '';
  let end = 0;
  for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
    if (from >= end) result += text.slice(end, from) + HIDDEN;
    end = Math.max(end, to);
  }
  return result + text.slice(end);
}

/**
 * A message is JSON, and at times a text in it is JSON again; an address can stand in either. It is decoded only where
 * there is one of the `chosen` escapes, since large texts have many others.
 */
function readingsOf(text: string, chosen: RegExp): DecodedText[] {
  const once = chosen.test(text) ? decodeJsonEscapes(text) : undefined;
  const twice = once && decodeJsonEscapes(once.text);
  const whole: DecodedText = { text, originOf: (offset) => offset };
  const texts = [whole, once, once && twice && decodedFrom(once, twice)].filter(isPresent);
  const addresses = texts.map((each) => {
    const address = each.text.includes('%') ? decodePercentEscapes(each.text) : undefined;
    return address && decodedFrom(each, address);
  });
  return [...texts.slice(1), ...addresses.filter(isPresent)];
}

function placesOf(secret: string, { text, originOf }: DecodedText): [from: number, to: number][] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    places.push([originOf(at), originOf(at + secret.length)]);
  }
  return places;
}

/** Where a text was cut in the middle of a secret, what is left of it goes, too. */
function without(secret: string, text: string): string {
  const parts = text.replaceAll(secret, HIDDEN).split(CUT);
  const last = parts.length - 1;
  return parts.map((part, i) => (i === last ? part : withoutHalf(secret, part))).join(CUT);
}

function withoutHalf(secret: string, text: string): string {
  // Looked for first, or a text with many cuts in it would hold up everything else.
  const end = text.slice(1 - secret.length);
  if (!end.includes(secret.slice(0, SHORTEST_SECRET))) return text;
  for (let half = secret.length - 1; half >= SHORTEST_SECRET; half--) {
    if (text.endsWith(secret.slice(0, half))) return `${text.slice(0, -half)}${HIDDEN}`;
  }
  return text;
}

/** What secrets look like in a text, but for the choice that escapes leave; the longest first. */
function spellings(secrets: readonly string[]): string[] {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST_SECRET);
  return [...new Set(known.flatMap((secret) => [secret, ...formsOf(secret)]))].sort(
    (a, b) => b.length - a.length,
  );
}

function formsOf(secret: string): string[] {
  // In a message they stand as JSON writes them, and at times a text in it is JSON again.
  const inJson = [escaped(secret), escaped(escaped(secret))];
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  return [...inJson, inForm, ...inBase64(secret)];
}

/** What base64 makes of a secret, wherever it stands in what is encoded: all but what its neighbours have a part in. */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < SHORTEST_ENCODED) return [];
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    const own = text.slice(Math.ceil((before * 8) / 6), whole);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function secretsOf(server: ResolvedServer): string[] {
  switch (server.kind) {
    case 'stdio':
      return Object.entries(server.env).flatMap(([name, value]) =>
        value !== null && SECRET_NAME.test(name) ? [value] : [],
      );
    case 'http':
    case 'sse':
      return [
        ...Object.values(server.headers),
        ...queryOf(httpAddress(server.url).url),
        ...[server.oauth?.clientSecret, server.oauth?.privateKey].filter(isPresent),
      ];
    case 'zap':
    case 'socket':
      return [];
  }
}

/** Values of the query that are named like secrets: as they are meant, and as the address has them. */
function queryOf({ search }: URL): string[] {
  const written = search.slice(1).split('&');
  return written.flatMap((pair) =>
    [...new URLSearchParams(pair)].flatMap(([name, value]) =>
      SECRET_NAME.test(name) ? [value, pair.slice(pair.indexOf('=') + 1)] : [],
    ),
  );
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
