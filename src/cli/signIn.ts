import packageJson from '../../package.json' with { type: 'json' };
import { listenForRedirect } from '../transports/authorization/loopbackRedirect.ts';
import type { Person, SignIn } from '../transports/authorization/signIn.ts';
import { createGrantStore, grantFolder } from './grantFile.ts';
import { quote } from '../config/quote.ts';
import type { ResolvedHttpServer, ResolvedServer } from '../config/resolve.ts';
import { isSocketUrl } from '../config/socketUrl.ts';
import type { Target } from './command.ts';
import type { Log } from './log.ts';
import { canOpenBrowser, openBrowser } from './openBrowser.ts';

/** How long a person may take to sign in. */
const PATIENCE_MS = 5 * 60_000;

/** When somebody is there to be asked: whatever happens, where there is a browser, or before a terminal. */
type Presence = 'always' | 'browser' | 'terminal';

/** By commands. An editor starts `stdio` without a terminal, for a person that sits before it. */
const PRESENCE = {
  stdio: 'browser',
  serve: 'terminal',
  tools: 'terminal',
  call: 'terminal',
  login: 'always',
  logout: 'terminal',
} as const satisfies Record<string, Presence>;

/** The server, where it has an address that can be signed in to; undefined for all others. */
export function remoteServer(server: ResolvedServer | undefined): ResolvedHttpServer | undefined {
  if (server?.kind !== 'http' && server?.kind !== 'sse') return undefined;
  return isSocketUrl(server.url) ? undefined : server;
}

/** Why nobody signs in to a server. */
export function describeUnsigned(server: ResolvedServer | undefined): string {
  const how =
    server?.kind === 'stdio' ? 'is started by a command' : 'is reached over a local socket or ZAP';
  return `${quote(server?.name ?? '')} ${how}, so nobody signs in to it.`;
}

/** What to type to sign in to a server. */
function loginCommand(name: string, target: Target): string {
  switch (target.kind) {
    case 'config':
      return `mcp-rosetta login ${quote(name)} --config ${quote(target.file)}`;
    case 'url':
      return `mcp-rosetta login ${quote(target.url)}`;
    case 'command':
      return 'mcp-rosetta login';
  }
}

function tokenAdvice(target: Target): string {
  return target.kind === 'config'
    ? 'Put its token into "headers" of the entry, as in "Authorization": "Bearer …".'
    : "Send its token with --header 'Authorization: Bearer …'.";
}

/** What the command line offers for signing in to the server of this name. */
export function createSignIn(
  command: keyof typeof PRESENCE,
  name: string,
  target: Target,
  env: NodeJS.ProcessEnv,
  log: Log,
): SignIn {
  return {
    store: createGrantStore(grantFolder(env), (server) =>
      log(
        'warning',
        `Another program is signing in to ${new URL(server).origin} just now; waiting until it is done.`,
      ),
    ),
    person: isThere(PRESENCE[command], env) ? createPerson(env, log) : undefined,
    advice: command === 'login' ? '' : `Sign in with: ${loginCommand(name, target)}`,
    tokenAdvice: tokenAdvice(target),
    program: { name: 'MCP Rosetta', version: packageJson.version },
  };
}

function isThere(presence: Presence, env: NodeJS.ProcessEnv): boolean {
  if (presence === 'always' || (env['BROWSER'] ?? '') !== '') return true;
  if ((env['CI'] ?? '') !== '' || !canOpenBrowser(env)) return false;
  return presence === 'browser' || process.stderr.isTTY;
}

function createPerson(env: NodeJS.ProcessEnv, log: Log): Person {
  return {
    listen: listenForRedirect,
    open: (page) => {
      log('warning', `Waiting for you to sign in at ${page.origin} in the browser.`);
      const opened = canOpenBrowser(env) ? openBrowser(page, env) : Promise.resolve(false);
      void opened.then((isOpen) => {
        if (isOpen) return;
        log('warning', `No browser could be opened. Open this address yourself: ${page.href}`);
      });
    },
    patienceMs: PATIENCE_MS,
  };
}
