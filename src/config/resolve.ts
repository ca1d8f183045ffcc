import { posix, win32, type PlatformPath } from 'node:path';
import { readEnvFile } from './envFile.ts';
import type {
  BridgeOptions,
  HttpEntry,
  OAuthSettings,
  ServerEntry,
  SocketEntry,
  StdioEntry,
} from './serverEntry.ts';
import { isZapUrl, parseZapAddress, type ZapAddress } from '../protocol/zap/address.ts';
import { describeHttpProblem, describeUrlProblem } from './serverUrl.ts';
import { describeSocketProblem, isSocketUrl, socketPath } from './socketUrl.ts';
import { substitute, type VariableContext } from './variables.ts';

/** A server ready to be started or called: no variable is left, so secrets can stand in it. */
export type ResolvedServer =
  ResolvedStdioServer | ResolvedHttpServer | ResolvedSocketServer | ResolvedZapServer;

/** A program, ready to be started without a shell. */
export interface ResolvedStdioServer extends BridgeOptions {
  readonly kind: 'stdio';
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What to change in the environment of the program; null removes a variable. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Always absolute. */
  readonly cwd: string;
}

/** An address, ready to be called. */
export interface ResolvedHttpServer extends BridgeOptions {
  /** `sse`: the address is known to be that of an event stream of HTTP+SSE. */
  readonly kind: 'http' | 'sse';
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
}

/** A socket on which MCP over ZAP is spoken. */
export interface ResolvedZapServer extends BridgeOptions {
  readonly kind: 'zap';
  readonly name: string;
  readonly url: string;
  readonly address: ZapAddress;
}

/** A local socket, ready to be connected to. */
export interface ResolvedSocketServer extends BridgeOptions {
  readonly kind: 'socket';
  readonly name: string;
  /** As the system knows it: of a socket file, or of a named pipe. */
  readonly path: string;
}

/** Something found at one member of the entry; `path` leads there from the entry. */
export interface ResolveProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What an entry came to. `warnings`: it can start, but hardly as its author meant. */
export type Resolution =
  | {
      readonly kind: 'resolved';
      readonly server: ResolvedServer;
      readonly warnings: readonly ResolveProblem[];
    }
  | { readonly kind: 'problems'; readonly problems: readonly ResolveProblem[] }
  | { readonly kind: 'cancelled'; readonly input: string };

/** Replaces the variables of one entry after another and keeps what was found on the way. */
class EntryResolver {
  readonly problems: ResolveProblem[] = [];
  readonly warnings: ResolveProblem[] = [];
  cancelled: string | undefined;
  readonly #context: VariableContext;

