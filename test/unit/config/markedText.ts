import type { TextRange } from '../../../src/config/configProblem.ts';

/** A text without its marks `‹` and `›`, and the ranges between them in order. */
export function unmark(marked: string): { text: string; ranges: TextRange[] } {
  const ranges: TextRange[] = [];
  let text = '';
  let start = 0;
  for (const character of marked) {
    if (character === '‹') start = text.length;
    else if (character === '›') ranges.push({ offset: start, length: text.length - start });
    else text += character;
  }
  return { text, ranges };
}
