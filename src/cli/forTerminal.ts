import { visible } from '../base/visibleText.ts';

/** A stranger's text for a terminal, which nothing in it can drive; lines and tabs stay. */
export function forTerminal(text: string): string {
  return text.replace(/[^\n\t]+/g, visible);
}
