import { constants } from 'node:os';
import packageJson from '../../package.json' with { type: 'json' };
import { createAuthorizer, createBridge } from '../bridge/createBridge.ts';
import { DEFAULT_TIMEOUTS } from '../bridge/timeouts.ts';
import { quote } from '../config/quote.ts';
import { createRedactor } from '../config/redactor.ts';
import { parseArguments } from './arguments.ts';
import type { CliCommand } from './command.ts';
import { eraCacheFile, eraMemory } from './eraCache.ts';
import type { Face } from './face.ts';
import { createLog, logEvent, type Log } from './log.ts';
import { runCall } from './runCall.ts';
import { runLogin } from './runLogin.ts';
import { runLogout } from './runLogout.ts';
import { runReplay } from './runReplay.ts';
import { matrix } from './runMatrix.ts';
import { runServe } from './runServe.ts';
import { runStdio } from './runStdio.ts';
import { runTools } from './runTools.ts';
import { runShow } from './runShow.ts';
import { tellSlowStart } from './slowStart.ts';
import { findServers } from './servers.ts';
import { createSignIn } from './signIn.ts';
import { openWatch } from './watch.ts';

/** What reads standard output has seen enough, as `head` does; nothing is wrong. */
const UNREAD: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);
const FAILED = 1;
const USAGE = 2;
/** As shells count what a signal has ended. */
const SIGNAL_BASE = 128;
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type EndSignal = (typeof END_SIGNALS)[number];

async function main(argv: readonly string[]): Promise<number> {
  const command = parseArguments(argv, process.env);
  // The token is for the bridge's own clients, the address and the headers of a wrapped entry for one server: whatever is
  // started, a browser too, would inherit them.
  for (const name of Object.keys(process.env)) {
    if (/^MCP_ROSETTA_(TOKEN|URL|HEADER_\d+)$/.test(name)) delete process.env[name];
  }
  switch (command.kind) {
    case 'usage':
      process.stderr.write(`${command.message}\n`);
      return USAGE;
    case 'help':
      process.stdout.write(command.text);
      return 0;
    case 'version':
      process.stdout.write(`${packageJson.version}\n`);
      return 0;
    case 'matrix':
      process.stdout.write(
        matrix(command, process.stdout.isTTY ? process.stdout.columns : Infinity),
      );
      return 0;
    case 'replay':
      return runReplay(command.file);
    case 'show':
      return runShow(command.file);
    case 'import':
    case 'wrap':
    case 'unwrap':
      return edit(command);
    case 'stdio':
    case 'serve':
    case 'tools':
    case 'call':
    case 'login':
    case 'logout':
      return run(command);
  }
}

/** Loaded only here, because an editor that starts a server must not wait for what edits its files. */
async function edit(
  command: Extract<CliCommand, { kind: 'import' | 'wrap' | 'unwrap' }>,
): Promise<number> {
  const log = createLog('warning', (line) => process.stderr.write(line));
  if (command.kind === 'import') {
    const { runImport } = await import('./runImport.ts');
    return runImport(command, log);
  }
  const { runWrap } = await import('./runWrap.ts');
  return runWrap(command, log);
}

type ServerCommand = Extract<
  CliCommand,
  { kind: 'stdio' | 'serve' | 'tools' | 'call' | 'login' | 'logout' }
>;

