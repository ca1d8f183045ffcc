import { visible } from '../base/visibleText.ts';
import { didYouMean } from '../config/nearestName.ts';
import { quote } from '../config/quote.ts';
import { READERS } from '../protocol/profile.ts';
import { REVISIONS } from '../protocol/revision.ts';
import { STRICT } from '../translate/policy.ts';
import { TASK_MODES } from '../translate/tasks/taskMode.ts';
import {
  LOG_LEVELS,
  type CliCommand,
  type CommonOptions,
  type Listen,
  type Target,
} from './command.ts';
import { readCallWords, readImport, readWrap } from './editorArguments.ts';
import { COMMANDS, isCommandName, type CommandName, type FlagName } from './flags.ts';
import {
  readName,
  readPolicy,
  readHold,
  readPort,
  readRevision,
  readToken,
  readUrl,
  readZapAddress,
  type Complain,
} from './flagValues.ts';
import { cutArguments, type Pieces } from './pieces.ts';
import { one, readFlags, type FlagValues } from './readFlags.ts';
import { readTarget, type Environment } from './readTarget.ts';
import { helpText } from './usage.ts';
import { refuseSharedFile } from './writtenFiles.ts';

function readCommon(values: FlagValues, complain: Complain): CommonOptions {
  const name = <T extends string>(flag: FlagName, names: readonly T[]): T | undefined => {
    const text = one(values, flag);
    return text === undefined ? undefined : readName(flag, text, names, complain);
  };
  const degrade = one(values, 'degrade');
  const revision = name('revision', REVISIONS);
  const reader = name('reader', READERS);
  const tasks = name('tasks', TASK_MODES);
  const reportFile = one(values, 'report');
  const recordFile = one(values, 'record');
  return {
    policy: (degrade === undefined ? undefined : readPolicy(degrade, complain)) ?? STRICT,
    ...(revision !== undefined && { revision }),
    ...(reader !== undefined && { reader }),
    ...(tasks !== undefined && { tasks }),
    ...(reportFile !== undefined && { reportFile }),
    ...(recordFile !== undefined && { recordFile }),
    logLevel: name('log-level', LOG_LEVELS) ?? 'warning',
  };
}

/** Where the configuration is looked for when nobody says. */
const DEFAULT_CONFIG = '.vscode/mcp-rosetta.json';

function readSignIn(
  command: 'login' | 'logout',
  { words, server }: Pieces,
  values: FlagValues,
  complain: Complain,
): CliCommand | undefined {
  const [, what, ...stray] = words;
  if (what === undefined || stray.length > 0 || server !== undefined) {
    return complain(`${command} takes one server: its address, or its name in the configuration.`);
  }
  const file = one(values, 'config');
  const options = readCommon(values, complain);
  if (!/^https?:\/\//i.test(what)) {
    return {
      kind: command,
      target: {
        kind: 'config',
        file: file ?? DEFAULT_CONFIG,
        name: what,
        ...(file === undefined && { isAssumed: true }),
      },
      options,
    };
  }
  if (file !== undefined)
    return complain('--config goes with the name of a server, not an address.');
  const url = readUrl(what, 'The address', complain);
  if (url === undefined) return undefined;
  return { kind: command, target: { kind: 'url', url, headers: {} }, options };
}

function readTokenOf(values: FlagValues, env: Environment, complain: Complain): string | undefined {
  const flag = one(values, 'token');
  if (flag !== undefined) return readToken('--token', flag, complain);
  const variable = env.MCP_ROSETTA_TOKEN ?? '';
  return variable === '' ? undefined : readToken('MCP_ROSETTA_TOKEN', variable, complain);
}

function readFileOf(
  command: 'replay' | 'show',
  { words, server }: Pieces,
  complain: Complain,
): CliCommand | undefined {
  const [, file, ...stray] = words;
  if (file === undefined || stray.length > 0 || server !== undefined) {
    return complain(`${command} takes one file, which --record has written.`);
  }
  return { kind: command, file };
}

function readMatrix(
  { words, server }: Pieces,
  values: FlagValues,
  complain: Complain,
): CliCommand | undefined {
  const [, from, to, ...stray] = words;
  if (server !== undefined) return complain('matrix needs no server.');
  if (stray.length > 0) return complain('matrix takes two revisions, or none.');
  if (values.has('json') && values.has('markdown')) {
    return complain('--json and --markdown exclude each other; give one.');
  }
  const format = values.has('json') ? 'json' : values.has('markdown') ? 'markdown' : 'text';
  if (from === undefined) return { kind: 'matrix', format };
  if (to === undefined) {
    return complain('matrix takes two revisions, as in mcp-rosetta matrix 2026-07-28 2025-11-25.');
  }
  if (format === 'markdown') return complain('--markdown prints the matrix of all revisions.');
  const pair = { from: readRevision(from, complain), to: readRevision(to, complain) };
  if (pair.from === undefined || pair.to === undefined) return undefined;
  return { kind: 'matrix', format, pair: { from: pair.from, to: pair.to } };
}

function readZap(values: FlagValues, env: Environment, complain: Complain): Listen | undefined {
  // ZAP has neither paths, which would tell servers apart, nor headers, which would hold a token.
  for (const flag of ['config', 'port', 'token', 'sse', 'hold', 'socket'] as const) {
    if (values.has(flag)) return complain(`--zap and --${flag} exclude each other; give one.`);
  }
  if ((env.MCP_ROSETTA_TOKEN ?? '') !== '') {
    return complain('MCP_ROSETTA_TOKEN is set, and over --zap no token can be demanded; unset it.');
  }
  const address = readZapAddress(one(values, 'zap') ?? '', complain);
  return address && { kind: 'zap', address };
}

