import type { Node, ParseError } from 'jsonc-parser';
import { hasHidden } from '../base/visibleText.ts';
import type { ConfigProblem, TextRange } from './configProblem.ts';
import { membersOf, nodeAt, rangeOf, readTree, type TreeMember } from './jsonTree.ts';
import { didYouMean } from './nearestName.ts';
import { parseEntry } from './parseEntry.ts';
import { parseInputs } from './parseInputs.ts';
import { configFile, type InputDefinition } from './schema.ts';
import type { ServerEntry } from './serverEntry.ts';
import { syntaxProblems } from './syntaxProblems.ts';
import { quote } from './quote.ts';

/** A valid server of the file. */
export interface ConfiguredServer {
  readonly name: string;
  readonly entry: ServerEntry;
  /** The name's place in the text, quotes included: where to show what is found about the server. */
  readonly nameRange: TextRange;
}

/** What a configuration file says, and everything that is wrong with it. */
export interface ConfigFile {
  readonly servers: readonly ConfiguredServer[];
  readonly inputs: readonly InputDefinition[];
  /** In the order of the text. */
  readonly problems: readonly ConfigProblem[];
  /** False while the text cannot be read in full: a server may be missing that its author did not remove. */
  readonly isComplete: boolean;
}

const ROOT_MEMBERS = Object.keys(configFile.shape);

function nameProblem(name: string): string | undefined {
  if (name === '') return 'A server needs a name between the quotes.';
  // The name is a part of the path under which the bridge serves the server.
  if (name === '.' || name === '..')
    return `A server cannot have the name "${name}"; write another.`;
  if (hasHidden(name)) {
    return `The name ${quote(name)} holds a character that cannot be seen; remove it.`;
  }
  return undefined;
}

function rootProblems(root: Node): ConfigProblem[] {
  return membersOf(root).flatMap(({ key, keyRange }, i, members) => {
    if (key === 'mcpServers') {
      return [{ message: 'Unknown member "mcpServers"; write "servers" instead.', ...keyRange }];
    }
    if (!ROOT_MEMBERS.includes(key)) {
      const hint = didYouMean(key, ROOT_MEMBERS);
      const known = hint === '' ? '; known are "servers" and "inputs".' : hint;
      return [{ message: `Unknown member ${quote(key)}${known}`, ...keyRange }];
    }
    const isFirst = members.findIndex((member) => member.key === key) === i;
    const message = `"${key}" is written twice, and only the first one counts; move what is in this one there.`;
    return isFirst ? [] : [{ message, ...keyRange }];
  });
}

/** Whether the text of a value is broken in itself; an error elsewhere does not count. */
function isBroken(node: Node, text: string): boolean {
  return readTree(text.slice(node.offset, node.offset + node.length)).errors.length > 0;
}

function isLast(member: TreeMember, members: readonly TreeMember[]): boolean {
  return members.findLast(({ key }) => key === member.key) === member;
}

function parseServers(
  node: Node | undefined,
  inputIds: readonly string[],
  text: string,
): { servers: ConfiguredServer[]; problems: ConfigProblem[] } {
  const servers: ConfiguredServer[] = [];
  const problems: ConfigProblem[] = [];
  if (node !== undefined && node.type !== 'object') {
    const message = '"servers" must be an object: { "name": { "command": "npx", "args": [] } }.';
    problems.push({ message, ...rangeOf(node) });
  }
  const members = node === undefined ? [] : membersOf(node);
  for (const member of members) {
    const { key: name, keyRange, value } = member;
    const badName = nameProblem(name);
    if (badName !== undefined) {
      problems.push({ message: badName, server: name, ...keyRange });
    } else if (!isLast(member, members)) {
      const message = `There is another server ${quote(name)} below, and that one is used; rename one of them.`;
      problems.push({ message, ...keyRange });
    } else if (!isBroken(value, text)) {
      const outcome = parseEntry(value, name, keyRange, inputIds);
      if (outcome.kind === 'problems') problems.push(...outcome.problems);
      else servers.push({ name, entry: outcome.entry, nameRange: keyRange });
    }
  }
  return { servers, problems };
}

/** Names the server in whose entry a syntax error stands. */
function withServer(problem: ConfigProblem, servers: Node | undefined): ConfigProblem {
  const member = (servers === undefined ? [] : membersOf(servers)).find(
    ({ value }) => problem.offset > value.offset && problem.offset < value.offset + value.length,
  );
  return member === undefined ? problem : { ...problem, server: member.key };
}

function readTreeSafely(
  text: string,
): { root: Node | undefined; errors: ParseError[] } | undefined {
  try {
    return readTree(text);
  } catch {
    // The parser recurses, so that a value nested thousands of levels deep ends the stack.
    return undefined;
  }
}

/** Reads the text of a configuration file. Never throws; a bad entry never takes the others. */
export function parseConfig(text: string): ConfigFile {
  // A byte order mark is no white space to the parser; a space keeps every offset.
  const source = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
  const none = { servers: [], inputs: [], isComplete: false };
  const tree = readTreeSafely(source);
  if (tree === undefined) {
    const message = 'The file is nested too deeply to be read.';
    return { ...none, problems: [{ message, offset: 0, length: 1 }] };
  }
  const syntax = syntaxProblems(tree.errors, source);
  const isComplete = syntax.length === 0;
  if (tree.root === undefined) return { ...none, problems: syntax, isComplete };
  if (tree.root.type !== 'object') {
    const message = 'The file must hold an object: { "servers": { … } }.';
    return { ...none, problems: [{ message, ...rangeOf(tree.root) }] };
  }
  const serversNode = nodeAt(tree.root, ['servers']);
  const inputs = parseInputs(nodeAt(tree.root, ['inputs']));
  const servers = parseServers(serversNode, inputs.ids, source);
  const problems = [
    ...syntax.map((problem) => withServer(problem, serversNode)),
    ...rootProblems(tree.root),
    ...inputs.problems,
    ...servers.problems,
  ];
  return {
    servers: servers.servers,
    inputs: inputs.inputs,
    problems: problems.sort((a, b) => a.offset - b.offset),
    isComplete,
  };
}
