/**
 * Everything in a stranger's text that shows as nothing, moves what stands around it or drives a terminal: control and
 * format characters (bidirectional, zero-width and tag characters among them), every space but the common one, and
 * characters without a glyph. The joiners inside an emoji are its spelling and hide nothing.
 */
const HIDDEN =
  /(?! )(?!(?<=\p{Extended_Pictographic})\uFE0F)(?!(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic}))[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const escapeCharacter = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** The same text with every hidden character written as an escape such as `\u{200b}`, line breaks included. */
export function visible(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

/** Like `visible`, for a place that shows several lines: line feeds stay. */
export function visibleLines(text: string): string {
  return text.replace(HIDDEN, (character) =>
    character === '\n' ? character : escapeCharacter(character),
  );
}

/** Whether a text holds anything that `visible` would write as an escape. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}
