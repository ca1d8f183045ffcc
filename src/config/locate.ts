import type { TextRange } from './configProblem.ts';
import { membersOf, nodeAt, rangeOf, readTree } from './jsonTree.ts';

/**
 * Where a member of a server's entry stands in the text of the file; the server's name where there is no such member,
 * undefined where there is no such server.
 */
export function locate(
  text: string,
  server: string,
  path: readonly (string | number)[],
): TextRange | undefined {
  const { root } = readTree(text);
  const servers = root && nodeAt(root, ['servers']);
  const member = servers && membersOf(servers).findLast(({ key }) => key === server);
  if (member === undefined) return undefined;
  const node = path.length === 0 ? undefined : nodeAt(member.value, path);
  return node === undefined ? member.keyRange : rangeOf(node);
}
