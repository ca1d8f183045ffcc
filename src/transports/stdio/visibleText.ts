import { stripVTControlCharacters } from 'node:util';

/** C0 (but not tab), DEL, C1, line and paragraph separators, and the marks that reorder text. */
const INVISIBLE =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The start of what a peer wrote, safe to show in a terminal or a log: terminal sequences are taken out, other control
 * characters are spelled, and an ellipsis stands for what lies behind `limit` bytes.
 */
export function visibleText(bytes: Buffer, limit: number): string {
  const text = stripVTControlCharacters(bytes.toString('utf8', 0, limit));
  const visible = text.replace(INVISIBLE, escapeOf);
  return bytes.length > limit ? `${visible}…` : visible;
}
