import { findNodeAtLocation, parseTree, type Node, type ParseError } from 'jsonc-parser';
import type { TextRange } from './configProblem.ts';

/** One member of an object in the text. */
export interface TreeMember {
  readonly key: string;
  readonly keyRange: TextRange;
  readonly value: Node;
}

/** The tree of a text with comments and trailing commas, as far as it can be read, and the errors in it. */
export function readTree(text: string): { root: Node | undefined; errors: ParseError[] } {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  return { root, errors };
}

/** Where a node stands in the text. */
export function rangeOf(node: Node): TextRange {
  return { offset: node.offset, length: node.length };
}

/** The members of an object as they stand, duplicates included; one without a value is left out. */
export function membersOf(node: Node): TreeMember[] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) return [];
    return [{ key: String(key.value), keyRange: rangeOf(key), value }];
  });
}

/** The value of a tree. Of duplicate members the last one counts; `__proto__` is never a member. */
export function valueOf(node: Node): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        membersOf(node)
          .filter(({ key }) => key !== '__proto__')
          .map(({ key, value }) => [key, valueOf(value)]),
      );
    case 'array':
      return (node.children ?? []).map(valueOf);
    default:
      return node.value as unknown;
  }
}

/** The node at a path below another one, or undefined where there is none. */
export function nodeAt(node: Node, path: readonly PropertyKey[]): Node | undefined {
  return findNodeAtLocation(
    node,
    path.filter((step) => typeof step !== 'symbol'),
  );
}

/** The range of a member's name. */
export function keyRangeAt(
  node: Node,
  path: readonly PropertyKey[],
  key: string,
): TextRange | undefined {
  const parent = nodeAt(node, path);
  return parent && membersOf(parent).find((member) => member.key === key)?.keyRange;
}

/** Every text in a tree that is a value, with its place. */
export function stringsIn(node: Node): Node[] {
  if (node.type === 'string') return [node];
  if (node.type === 'array') return (node.children ?? []).flatMap(stringsIn);
  return membersOf(node).flatMap(({ value }) => stringsIn(value));
}

/** Every member in a tree whose name its object has already had, or that no object can have. */
export function badNamesIn(node: Node): TreeMember[] {
  if (node.type === 'array') return (node.children ?? []).flatMap(badNamesIn);
  const seen = new Set(['__proto__']);
  return membersOf(node).flatMap((member) => {
    const isBad = seen.has(member.key);
    seen.add(member.key);
    return [...(isBad ? [member] : []), ...badNamesIn(member.value)];
  });
}
