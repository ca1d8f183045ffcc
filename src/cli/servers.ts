import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { fileProblem } from '../base/fileProblem.ts';
import { didYouMean } from '../config/nearestName.ts';
import { quote } from '../config/quote.ts';
import type { ResolvedServer } from '../config/resolve.ts';
import { httpAddress, isLineSocketUrl, socketPath } from '../config/socketUrl.ts';
import { isZapUrl, parseZapAddress } from '../protocol/zap/address.ts';
import type { CommonOptions, ConfigTarget, Target } from './command.ts';

/** The servers that a command is about, and what is wrong with those that were left out. */
export type Servers =
  | {
      readonly kind: 'servers';
      readonly servers: readonly ResolvedServer[];
      readonly problems: readonly string[];
    }
  | { readonly kind: 'failed'; readonly message: string };

/** Finds the servers of a target; a configuration file's faulty entries cost only themselves. */
export async function findServers(
  target: Target,
  options: CommonOptions,
  env: NodeJS.ProcessEnv,
): Promise<Servers> {
  const common = { timeouts: {}, ...overrides(options) };
  switch (target.kind) {
    case 'command': {
      const { command, args } = target;
      const name = basename(command);
      const server: ResolvedServer = {
        kind: 'stdio',
        name,
        command,
        args,
        env: {},
        cwd: process.cwd(),
        ...common,
      };
      return { kind: 'servers', servers: [server], problems: [] };
    }
    case 'url': {
      const { url, headers, isSse = false } = target;
      const address = isZapUrl(url) ? parseZapAddress(url) : undefined;
      if (address !== undefined && address.kind !== 'problem') {
        const server: ResolvedServer = { kind: 'zap', name: url, url, address, ...common };
        return { kind: 'servers', servers: [server], problems: [] };
      }
      if (isLineSocketUrl(url)) {
        const path = socketPath(url);
        const server: ResolvedServer = { kind: 'socket', name: basename(path), path, ...common };
        return { kind: 'servers', servers: [server], problems: [] };
      }
      const server: ResolvedServer = {
        kind: isSse ? 'sse' : 'http',
        name: nameOf(url),
        url,
        headers,
        ...common,
      };
      return { kind: 'servers', servers: [server], problems: [] };
    }
    case 'config':
      return fromFile(target, options, env);
  }
}

/** What a server is called that only its address is known of. */
function nameOf(text: string): string {
  const { url, socketPath: path } = httpAddress(text);
  return path === undefined ? url.host : basename(path);
}

async function fromFile(
  target: ConfigTarget,
  options: CommonOptions,
  env: NodeJS.ProcessEnv,
): Promise<Servers> {
  const { file, name: wanted } = target;
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { kind: 'failed', message: unreadable(target, error) };
  }
  // Loaded here, because the other targets must not wait for a schema library they do not use.
  const [{ parseConfig }, { resolveServer }] = await Promise.all([
    import('../config/parseConfig.ts'),
    import('../config/resolve.ts'),
  ]);
  const config = parseConfig(text);
  const isWanted = (name: string | undefined): boolean =>
    wanted === undefined || name === undefined || name === wanted;
  const named = config.problems.filter(({ server }) => isWanted(server));
  if (wanted !== undefined && named.length === 0) {
    const names = config.servers.map(({ name }) => name);
    if (!names.includes(wanted)) {
      const hint = didYouMean(wanted, names);
      const message = `${file} has no server ${quote(wanted)}${hint === '' ? '.' : hint}`;
      return { kind: 'failed', message };
    }
  }
  const problems = named.map((problem) => {
    const before = text.slice(0, problem.offset).split('\n');
    return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: ${problem.message}`;
  });
  const folder = dirname(resolve(file));
  const context = {
    workspaceFolder: basename(folder) === '.vscode' ? dirname(folder) : folder,
    userHome: homedir(),
    env,
    inputs: config.inputs,
    resolveInput: () => Promise.resolve(undefined),
    platform: process.platform,
  };
  const isDisabled = config.servers.filter(({ entry }) => entry.disabled).map(({ name }) => name);
  if (wanted !== undefined && isDisabled.includes(wanted)) {
    const message = `${file}: ${quote(wanted)} is disabled; take "disabled" out of its entry to use it.`;
    return { kind: 'failed', message };
  }
  const servers: ResolvedServer[] = [];
  for (const { name, entry } of config.servers) {
    if (entry.disabled || !isWanted(name)) continue;
    const resolution = await resolveServer(name, entry, context);
    switch (resolution.kind) {
      case 'resolved': {
        const { server } = resolution;
        servers.push({ ...server, ...overrides(options) });
        problems.push(...resolution.warnings.map(({ message }) => `${file}: ${name}: ${message}`));
        break;
      }
      case 'problems':
        problems.push(...resolution.problems.map(({ message }) => `${file}: ${name}: ${message}`));
        break;
      case 'cancelled':
        problems.push(
          `${file}: ${name}: it asks for the input "${resolution.input}", and the command line has nobody to ask; use \${env:NAME} instead.`,
        );
    }
  }
  if (servers.length === 0 && problems.length === 0) {
    const message =
      isDisabled.length === 0
        ? `${file} has no servers.`
        : `${file}: nothing is left to use; disabled: ${isDisabled.map(quote).join(', ')}.`;
    return { kind: 'failed', message };
  }
  return { kind: 'servers', servers, problems };
}

/** Why a configuration cannot be read; where nobody has named one, why one was looked for. */
function unreadable({ file, name, isAssumed = false }: ConfigTarget, error: unknown): string {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  if (isAssumed && isMissing) {
    return `${quote(name ?? '')} is no address (http:// or https://), and there is no ${file} here to look it up in. Name another file with --config.`;
  }
  return `Cannot read ${file}: ${fileProblem(error, 'read')}`;
}

/** What the flags say of every server, whatever its entry says. */
function overrides({
  revision,
  reader,
  tasks,
}: CommonOptions): Pick<CommonOptions, 'revision' | 'reader' | 'tasks'> {
  return { ...(revision && { revision }), ...(reader && { reader }), ...(tasks && { tasks }) };
}
