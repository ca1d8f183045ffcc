import type { Node } from 'jsonc-parser';
import { badNamesIn, membersOf, nodeAt, valueOf, type TreeMember } from '../jsonTree.ts';
import { quote } from '../quote.ts';
import { describeHttpProblem } from '../serverUrl.ts';
import { OF_EXTENSION } from './shape.ts';
import { isLineSocketUrl } from '../socketUrl.ts';
import { edited, memberRange, separatorIn, type TextEdit } from './rawEntry.ts';

/** How the bridge is started: what stands before the flags that name the server. */
export interface Wrapper {
  readonly command: string;
  readonly args: readonly string[];
}

/** What became of an entry: `raw` is its text behind the bridge, `reason` a clause. */
export type Wrapping =
  | { readonly kind: 'wrapped'; readonly raw: string }
  | { readonly kind: 'already' }
  | { readonly kind: 'left'; readonly reason: string };

/** The variables that carry an address and headers, which can hold secrets, past the command line. */
export const URL_VARIABLE = 'MCP_ROSETTA_URL';
const HEADER_VARIABLE = 'MCP_ROSETTA_HEADER_';

const REMOTE_TYPES = new Set<unknown>([
  undefined,
  'http',
  'sse',
  'streamable-http',
  'streamableHttp',
]);
/** Ways of signing in that the editor has and a command line cannot be given. */
const SIGN_IN = ['oauth', 'auth', 'headersHelper'];
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function left(reason: string): Wrapping {
  return { kind: 'left', reason };
}

/**
 * Puts the bridge before the server of an entry. Of the text of the entry only what says how the server is started or
 * reached changes; what the editor replaces in it, it replaces afterwards as well.
 */
export function wrapEntry(text: string, entry: Node, wrapper: Wrapper): Wrapping {
  if (entry.type !== 'object') return left('it is no object');
  const [bad] = badNamesIn(entry);
  if (bad !== undefined) return left(`${quote(bad.key)} is written twice`);
  if (isWrapped(entry)) return { kind: 'already' };
  const members = new Map(membersOf(entry).map((member) => [member.key, member]));
  const command = members.get('command')?.value;
  const url = members.get('url') ?? members.get('serverUrl');
  const type: unknown = members.get('type')?.value.value;
  if (command !== undefined && (type === undefined || type === 'stdio')) {
    return command.type === 'object'
      ? wrapCommand(text, entry, command, nodeAt(command, ['path']), wrapper)
      : wrapCommand(text, entry, entry, command, wrapper);
  }
  if (url !== undefined && REMOTE_TYPES.has(type)) {
    return wrapAddress(text, entry, members, url, wrapper);
  }
  if (members.get('source')?.value.value === 'extension' || members.has('settings')) {
    return left(OF_EXTENSION);
  }
  if (type !== undefined && type !== 'stdio') return left(`its type is ${JSON.stringify(type)}`);
  return left('it has neither a command nor an address');
}

/** Whether an entry starts the bridge as it is. */
export function isWrapped(entry: Node): boolean {
  const { command, args } = commandOf(entry);
  const [script = '', word] = args;
  if (/(^|[\\/])mcp-rosetta(\.cmd|\.exe)?$/i.test(command)) return script === 'stdio';
  return word === 'stdio' && /(^|[\\/])(cli\.cjs|mcp-rosetta)$/.test(script);
}

/** The command of an entry and its arguments, wherever a program keeps them. */
export function commandOf(entry: Node): { command: string; args: readonly string[] } {
  const command = nodeAt(entry, ['command']);
  const holder = command?.type === 'object' ? command : entry;
  const value: unknown = (command?.type === 'object' ? nodeAt(command, ['path']) : command)?.value;
  const args = nodeAt(holder, ['args']);
  const items: unknown = args === undefined ? [] : valueOf(args);
  return {
    command: typeof value === 'string' ? value : '',
    args: Array.isArray(items) ? items.filter((item) => typeof item === 'string') : [],
  };
}

function list(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ');
}

