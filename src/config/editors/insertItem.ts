import { applyEdits, type Node } from 'jsonc-parser';
import { endOfComma, REST_OF_LINE } from './gaps.ts';
import type { TextEdit } from './rawEntry.ts';
import { styleOf } from './textStyle.ts';

/** What is added; `raw` is how it is written, indented from its first column and with plain line feeds. */
export interface NewItem {
  readonly value: unknown;
  readonly raw?: string;
}

/**
 * Adds an item to the end of an array, or a member to that of an object; everything that is there stays as it is written,
 * and comments stay behind what they stood behind. Without a key it is an item.
 */
export function insertItem(
  text: string,
  container: Node,
  key: string | undefined,
  { value, raw }: NewItem,
): string {
  const { eol, step } = styleOf(text);
  const children = container.children ?? [];
  const [first] = children;
  const last = children.at(-1);
  const write = (indentation: string | undefined): string => {
    const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
    const lines = raw ?? JSON.stringify(value, null, indentation === undefined ? undefined : step);
    return name + lines.replaceAll('\n', `${eol}${indentation ?? ''}`);
  };
  if (first === undefined || last === undefined) {
    const outer = indentationBefore(text, container.offset, false) ?? '';
    const start = container.offset + 1;
    const inside = text.slice(start, container.offset + container.length - 1);
    const rest = REST_OF_LINE.exec(inside)?.[0].trimEnd() ?? '';
    const after = inside.slice(rest.length);
    const tail = after.trim() === '' ? `${eol}${outer}` : after;
    const content = `${eol}${outer}${step}${write(outer + step)}${tail}`;
    return applyEdits(text, [{ offset: start + rest.length, length: after.length, content }]);
  }
  const end = last.offset + last.length;
  const comma = endOfComma(text, end);
  const [rest = '', comment] = REST_OF_LINE.exec(text.slice(comma ?? end)) ?? [];
  const indentation = indentationBefore(text, first.offset, true);
  const isOnOneLine = indentation === undefined && comment === undefined;
  const before = isOnOneLine ? ' ' : `${eol}${indentation ?? step}`;
  const content = before + write(indentation) + (comma === undefined ? '' : ',');
  const edits: TextEdit[] = [
    { offset: (comma ?? end) + rest.trimEnd().length, length: 0, content },
  ];
  if (comma === undefined) edits.unshift({ offset: end, length: 0, content: ',' });
  return applyEdits(text, edits);
}

/** The white space at the start of the line; with `alone`, undefined where a token stands before the offset on it. */
function indentationBefore(text: string, offset: number, alone: boolean): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(start, offset);
  const isAlone = start > 0 && line.replaceAll(/\/\*.*?\*\//g, '').trim() === '';
  return alone && !isAlone ? undefined : /^[ \t]*/.exec(line)?.[0];
}
