import type { Node } from 'jsonc-parser';
import type * as z from 'zod/mini';
import type { ConfigProblem, TextRange } from './configProblem.ts';
import { explainIssues, type IssueContext } from './explainIssue.ts';
import { badNamesIn, membersOf, rangeOf, stringsIn, valueOf } from './jsonTree.ts';
import { nearestName } from './nearestName.ts';
import { httpEntry, oauth, socketEntry, sseEntry, stdioEntry, timeouts } from './schema.ts';
import { httpEntryFrom, socketEntryFrom, stdioEntryFrom, type ServerEntry } from './serverEntry.ts';
import { isLineSocketUrl } from './socketUrl.ts';
import { undefinedInput, variablesIn } from './variables.ts';
import { quote } from './quote.ts';

/** What an entry of `servers` came to. */
export type EntryOutcome =
  | { readonly kind: 'entry'; readonly entry: ServerEntry }
  | { readonly kind: 'problems'; readonly problems: readonly ConfigProblem[] };

type EntryKind = ServerEntry['kind'];

const MEMBERS: Readonly<Record<EntryKind, readonly string[]>> = {
  stdio: Object.keys(stdioEntry.shape),
  http: Object.keys(httpEntry.shape),
  sse: Object.keys(sseEntry.shape),
  socket: Object.keys(socketEntry.shape),
};

const KINDS = ['stdio', 'http', 'sse', 'socket'] as const satisfies readonly EntryKind[];

/** The members of the objects in an entry. */
const PARTS: ReadonlyMap<PropertyKey | undefined, readonly string[]> = new Map([
  ['timeouts', Object.keys(timeouts.shape)],
  ['oauth', Object.keys(oauth.shape)],
]);

/** Names that other programs give to the members of an entry. */
const FOREIGN_NAMES: ReadonlyMap<string, string> = new Map([
  ['transport', 'type'],
  ['cmd', 'command'],
  ['executable', 'command'],
  ['arguments', 'args'],
  ['argv', 'args'],
  ['environment', 'env'],
  ['workingDirectory', 'cwd'],
  ['uri', 'url'],
  ['endpoint', 'url'],
  ['serverUrl', 'url'],
  ['httpUrl', 'url'],
  ['timeout', 'timeouts'],
  ['protocolVersion', 'revision'],
]);

function writeInstead(name: string, ours: string): string {
  return `Unknown member ${quote(name)}; write "${ours}" instead.`;
}

function adviceOn(kind: EntryKind, name: string): string | undefined {
  const ours = FOREIGN_NAMES.get(name);
  if (ours !== undefined && MEMBERS[kind].includes(ours)) return writeInstead(name, ours);
  const other = KINDS.find((each) => MEMBERS[each].includes(name));
  if (other !== undefined) {
    return `"${name}" is for servers of type "${other}"; this one is of type "${kind}". Remove "${name}", or correct "type".`;
  }
  if (name === 'enabled')
    return 'Unknown member "enabled"; write "disabled", with the opposite value.';
  if (name === 'dev') return `"dev" is VS Code's own and does nothing here; remove it.`;
  return undefined;
}

function typeProblem(type: unknown): string {
  const isHttp = typeof type === 'string' && /http/i.test(type);
  return isHttp
    ? 'For Streamable HTTP write "type": "http".'
    : '"type" must be "stdio" (a command to start), "http" (an address), "sse" (an address of HTTP+SSE) or "socket" (a local one).';
}

