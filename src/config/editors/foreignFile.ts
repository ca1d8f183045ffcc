import type { Node } from 'jsonc-parser';
import { membersOf, nodeAt, readTree, type TreeMember } from '../jsonTree.ts';
import { syntaxProblems } from '../syntaxProblems.ts';
import { programOf, type Program } from './program.ts';

/** One server in another program's configuration. */
export interface ForeignEntry {
  readonly name: string;
  /** The member names that lead to it from the root, its own last. */
  readonly path: readonly string[];
  readonly member: TreeMember;
  /** The folder that alone it is for: Claude Code keeps the servers of each project in the user's file. */
  readonly project?: string;
}

/** Another program's configuration, as far as it is about servers. */
export interface ForeignFile {
  /** Undefined where the servers could be those of several programs. */
  readonly program: Program | undefined;
  /** In the order of the text, of one name several where it is written several times. */
  readonly entries: readonly ForeignEntry[];
  readonly inputs: readonly Node[];
  /** The members of the root that hold servers or belong to them, such as VS Code's `sandbox`. */
  readonly rootMembers: readonly string[];
}

/** What reading a text came to; `problem` says what is wrong and where. */
export type Reading =
  | { readonly kind: 'file'; readonly file: ForeignFile }
  | { readonly kind: 'problem'; readonly message: string };

/** Where programs keep servers: VS Code (once in its settings, too), Zed, all others. */
const PLACES = [['servers'], ['mcp', 'servers'], ['context_servers'], ['mcpServers']] as const;

/** The same text without a byte order mark, which is no white space to the parser; every offset stays. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
}

/** Reads the text of another program's configuration, comments and trailing commas allowed. Never throws. */
export function readForeignFile(text: string, path: string): Reading {
  const source = withoutMark(text);
  let tree: ReturnType<typeof readTree>;
  try {
    tree = readTree(source);
  } catch {
    // The parser recurses, so that a value nested thousands of levels deep ends the stack.
    return { kind: 'problem', message: `${path} is nested too deeply to be read.` };
  }
  const [problem] = syntaxProblems(tree.errors, source);
  if (problem !== undefined) {
    const { line, column } = placeOf(source, problem.offset);
    return { kind: 'problem', message: `${path}:${line}:${column}: ${problem.message}` };
  }
  const { root } = tree;
  if (root?.type !== 'object') {
    return { kind: 'problem', message: `${path} must hold an object with servers.` };
  }
  const rootMembers = membersOf(root).map(({ key }) => key);
  return {
    kind: 'file',
    file: {
      program: programOf(path, rootMembers),
      entries: [...PLACES.flatMap((place) => entriesAt(root, place)), ...entriesOfProjects(root)],
      inputs: ['inputs', 'mcp'].flatMap((key) => inputsAt(root, key)),
      rootMembers,
    },
  };
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function entriesAt(node: Node, place: readonly string[], before: readonly string[] = []) {
  const servers = nodeAt(node, place);
  return (servers === undefined ? [] : membersOf(servers)).map((member): ForeignEntry => {
    return { name: member.key, path: [...before, ...place, member.key], member };
  });
}

function entriesOfProjects(root: Node): ForeignEntry[] {
  const projects = nodeAt(root, ['projects']);
  return (projects === undefined ? [] : membersOf(projects)).flatMap(({ key, value }) =>
    entriesAt(value, ['mcpServers'], ['projects', key]).map((entry) => ({
      ...entry,
      project: key,
    })),
  );
}

function inputsAt(root: Node, key: string): Node[] {
  const list = nodeAt(root, key === 'inputs' ? [key] : [key, 'inputs']);
  return list?.type === 'array' ? (list.children ?? []) : [];
}
