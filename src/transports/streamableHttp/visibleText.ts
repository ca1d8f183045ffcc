const SAMPLE_LENGTH = 200;
const READ_BYTES = 4096;

/** Line ends, other control characters and the characters that reorder or hide text. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

function escape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** Text of a stranger made fit for one line of a log: control characters become escapes, secrets become dots. */
export function visibleText(text: string, secrets: readonly string[] = []): string {
  let safe = text;
  for (const secret of secrets) safe = safe.replaceAll(secret, '…');
  return safe.replace(HIDDEN, escape);
}

/** The start of what a peer wrote, for a person to recognise it by. */
export function visibleSample(bytes: Buffer, secrets: readonly string[] = []): string {
  // Secrets leave before the cut, or half of one could stay.
  const longest = secrets.reduce((length, secret) => Math.max(length, secret.length), 0);
  const text = visibleText(bytes.toString('utf8', 0, READ_BYTES + longest), secrets);
  return text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH)}…` : text;
}

/** The parts of configured header values that must not show up in any message. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  const secrets = new Set<string>();
  for (const value of Object.values(headers)) {
    // A scheme such as `Bearer` is no secret, what follows it is.
    for (const part of [value, ...value.split(/\s+/)]) if (part.length >= 8) secrets.add(part);
  }
  return [...secrets].sort((a, b) => b.length - a.length);
}
