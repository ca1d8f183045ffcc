/** White space and comments between two tokens, as a regular expression. */
const GAP = String.raw`(?:\s|\/\*[^]*?\*\/|\/\/[^\r\n]*)*`;
const COMMA = new RegExp(`^${GAP},`);

/** White space and comments up to the end of the line; the group is a comment that ends with it. */
export const REST_OF_LINE = /^(?:[ \t]|\/\*[^\r\n]*?\*\/)*(\/\/[^\r\n]*)?/;

/** Where the comma ends that comes next; undefined where another token comes before. */
export function endOfComma(text: string, offset: number): number | undefined {
  const found = COMMA.exec(text.slice(offset))?.[0];
  return found === undefined ? undefined : offset + found.length;
}
