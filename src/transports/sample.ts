import { stripVTControlCharacters } from 'node:util';
import { visible } from '../base/visibleText.ts';

/** As much of a message as a person needs to recognise it by. */
export const SAMPLE_BYTES = 200;

/** A stranger's text made fit for one line of a log: terminal sequences leave, secrets become dots, the rest is visible. */
export function safeText(text: string, secrets: readonly string[] = []): string {
  let safe = stripVTControlCharacters(text);
  for (const secret of secrets) safe = safe.replaceAll(secret, '…');
  return visible(safe.replaceAll('\t', '  '));
}

/** The start of what a peer wrote; an ellipsis stands for what lies behind `limit` bytes. */
export function sampleOf(
  bytes: Buffer,
  limit = SAMPLE_BYTES,
  secrets: readonly string[] = [],
): string {
  if (bytes.length <= limit) return safeText(bytes.toString('utf8'), secrets);
  const text = safeText(withoutHalf(bytes.toString('utf8', 0, limit), secrets), secrets);
  return `${text}…`;
}

/** A text that was cut, without the beginning of a secret that the cut may have left at its end. */
function withoutHalf(text: string, secrets: readonly string[]): string {
  let length = text.length;
  for (const secret of secrets) {
    for (let half = Math.min(secret.length - 1, text.length); half > 0; half--) {
      if (text.endsWith(secret.slice(0, half))) length = Math.min(length, text.length - half);
    }
  }
  return text.slice(0, length);
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