async function run(command: ServerCommand): Promise<number> {
  const { options, target } = command;
  let signal: EndSignal | undefined;
  const signalled = new Promise<void>((resolve) => {
    for (const each of END_SIGNALS) {
      process.once(each, () => {
        signal ??= each;
        resolve();
      });
    }
  });
  const write = createLog(options.logLevel, (line) => process.stderr.write(line));
  // What breaks off because the user wants it to is no news.
  const log: Log = (level, message) => {
    if (signal === undefined) write(level, message);
  };
  const found = await findServers(target, options, process.env);
  if (found.kind === 'failed') {
    log('error', found.message);
    return FAILED;
  }
  for (const problem of found.problems) log('error', problem);
  // The problems have said why.
  if (found.servers.length === 0) return FAILED;
  const isForOne = command.kind === 'stdio' || command.kind === 'call';
  if (isForOne && found.servers.length > 1) {
    log(
      'error',
      whichOf(
        found.servers.map(({ name }) => name),
        command,
      ),
    );
    return FAILED;
  }
  const opened = openWatch(options, packageJson.version, (message) => log('error', message));
  if (opened.kind === 'failed') {
    log('error', opened.message);
    return FAILED;
  }
  const { watch } = opened;
  const cache = eraCacheFile(process.env);
  const signIns = found.servers.map((server) => {
    const signIn = createSignIn(command.kind, server.name, target, process.env, log);
    return { server, signIn, authorizer: createAuthorizer(server, signIn) };
  });
  const bridges = signIns.map(({ server, authorizer }) => {
    const redact = createRedactor(server, [], authorizer?.secrets);
    const bridge = createBridge(server, {
      redact,
      reader: options.reader ?? 'spec',
      policy: options.policy,
      memory: eraMemory(server, cache),
      signIn: authorizer,
    });
    const tell: Log = (level, message) => log(level, redact(message));
    const { probeMs, startMs } = { ...DEFAULT_TIMEOUTS, ...server.timeouts };
    const hasStderr = server.kind === 'stdio';
    const tellStart = tellSlowStart({ afterMs: probeMs, limitMs: startMs, hasStderr }, (message) =>
      tell('warning', `[${server.name}] ${message}`),
    );
    bridge.onEvent((event) => {
      logEvent(tell, server.name, event);
      tellStart(event);
    });
    watch.watch(bridge, server, redact);
    return bridge;
  });
  const face: Face = {
    bridges,
    signIns,
    log,
    version: packageJson.version,
    onSignal: (listener) => void signalled.then(listener),
  };
  // Who serves says goodbye to its clients first; the others have nothing to finish.
  const isServing = command.kind === 'stdio' || command.kind === 'serve';
  const running = runCommand(face, command);
  const ended = isServing ? await running : await Promise.race([running, signalled]);
  await Promise.all(bridges.map((bridge) => bridge.close()));
  watch.close();
  return signal === undefined || (isServing && signal !== 'SIGINT')
    ? typeof ended === 'number'
      ? ended
      : FAILED
    : SIGNAL_BASE + constants.signals[signal];
}

/** What is missing where a file has several servers and a command is for one. */
function whichOf(
  names: readonly string[],
  command: Extract<ServerCommand, { kind: 'stdio' | 'call' }>,
): string {
  if (command.kind === 'call' && names.includes(command.tool)) {
    const server = quote(command.tool);
    return `${server} is a server; name one of its tools, too: mcp-rosetta call ${server} TOOL --config FILE`;
  }
  const words = command.kind === 'call' ? 'call NAME TOOL' : 'stdio NAME';
  const list = names.map(quote).join(', ');
  return `There are several servers, ${list}; say which: mcp-rosetta ${words} --config FILE`;
}

function runCommand(face: Face, command: ServerCommand): Promise<number> {
  switch (command.kind) {
    case 'stdio':
      return runStdio(face);
    case 'serve':
      return runServe(face, command);
    case 'tools':
      return runTools(face, command.json);
    case 'call':
      return runCall(face, command);
    case 'login':
      return runLogin(face);
    case 'logout':
      return runLogout(face);
  }
}

/** Keeps a standard stream that cannot be written from ending the program; lost output is told of and makes it fail. */
function watchOutput(): void {
  // Where stderr is gone, nobody is left to be told.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (UNREAD.has(error.code) || process.exitCode === FAILED) return;
    process.stderr.write(`mcp-rosetta: Cannot write the output: ${error.message}\n`);
    process.exitCode = FAILED;
  });
}

watchOutput();
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = process.exitCode === FAILED ? FAILED : code;
});
