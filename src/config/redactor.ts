import type { ResolvedServer } from './resolve.ts';

/** Shorter values stand in too many words to be told apart from them. */
const SHORTEST_SECRET = 4;

const SECRET_NAME = /key|token|secret|passw|pwd|auth|credential|cookie|session/i;

/** Replaces the secrets of one server in whatever it or the bridge says of it. */
export type Redact = (text: string) => string;

/**
 * Knows the values that must not be shown: what the user answered, headers, and the environment variables that are
 * named like secrets.
 */
export function createRedactor(server: ResolvedServer, answers: readonly string[]): Redact {
  const named = secretsOf(server);
  // A scheme before the secret is none: what follows it can be shown alone.
  const bare = named.map((value) => value.replace(/^(Bearer|Basic|token)\s+/i, ''));
  const secrets = [...new Set([...answers, ...named, ...bare])]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // In a message they stand as JSON writes them, and at times a text in it is JSON again.
    .flatMap((secret) => [...new Set([secret, escaped(secret), escaped(escaped(secret))])])
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((result, secret) => result.replaceAll(secret, '•••'), text);
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
      return Object.values(server.headers);
    case 'zap':
    case 'socket':
      return [];
  }
}
