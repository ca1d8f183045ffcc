import type { ResolvedServer } from './resolve.ts';
import { httpAddress } from './socketUrl.ts';

/** Shorter values stand in too many words to be told apart from them. */
const SHORTEST_SECRET = 4;

const HIDDEN = '•••';
/** Stands at the end of what was cut. */
const CUT = '…';

const SECRET_NAME = /key|token|secret|passw|pwd|auth|credential|cookie|session/i;

/** Replaces the secrets of one server in whatever it or the bridge says of it. */
export type Redact = (text: string) => string;

/**
 * Knows the values that must not be shown: what the user answered, headers, what is named like a secret in the environment
 * and in the query of the address, and what comes to be while the server is used.
 */
export function createRedactor(
  server: ResolvedServer,
  answers: readonly string[],
  later: ReadonlySet<string> = new Set(),
): Redact {
  const named = secretsOf(server);
  // A scheme before the secret is none: what follows it can be shown alone.
  const bare = named.map((value) => value.replace(/^(Bearer|Basic|token)\s+/i, ''));
  const known = [...answers, ...named, ...bare];
  let secrets = spellings(known);
  let seen = 0;
  return (text) => {
    if (later.size !== seen) {
      seen = later.size;
      secrets = spellings([...known, ...later]);
    }
    return secrets.reduce((result, secret) => without(secret, result), text);
  };
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

/** All that secrets can look like, the longest first. */
function spellings(secrets: readonly string[]): string[] {
  return (
    [...new Set(secrets)]
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      // In a message they stand as JSON writes them, and at times a text in it is JSON again.
      .flatMap((secret) => [...new Set([secret, escaped(secret), escaped(escaped(secret))])])
      .sort((a, b) => b.length - a.length)
  );
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
        ...[server.oauth?.clientSecret, server.oauth?.privateKey].filter(isText),
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

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
