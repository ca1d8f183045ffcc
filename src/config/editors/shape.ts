import { isSocketUrl } from '../socketUrl.ts';
import { isObject, type Converter, type Members } from './converter.ts';

/** An entry in the shape of `mcp-rosetta.json`, not checked yet, and what of the original has no place in it. */
export type Shaped =
  | { readonly kind: 'shaped'; readonly entry: Members; readonly lost: readonly string[] }
  | { readonly kind: 'left'; readonly reason: string };

/** They say nothing that the other members do not. */
const SILENT = ['type', 'source', 'enabled', 'disabled'];
const STDIO = new Set(['command', 'args', 'env', 'envFile', 'cwd', ...SILENT]);
const REMOTE = new Set(['url', 'serverUrl', 'headers', 'oauth', 'auth', ...SILENT]);
const HTTP_TYPES = new Set<unknown>([undefined, 'http', 'streamable-http', 'streamableHttp']);

/** How programs spell what `oauth` says here: VS Code and Claude Code, Zed, Cursor. */
const OAUTH: ReadonlyMap<string, string> = new Map([
  ['clientId', 'clientId'],
  ['client_id', 'clientId'],
  ['CLIENT_ID', 'clientId'],
  ['clientSecret', 'clientSecret'],
  ['client_secret', 'clientSecret'],
  ['CLIENT_SECRET', 'clientSecret'],
  ['callbackPort', 'callbackPort'],
  ['scopes', 'scope'],
  ['scope', 'scope'],
]);

/** Why nobody else can start some of Zed's servers, as a clause. */
export const OF_EXTENSION = 'an extension starts it, and only the editor knows how';

/** Puts another program's entry into the shape of `mcp-rosetta.json`, or says why that cannot be. */
export function shapeEntry(original: Members, converter: Converter): Shaped {
  const members = flatten(original);
  const { type, command } = members;
  const url = members['url'] ?? members['serverUrl'];
  if (command !== undefined && (type === undefined || type === 'stdio')) {
    return finish(stdioEntry(members, converter), members, STDIO, [], converter);
  }
  if (url !== undefined && (type === 'sse' || HTTP_TYPES.has(type))) {
    const lost: string[] = [];
    const oauth = oauthOf(members['oauth'] ?? members['auth'], converter, lost);
    const { headers } = members;
    const isTyped = type !== undefined || (typeof url === 'string' && isSocketUrl(url));
    const entry = {
      // The others mean HTTP by a socket, too; here, one of no type speaks lines.
      ...(isTyped && { type: type === 'sse' ? 'sse' : 'http' }),
      url: converter.convert(url),
      ...(headers !== undefined && { headers: converter.convert(headers) }),
      ...(oauth !== undefined && { oauth }),
    };
    return finish(entry, members, REMOTE, lost, converter);
  }
  if (members['source'] === 'extension' || 'settings' in members) {
    return { kind: 'left', reason: OF_EXTENSION };
  }
  if (type !== undefined && type !== 'stdio')
    return { kind: 'left', reason: `its type is ${JSON.stringify(type)}` };
  return { kind: 'left', reason: 'it has neither a command nor an address' };
}

/** Without what says nothing: Zed writes null for what it leaves out. */
function present(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** Zed once kept the command, its arguments and its environment in a member of their own. */
function flatten(members: Members): Members {
  const { command, ...others } = members;
  if (!isObject(command)) return present(members);
  const { path, ...rest } = command;
  return { command: path, ...present(rest), ...present(others) };
}

function stdioEntry(members: Members, converter: Converter): Members {
  const { type, command, args, env, envFile, cwd } = members;
  const { project, target } = converter.context;
  // A program is started in its project's folder, and a relative path in its arguments may count on that.
  const folder = cwd ?? (project === target ? undefined : project);
  return {
    ...(type !== undefined && { type }),
    command: converter.convert(command),
    ...(args !== undefined && { args: converter.convert(args) }),
    ...(env !== undefined && { env: converter.convert(env) }),
    ...(envFile !== undefined && { envFile: converter.path(envFile) }),
    ...(folder !== undefined && { cwd: cwd === undefined ? folder : converter.path(cwd) }),
  };
}

function oauthOf(value: unknown, converter: Converter, lost: string[]): Members | undefined {
  if (!isObject(value)) return undefined;
  const members = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    const name = OAUTH.get(key);
    if (name === undefined) {
      lost.push(key);
      return [];
    }
    const text = Array.isArray(each) ? each.join(' ') : each;
    return [[name, converter.convert(text)]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Adds what every entry can say, and names what none can. */
function finish(
  entry: Members,
  members: Members,
  known: ReadonlySet<string>,
  lost: readonly string[],
  { context }: Converter,
): Shaped {
  const requestMs = timeoutOf(members['timeout'], context.program === 'zed');
  const isDisabled = members['disabled'] === true || members['enabled'] === false;
  const unknown = Object.keys(members).filter((key) => {
    return !known.has(key) && (key !== 'timeout' || requestMs === undefined);
  });
  return {
    kind: 'shaped',
    entry: {
      ...entry,
      ...(requestMs !== undefined && { timeouts: { requestMs } }),
      ...(isDisabled && { disabled: true }),
    },
    lost: [...lost, ...unknown],
  };
}

/** In milliseconds, as Claude Code counts; Zed counts in seconds. */
function timeoutOf(timeout: unknown, isInSeconds: boolean): number | undefined {
  if (typeof timeout !== 'number') return undefined;
  const ms = isInSeconds ? timeout * 1000 : timeout;
  return Number.isInteger(ms) && ms > 0 && ms < 2 ** 31 ? ms : undefined;
}
