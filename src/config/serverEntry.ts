import type { Reader } from '../protocol/profile.ts';
import type { Revision } from '../protocol/revision.ts';
import type { TaskMode } from '../translate/tasks/taskMode.ts';
import type { HttpMembers, OAuthMembers, SocketMembers, StdioMembers } from './schema.ts';

/** The time limits an entry sets, in milliseconds; the bridge has its own for those left out. */
export interface Timeouts {
  readonly probeMs?: number;
  readonly startMs?: number;
  readonly requestMs?: number;
  readonly maxRequestMs?: number;
}

/** What any entry can say about the bridge's work on it. */
export interface BridgeOptions {
  readonly revision?: Revision;
  readonly reader?: Reader;
  readonly tasks?: TaskMode;
  readonly timeouts: Timeouts;
}

/** A program to start. Every text is as written in the file: variables stand in it. */
export interface StdioEntry extends BridgeOptions {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | number | null>>;
  readonly envFile?: string;
  readonly cwd?: string;
  readonly disabled: boolean;
}

/** A copy without the members that are undefined, which is what leaving a member out means to the types here. */
type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** What an entry says of signing in. Every text is as written in the file. */
export type OAuthSettings = Readonly<Present<OAuthMembers>>;

/** An address to call. Every text is as written in the file: variables stand in it. */
export interface HttpEntry extends BridgeOptions {
  /** `sse`: the address is known to be that of an event stream of HTTP+SSE. */
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
  readonly disabled: boolean;
}

/** A local socket to connect to. The text is as written in the file: variables stand in it. */
export interface SocketEntry extends BridgeOptions {
  readonly kind: 'socket';
  readonly url: string;
  readonly disabled: boolean;
}

/** One valid entry of the file. */
export type ServerEntry = StdioEntry | HttpEntry | SocketEntry;

function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<T>;
}

/** The members that every entry can have. */
function bridgeOptionsFrom(members: StdioMembers | HttpMembers | SocketMembers): BridgeOptions {
  const { revision, reader, tasks, timeouts = {} } = members;
  return { ...present({ revision, reader, tasks }), timeouts: present(timeouts) };
}

/** The entry that checked members stand for. */
export function stdioEntryFrom(members: StdioMembers): StdioEntry {
  const { command, args = [], env = {}, envFile, cwd, disabled = false } = members;
  return {
    kind: 'stdio',
    command,
    args,
    env,
    ...present({ envFile, cwd }),
    ...bridgeOptionsFrom(members),
    disabled,
  };
}

/** The entry that checked members stand for. */
export function httpEntryFrom(members: HttpMembers): HttpEntry {
  const { type = 'http', url, headers = {}, oauth, disabled = false } = members;
  return {
    kind: type,
    url,
    headers,
    ...(oauth !== undefined && { oauth: present(oauth) }),
    ...bridgeOptionsFrom(members),
    disabled,
  };
}

/** The entry that checked members stand for. */
export function socketEntryFrom(members: SocketMembers): SocketEntry {
  const { url, disabled = false } = members;
  return { kind: 'socket', url, ...bridgeOptionsFrom(members), disabled };
}