/** Of which kind an entry is, from `type` or from the member that only that kind has. */
function entryKind(node: Node, name: string, nameRange: TextRange): EntryKind | ConfigProblem {
  const members = membersOf(node);
  const type = members.findLast(({ key }) => key === 'type');
  if (type !== undefined) {
    const value = valueOf(type.value);
    const known = KINDS.find((kind) => kind === value);
    if (known !== undefined) return known;
    return { message: typeProblem(value), ...rangeOf(type.value) };
  }
  const command = members.find(({ key }) => key === 'command');
  const url = members.find(({ key }) => key === 'url');
  if (command !== undefined && url !== undefined) {
    const message =
      'A server has "command" (a program to start) or "url" (an address), not both; remove one.';
    return { message, ...url.keyRange };
  }
  if (command !== undefined) return 'stdio';
  if (url !== undefined) return isLineSocketUrl(String(valueOf(url.value))) ? 'socket' : 'http';
  for (const { key, keyRange } of members) {
    const meant = FOREIGN_NAMES.get(key) ?? nearestName(key, ['command', 'url']);
    if (meant === 'command' || meant === 'url') {
      return { message: writeInstead(key, meant), ...keyRange };
    }
  }
  const message = `Server ${quote(name)} needs "command" (a program to start) or "url" (an address).`;
  return { message, ...nameRange };
}

/** What is wrong with the variables of an entry, as far as the file alone tells. */
function variableProblems(node: Node, inputIds: readonly string[]): ConfigProblem[] {
  return stringsIn(node).flatMap((text) =>
    variablesIn(String(text.value)).flatMap((variable) => {
      if (variable.kind === 'unknown') return [{ message: variable.message, ...rangeOf(text) }];
      if (variable.kind !== 'input' || inputIds.includes(variable.id)) return [];
      return [{ message: undefinedInput(variable.id, inputIds), ...rangeOf(text) }];
    }),
  );
}

function shapeOutcome(kind: EntryKind, context: IssueContext): EntryOutcome {
  const value = valueOf(context.node);
  const issuesOf = (error: z.core.$ZodError): EntryOutcome => ({
    kind: 'problems',
    problems: explainIssues(error.issues, context),
  });
  if (kind === 'stdio') {
    const parsed = stdioEntry.safeParse(value);
    return parsed.success
      ? { kind: 'entry', entry: stdioEntryFrom(parsed.data) }
      : issuesOf(parsed.error);
  }
  if (kind === 'socket') {
    const parsed = socketEntry.safeParse(value);
    return parsed.success
      ? { kind: 'entry', entry: socketEntryFrom(parsed.data) }
      : issuesOf(parsed.error);
  }
  const parsed = (kind === 'http' ? httpEntry : sseEntry).safeParse(value);
  return parsed.success
    ? { kind: 'entry', entry: httpEntryFrom(parsed.data) }
    : issuesOf(parsed.error);
}

/** Reads one entry of `servers`; every problem is named with the server and stands at its place. */
export function parseEntry(
  node: Node,
  name: string,
  nameRange: TextRange,
  inputIds: readonly string[],
): EntryOutcome {
  const failed = (problems: readonly ConfigProblem[]): EntryOutcome => ({
    kind: 'problems',
    problems: problems.map((problem) => ({ ...problem, server: name })),
  });
  if (node.type !== 'object') {
    const message = `Server ${quote(name)} must be an object, such as { "command": "npx", "args": [] }.`;
    return failed([{ message, ...rangeOf(node) }]);
  }
  const kind = entryKind(node, name, nameRange);
  if (typeof kind !== 'string') return failed([kind]);
  const outcome = shapeOutcome(kind, {
    node,
    subject: `Server ${quote(name)}`,
    fallback: nameRange,
    known: (path) => PARTS.get(path[0]) ?? MEMBERS[kind],
    adviceOn: (member) => adviceOn(kind, member),
  });
  const doubled = badNamesIn(node).map(({ key, keyRange }) => ({
    message:
      key === '__proto__'
        ? '"__proto__" cannot be used as a name; remove it.'
        : `${quote(key)} is written twice; remove one.`,
    ...keyRange,
  }));
  const problems = [
    ...(outcome.kind === 'problems' ? outcome.problems : []),
    ...doubled,
    ...variableProblems(node, inputIds),
  ];
  return problems.length > 0 ? failed(problems) : outcome;
}
