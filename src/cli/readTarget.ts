import { isLineSocketUrl } from '../config/socketUrl.ts';
import { isZapUrl } from '../protocol/zap/address.ts';
import type { Target } from './command.ts';
import type { CommandName } from './flags.ts';
import {
  readHeaders,
  readHeaderVariables,
  readName,
  readUrl,
  readVariable,
  type Complain,
} from './flagValues.ts';
import type { Pieces } from './pieces.ts';
import { one, type FlagValues } from './readFlags.ts';

/** The environment of the program. */
export type Environment = Readonly<Record<string, string | undefined>>;

function readUrlTarget(
  url: string,
  source: string,
  values: FlagValues,
  env: Environment,
  complain: Complain,
): Target | undefined {
  const address = readUrl(url, source, complain);
  const flag = (['header', 'header-env'] as const).find((name) => values.has(name));
  if (isLineSocketUrl(url) && flag !== undefined) {
    return complain(
      `--${flag} is for an HTTP address; of a socket that is one such as unix:///PATH#/mcp.`,
    );
  }
  if (isZapUrl(url) && flag !== undefined) return complain(`ZAP has no headers for --${flag}.`);
  const type = one(values, 'type');
  if (type !== undefined) {
    if (readName('type', type, ['http', 'sse'], complain) === undefined) return undefined;
    if (isLineSocketUrl(url) || isZapUrl(url)) return complain('--type is for an HTTP address.');
  }
  const hidden = readHeaderVariables(values.get('header-env') ?? [], env, complain);
  const headers = hidden && readHeaders([...(values.get('header') ?? []), ...hidden], complain);
  if (address === undefined || headers === undefined) return undefined;
  return { kind: 'url', url: address, headers, ...(type === 'sse' && { isSse: true }) };
}

/** The server that a command is about: after `--`, at an address, or in a file. */
export function readTarget(
  pieces: Pieces,
  values: FlagValues,
  command: CommandName,
  env: Environment,
  complain: Complain,
): Target | undefined {
  const url = one(values, 'url');
  const variable = one(values, 'url-env');
  const file = one(values, 'config');
  const given = [
    ...(url === undefined ? [] : ['--url']),
    ...(variable === undefined ? [] : ['--url-env']),
    ...(file === undefined ? [] : ['--config']),
    ...(pieces.server === undefined ? [] : ['a command after "--"']),
  ];
  if (given.length > 1) return complain(`${given.join(' and ')} exclude each other; give one.`);
  if (url !== undefined) return readUrlTarget(url, '--url', values, env, complain);
  if (variable !== undefined) {
    const hidden = readVariable('url-env', variable, env, complain);
    return hidden === undefined
      ? undefined
      : readUrlTarget(hidden, '--url-env', values, env, complain);
  }
  const ofUrl = (['header', 'header-env', 'type'] as const).find((flag) => values.has(flag));
  if (ofUrl !== undefined) return complain(`--${ofUrl} needs --url.`);
  const [, name] = pieces.words;
  if (file !== undefined) return { kind: 'config', file, ...(name !== undefined && { name }) };
  const [program = '', ...args] = pieces.server ?? [];
  if (program !== '') return { kind: 'command', command: program, args };
  if (pieces.server !== undefined) return complain('there is no command after "--".');
  return complain(`${command} needs a server: --url URL, --config FILE, or a command after "--".`);
}
