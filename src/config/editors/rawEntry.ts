import { applyEdits, type Node } from 'jsonc-parser';
import { membersOf, type TreeMember } from '../jsonTree.ts';
import type { TextRange } from '../configProblem.ts';

/** A part of a text and what takes its place. */
export interface TextEdit extends TextRange {
  readonly content: string;
}

/** From the first quote of a member's name to the end of its value. */
export function memberRange({ keyRange, value }: TreeMember): TextRange {
  return { offset: keyRange.offset, length: value.offset + value.length - keyRange.offset };
}

/** The text of a node after edits inside it. */
export function edited(text: string, node: Node, edits: readonly TextEdit[]): string {
  const inside = edits.map((edit) => ({ ...edit, offset: edit.offset - node.offset }));
  return applyEdits(text.slice(node.offset, node.offset + node.length), inside);
}

/** What stands between two members of an object: a line break where its members are on lines of their own. */
export function separatorIn(text: string, object: Node): string {
  const [first] = membersOf(object);
  const before = text.slice(object.offset, first?.keyRange.offset);
  const [, eol, indentation] = /(\r?\n)([ \t]*)$/.exec(before) ?? [];
  return eol === undefined ? ', ' : `,${eol}${indentation}`;
}