function wrapCommand(
  text: string,
  entry: Node,
  holder: Node,
  command: Node | undefined,
  wrapper: Wrapper,
): Wrapping {
  if (command?.type !== 'string' || command.value === '') return left('its command is no text');
  const args = nodeAt(holder, ['args']);
  const items = args?.children ?? [];
  if (args !== undefined && (args.type !== 'array' || items.some(({ type }) => type !== 'string')))
    return left('its "args" are no list of texts');
  const raw = text.slice(command.offset, command.offset + command.length);
  const before = `${list([...wrapper.args, '--'])}, ${raw}`;
  const edits: TextEdit[] = [{ ...range(command), content: JSON.stringify(wrapper.command) }];
  if (args === undefined) {
    const content = `${separatorIn(text, holder)}"args": [${before}]`;
    edits.push({ offset: command.offset + command.length, length: 0, content });
  } else {
    // The items stay where they are, with their comments: the bridge's own come before them.
    const start = args.offset + 1;
    const gap = /^\s*[\r\n]/.test(text.slice(start)) ? ',' : ', ';
    edits.push({ offset: start, length: 0, content: before + (items.length > 0 ? gap : '') });
  }
  return { kind: 'wrapped', raw: edited(text, entry, edits) };
}

function range({ offset, length }: Node): { offset: number; length: number } {
  return { offset, length };
}

function wrapAddress(
  text: string,
  entry: Node,
  members: ReadonlyMap<string, TreeMember>,
  url: TreeMember,
  wrapper: Wrapper,
): Wrapping {
  const signIn = SIGN_IN.find((key) => members.has(key));
  if (signIn !== undefined)
    return left(`it signs in by ${quote(signIn)}, which only a configuration can say; import it`);
  const beside = ['serverUrl', 'command', 'args'].find(
    (key) => key !== url.key && members.has(key),
  );
  if (beside !== undefined) return left(`it has ${quote(beside)} beside its address`);
  const address: unknown = url.value.value;
  if (typeof address !== 'string') return left('its address is no text');
  if (isLineSocketUrl(address)) {
    return left(`its socket needs the path of the request, as in ${quote(`${address}#/mcp`)}`);
  }
  const problem = address.includes('${') ? undefined : describeHttpProblem(address);
  if (problem !== undefined) return left(`its address ${problem}`);
  const headers = members.get('headers');
  const env = members.get('env');
  const pairs = headers === undefined ? [] : membersOf(headers.value);
  const isFit = pairs.every(({ key, value }) => HEADER_NAME.test(key) && value.type === 'string');
  if (!isFit || (headers !== undefined && headers.value.type !== 'object'))
    return left('its "headers" are no texts by names');
  if (env !== undefined && env.value.type !== 'object') return left('its "env" is no object');

  const names = [URL_VARIABLE, ...pairs.map((_, i) => `${HEADER_VARIABLE}${i + 1}`)];
  const taken = names.find((name) => env !== undefined && nodeAt(env.value, [name]) !== undefined);
  if (taken !== undefined) return left(`its "env" has ${quote(taken)} already`);

  const type = members.get('type');
  const flags = [
    ...(type?.value.value === 'sse' ? ['--type', 'sse'] : []),
    '--url-env',
    URL_VARIABLE,
    ...pairs.flatMap(({ key }, i) => ['--header-env', `${key}=${HEADER_VARIABLE}${i + 1}`]),
  ];
  const variables = [
    [URL_VARIABLE, url.value] as const,
    ...pairs.map(({ value }, i) => [`${HEADER_VARIABLE}${i + 1}`, value] as const),
  ].map(([name, value]) => {
    return `"${name}": ${text.slice(value.offset, value.offset + value.length)}`;
  });
  const others = env?.value.children ?? [];
  const kept = others.map((node) => text.slice(node.offset, node.offset + node.length));
  const commandText = `"command": ${JSON.stringify(wrapper.command)}`;
  const argsText = `"args": [${list([...wrapper.args, ...flags])}]`;
  const envText = `"env": { ${[...kept, ...variables].join(', ')} }`;
  const separator = separatorIn(text, entry);
  // Nothing is added between members or taken away: each place gets what fits into it.
  const places =
    headers === undefined
      ? env === undefined
        ? [[url, commandText, argsText, envText] as const]
        : [[url, commandText, argsText] as const, [env, envText] as const]
      : env === undefined
        ? [[url, commandText, argsText] as const, [headers, envText] as const]
        : [[url, commandText] as const, [headers, argsText] as const, [env, envText] as const];
  const edits = places.map(([member, ...pieces]): TextEdit => {
    return { ...memberRange(member), content: pieces.join(separator) };
  });
  if (type !== undefined) edits.push({ ...range(type.value), content: '"stdio"' });
  return { kind: 'wrapped', raw: edited(text, entry, edits) };
}
