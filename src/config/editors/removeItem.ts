import { applyEdits, type Node } from 'jsonc-parser';
import { endOfComma, REST_OF_LINE } from './gaps.ts';
import type { TextEdit } from './rawEntry.ts';

/**
 * Takes an item out of an array, or a member out of an object, with its comma; everything else stays as it is written. A
 * comment behind it on its last line goes with it, since it speaks of it.
 */
export function removeItem(text: string, container: Node, index: number): string {
  const children = container.children ?? [];
  const item = children[index];
  if (item === undefined) return text;
  const edits: TextEdit[] = [];
  const end = item.offset + item.length;
  const comma = endOfComma(text, end);
  const previous = children[index - 1];
  if (comma === undefined && previous !== undefined) {
    const before = endOfComma(text, previous.offset + previous.length) ?? item.offset;
    edits.push({ offset: before - 1, length: 1, content: '' });
  }
  edits.push({ ...lineAround(text, item.offset, comma ?? end), content: '' });
  return applyEdits(text, edits);
}

/** The part of a text, or the whole lines that it is on where nothing else is on them. */
function lineAround(text: string, start: number, end: number): { offset: number; length: number } {
  const before = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const lineStart = start - before;
  const isFirst = lineStart === 0 || text[lineStart - 1] === '\n';
  const rest = REST_OF_LINE.exec(text.slice(end))?.[0].length ?? 0;
  const eol = /^\r?\n/.exec(text.slice(end + rest))?.[0].length;
  if (isFirst && eol !== undefined) {
    return { offset: lineStart, length: end + rest + eol - lineStart };
  }
  const space = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  return { offset: start, length: end + space - start };
}