function readListen(
  values: FlagValues,
  target: Target,
  env: Environment,
  complain: Complain,
): Listen | undefined {
  if (values.has('zap')) return readZap(values, env, complain);
  const path = one(values, 'socket');
  if (path !== undefined) {
    const http = (['port', 'token', 'sse', 'hold'] as const).find((flag) => values.has(flag));
    if (http !== undefined) {
      return complain(
        `--socket and --${http} exclude each other: with a socket nothing is served over HTTP.`,
      );
    }
    if (target.kind === 'config') {
      return complain(
        '--socket serves one server; give it by --url or after "--" instead of --config.',
      );
    }
    return { kind: 'socket', path };
  }
  const port = readPort(one(values, 'port') ?? '0', complain);
  const token = readTokenOf(values, env, complain);
  if (port === undefined) return undefined;
  const listen: Listen = {
    kind: 'http',
    port,
    sse: values.has('sse'),
    ...(token !== undefined && { token }),
  };
  const hold = one(values, 'hold');
  if (hold === undefined) return listen;
  const holdMs = readHold(hold, complain);
  return holdMs === undefined ? undefined : { ...listen, holdMs };
}

function readCall(
  pieces: Pieces,
  values: FlagValues,
  env: Environment,
  complain: Complain,
): CliCommand | undefined {
  const call = readCallWords(pieces.words, values.has('config'), complain);
  const words = ['call', ...(call?.name === undefined ? [] : [call.name])];
  const target = readTarget({ ...pieces, words }, values, 'call', env, complain);
  const options = readCommon(values, complain);
  if (call === undefined || target === undefined) return undefined;
  const { tool, input } = call;
  return { kind: 'call', target, options, tool, input, json: values.has('json') };
}

function readCommand(
  command: CommandName,
  pieces: Pieces,
  env: Environment,
  complain: Complain,
): CliCommand | undefined {
  const values = readFlags(pieces.flags, command, complain);
  refuseSharedFile(values, complain);
  if (command === 'matrix') return readMatrix(pieces, values, complain);
  if (command === 'login' || command === 'logout') {
    return readSignIn(command, pieces, values, complain);
  }
  if (command === 'replay' || command === 'show') return readFileOf(command, pieces, complain);
  if (command === 'import') return readImport(pieces, values, complain);
  if (command === 'wrap' || command === 'unwrap') {
    readCommon(values, complain);
    return readWrap(command, pieces, values, complain);
  }
  if (command === 'call') return readCall(pieces, values, env, complain);
  const stray = pieces.words[values.has('config') ? 2 : 1];
  if (stray !== undefined) {
    complain(
      `unexpected ${quote(stray)}; the command of the server comes after "--", as in mcp-rosetta ${command} -- node server.js.`,
    );
  }
  const target = readTarget(pieces, values, command, env, complain);
  const options = readCommon(values, complain);
  if (target === undefined) return undefined;
  switch (command) {
    case 'stdio':
      return { kind: 'stdio', target, options };
    case 'serve': {
      const listen = readListen(values, target, env, complain);
      return listen && { kind: 'serve', target, options, listen };
    }
    case 'tools':
      return { kind: 'tools', target, options, json: values.has('json') };
  }
}

function isGiven(pieces: Pieces, flag: FlagName): boolean {
  return pieces.flags.some(({ name }) => name === flag);
}

function read(pieces: Pieces, env: Environment, complain: Complain): CliCommand | undefined {
  const wantsHelp = pieces.words[0] === 'help' || isGiven(pieces, 'help');
  const words = pieces.words[0] === 'help' ? pieces.words.slice(1) : pieces.words;
  const [word] = words;
  if (pieces.words[0] === 'help') {
    if (word === 'help') return { kind: 'help', text: helpText() };
    if (words[1] !== undefined)
      return complain(`unexpected ${quote(words[1])}; help takes one command.`);
  }
  if (word !== undefined && !isCommandName(word)) {
    const hint = didYouMean(word, COMMANDS);
    const list = hint === '' ? `; there are ${COMMANDS.join(', ')} and help.` : hint;
    return complain(`unknown command ${quote(word)}${list}`);
  }
  if (wantsHelp) return { kind: 'help', text: helpText(word) };
  if (isGiven(pieces, 'version')) return { kind: 'version' };
  if (word === undefined && pieces.flags[0] !== undefined) {
    const { rawName } = pieces.flags[0];
    return complain(`a command comes before ${visible(rawName)}: ${COMMANDS.join(', ')} or help.`);
  }
  if (word === undefined) return complain(`say what to do: ${COMMANDS.join(', ')} or help.`);
  return readCommand(word, pieces, env, complain);
}

/** Reads a command line without the program's own name. Of several mistakes it tells the first one found. */
export function parseArguments(argv: readonly string[], env: Environment): CliCommand {
  const pieces = cutArguments(argv);
  const reasons: string[] = [];
  const command = read(pieces, env, (reason) => {
    reasons.push(reason);
  });
  const [reason] = reasons;
  if (command !== undefined && reason === undefined) return command;
  const [word = ''] = pieces.words;
  const help = isCommandName(word) ? `mcp-rosetta ${word} --help` : 'mcp-rosetta --help';
  return {
    kind: 'usage',
    message: `mcp-rosetta: ${reason ?? 'this cannot be understood.'} See ${help}.`,
  };
}
