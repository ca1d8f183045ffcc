import { eastAsianWidth } from 'get-east-asian-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many columns of a terminal one character takes, marks that stand on it included. */
function widthOf(grapheme: string): number {
  // Terminals draw a sequence that makes one emoji over two columns, whatever its parts are.
  if (/\p{Emoji_Presentation}/u.test(grapheme)) return 2;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}

/** How many columns of a terminal a text takes that holds no hidden characters. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment);
  return width;
}

/** The text in at most `width` columns: cut after a whole character, with an ellipsis, where it is longer. */
export function fit(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let result = '';
  let taken = 0;
  for (const { segment } of graphemes.segment(text)) {
    taken += widthOf(segment);
    if (taken > width - 1) break;
    result += segment;
  }
  return `${result}…`;
}

/** The text with spaces after it, up to `width` columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
