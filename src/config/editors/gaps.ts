import { createScanner } from 'jsonc-parser';

/** White space and comments up to the end of the line; the group is a comment that ends with it. */
export const REST_OF_LINE = /^(?:[ \t]|\/\*[^\r\n]*?\*\/)*(\/\/[^\r\n]*)?/;

/** Where the comma ends that comes next; undefined where another token comes before. */
export function endOfComma(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const start = scanner.getTokenOffset();
  return text[start] === ',' ? start + 1 : undefined;
}