  constructor(context: VariableContext) {
    const answers = new Map<string, Promise<string | undefined>>();
    this.#context = {
      ...context,
      // An input is asked for once, however often it is used.
      resolveInput: (id) => {
        const answer = answers.get(id) ?? context.resolveInput(id);
        answers.set(id, answer);
        return answer;
      },
    };
  }

  /** The text with its variables replaced; as it was where that failed, which is then kept. */
  async text(value: string, ...path: (string | number)[]): Promise<string> {
    // Nobody wants to be asked the next question after having refused one.
    if (this.cancelled !== undefined) return value;
    const result = await substitute(value, this.#context);
    if (result.kind === 'cancelled') this.cancelled = result.input;
    if (result.kind === 'problem') this.problems.push({ path, message: result.message });
    if (result.kind !== 'text') return value;
    for (const name of result.unset) {
      const message = `The environment variable ${name} is not set; an empty text stands in its place.`;
      this.warnings.push({ path, message });
    }
    if (result.text.includes('\0')) {
      this.problems.push({ path, message: 'A NUL character cannot be passed on.' });
    }
    return result.text;
  }

  async texts(values: readonly string[], member: string): Promise<string[]> {
    const texts: string[] = [];
    for (const [i, value] of values.entries()) texts.push(await this.text(value, member, i));
    return texts;
  }

  async record<T extends string | number | null>(
    values: Readonly<Record<string, T>>,
    member: string,
  ): Promise<Record<string, string | Extract<T, null>>> {
    const entries: [string, string | Extract<T, null>][] = [];
    for (const [name, value] of Object.entries(values)) {
      entries.push([
        name,
        value === null ? (value as Extract<T, null>) : await this.text(String(value), member, name),
      ]);
    }
    return Object.fromEntries(entries);
  }

  /** A path: `~` at its start is the home folder, and a relative one starts at the workspace folder. */
  async path(value: string, member: string): Promise<string> {
    const path = pathOf(this.#context.platform);
    const text = untildify(await this.text(value, member), this.#context);
    if (path.isAbsolute(text) || this.cancelled !== undefined) return text;
    const { workspaceFolder } = this.#context;
    if (workspaceFolder !== undefined) return path.resolve(workspaceFolder, text);
    // After a problem with a variable the text is not a path yet.
    if (this.problems.every((problem) => problem.path[0] !== member)) {
      const message = `"${member}" is a relative path, and no folder is open; write the whole path.`;
      this.problems.push({ path: [member], message });
    }
    return text;
  }

  finish(server: ResolvedServer): Resolution {
    if (this.problems.length > 0) return { kind: 'problems', problems: this.problems };
    if (this.cancelled !== undefined) return { kind: 'cancelled', input: this.cancelled };
    return { kind: 'resolved', server, warnings: this.warnings };
  }
}

function pathOf(platform: NodeJS.Platform): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

function untildify(text: string, context: VariableContext): string {
  const isHome = text === '~' || text.startsWith('~/') || text.startsWith('~\\');
  return isHome ? context.userHome + text.slice(1) : text;
}

function bridgeOptions({ revision, reader, tasks, timeouts }: BridgeOptions): BridgeOptions {
  return {
    ...(revision && { revision }),
    ...(reader && { reader }),
    ...(tasks && { tasks }),
    timeouts,
  };
}

async function resolveStdio(
  name: string,
  entry: StdioEntry,
  context: VariableContext,
): Promise<Resolution> {
  const resolver = new EntryResolver(context);
  const command = untildify(await resolver.text(entry.command, 'command'), context);
  const args = await resolver.texts(entry.args, 'args');
  const env = await resolver.record(entry.env, 'env');
  const envPath =
    entry.envFile === undefined ? undefined : await resolver.path(entry.envFile, 'envFile');
  const home = context.workspaceFolder ?? context.userHome;
  const cwd = entry.cwd === undefined ? home : await resolver.path(entry.cwd, 'cwd');
  if (command === '') resolver.problems.push({ path: ['command'], message: '"command" is empty.' });
  const isFit = resolver.problems.length === 0 && resolver.cancelled === undefined;
  const file = isFit && envPath !== undefined ? await readEnvFile(envPath) : undefined;
  if (file?.kind === 'problem') {
    resolver.problems.push({ path: ['envFile'], message: file.message });
  }
  const fromFile = file?.kind === 'env' ? file.env : {};
  return resolver.finish({
    kind: 'stdio',
    name,
    command,
    args,
    env: { ...fromFile, ...env },
    cwd,
    ...bridgeOptions(entry),
  });
}

async function resolveHttp(
  name: string,
  entry: HttpEntry,
  context: VariableContext,
): Promise<Resolution> {
  const resolver = new EntryResolver(context);
  const url = await resolver.text(entry.url, 'url');
  const isReplaced = resolver.problems.length === 0 && resolver.cancelled === undefined;
  const describe = entry.kind === 'http' ? describeUrlProblem : describeHttpProblem;
  const urlProblem = isReplaced ? describe(url) : undefined;
  if (urlProblem !== undefined) {
    resolver.problems.push({ path: ['url'], message: `"url" ${urlProblem}.` });
  }
  const headers = await resolver.record(entry.headers, 'headers');
  for (const [header, value] of Object.entries(headers)) {
    // What a header can hold (RFC 9110, section 5.5); others would be refused later, without a place.
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      const message = `The value of the header "${header}" holds a line break or another character that no header can.`;
      resolver.problems.push({ path: ['headers', header], message });
    }
  }
  if (isReplaced && entry.kind === 'http' && isZapUrl(url))
    return resolveZap(name, url, entry, resolver);
  if (isSocketUrl(url) && entry.oauth !== undefined) {
    const message = 'A server on a local socket is not signed in to; remove "oauth".';
    resolver.problems.push({ path: ['oauth'], message });
  }
  const oauth = entry.oauth && (await resolveOAuth(entry.oauth, resolver));
  return resolver.finish({
    kind: entry.kind,
    name,
    url,
    headers,
    ...(oauth !== undefined && { oauth }),
    ...bridgeOptions(entry),
  });
}

async function resolveOAuth(
  settings: OAuthSettings,
  resolver: EntryResolver,
): Promise<OAuthSettings> {
  const members: [string, string | number][] = [];
  for (const [name, value] of Object.entries(settings)) {
    const isText = typeof value === 'string';
    members.push([name, isText ? await resolver.text(value, 'oauth', name) : value]);
  }
  return Object.fromEntries(members);
}

function resolveZap(
  name: string,
  url: string,
  entry: HttpEntry,
  resolver: EntryResolver,
): Resolution {
  if (Object.keys(entry.headers).length > 0) {
    const message = 'ZAP has no headers; remove "headers".';
    resolver.problems.push({ path: ['headers'], message });
  }
  if (entry.oauth !== undefined) {
    const message = 'ZAP has no sign-in; remove "oauth".';
    resolver.problems.push({ path: ['oauth'], message });
  }
  const address = parseZapAddress(url);
  // Of a faulty address the problem has been told already.
  if (address.kind === 'problem') return { kind: 'problems', problems: resolver.problems };
  return resolver.finish({ kind: 'zap', name, url, address, ...bridgeOptions(entry) });
}

async function resolveSocket(
  name: string,
  entry: SocketEntry,
  context: VariableContext,
): Promise<Resolution> {
  const resolver = new EntryResolver(context);
  const url = await resolver.text(entry.url, 'url');
  const isReplaced = resolver.problems.length === 0 && resolver.cancelled === undefined;
  const urlProblem = isReplaced ? describeSocketProblem(url) : undefined;
  if (urlProblem !== undefined) {
    resolver.problems.push({ path: ['url'], message: `"url" ${urlProblem}.` });
  }
  const path = urlProblem === undefined && isReplaced ? socketPath(url) : '';
  return resolver.finish({ kind: 'socket', name, path, ...bridgeOptions(entry) });
}

/**
 * Replaces the variables of an entry and reads its `envFile`. Questions to the user are put one after the other, in
 * the order in which the variables stand; the first one refused ends it. Never throws.
 */
export async function resolveServer(
  name: string,
  entry: ServerEntry,
  context: VariableContext,
): Promise<Resolution> {
  switch (entry.kind) {
    case 'stdio':
      return resolveStdio(name, entry, context);
    case 'http':
    case 'sse':
      return resolveHttp(name, entry, context);
    case 'socket':
      return resolveSocket(name, entry, context);
  }
}
