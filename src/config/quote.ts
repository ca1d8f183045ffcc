import { visible } from '../base/visibleText.ts';

/** The text between quotes, where nothing in it can be taken for the end of it or for an escape. */
export function quote(text: string): string {
  return `"${visible(text.replace(/["\\]/g, '\\$&'))}"`;
}
