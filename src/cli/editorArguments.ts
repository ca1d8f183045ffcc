import { resolve } from 'node:path';
import { rawJsonFrom, kindOf, parseRaw, type RawJson } from '../protocol/rawJson.ts';
import type { CallInput, CliCommand } from './command.ts';
import { FLAGS, takes, type FlagName } from './flags.ts';
import type { Complain } from './flagValues.ts';
import type { Pieces } from './pieces.ts';
import type { FlagValues } from './readFlags.ts';

/** What `import` is asked for. */
export function readImport(
  { words, server }: Pieces,
  values: FlagValues,
  complain: Complain,
): CliCommand | undefined {
  if (server !== undefined) return complain('import reads files; it takes no command after "--".');
  const [, ...sources] = words;
  const to = values.get('to')?.[0];
  const dryRun = values.has('dry-run');
  if (dryRun && to === undefined) return complain('--dry-run needs --to.');
  if (to !== undefined && sources.length === 0) {
    return complain('--to needs a source, as in mcp-rosetta import cursor --to FILE.');
  }
  return { kind: 'import', sources, dryRun, ...(to !== undefined && { to }) };
}

/** What `wrap` or `unwrap` is asked for. The flags of the bridge are checked here and passed on as they are. */
export function readWrap(
  kind: 'wrap' | 'unwrap',
  { words, server }: Pieces,
  values: FlagValues,
  complain: Complain,
): CliCommand | undefined {
  const [, file, ...stray] = words;
  if (file === undefined || stray.length > 0 || server !== undefined) {
    return complain(`${kind} takes one file, such as ~/.cursor/mcp.json.`);
  }
  const dryRun = values.has('dry-run');
  if (kind === 'unwrap') return { kind, file, dryRun };
  const flags = [...values].flatMap(([name, given]) =>
    takes('stdio', name) && FLAGS[name].type === 'string'
      ? given.flatMap((value) => [`--${name}`, passedOn(name, value)])
      : [],
  );
  return { kind, file, dryRun, flags };
}

/** The editor starts the bridge in a folder of its own. */
function passedOn(name: FlagName, value: string): string {
  return name === 'report' || name === 'record' ? resolve(value) : value;
}

/** The words of `call`: which server of the file, which tool, and with what. */
export interface CallWords {
  readonly name?: string;
  readonly tool: string;
  readonly input: CallInput;
}

/** The words after `call`; a name comes first where `--config` is given, and what begins with "{" is no tool. */
export function readCallWords(
  [, ...words]: readonly string[],
  isNamed: boolean,
  complain: Complain,
): CallWords | undefined {
  const isInput = (word: string | undefined): boolean =>
    word === '-' || (word ?? '').trimStart().startsWith('{');
  const hasName = isNamed && words.length > 1 && !isInput(words[1]);
  const [tool, text, ...stray] = hasName ? words.slice(1) : words;
  if (tool === undefined || tool === '') {
    return complain(
      'call needs the name of a tool, as in mcp-rosetta call echo \'{"text":"hi"}\' -- node server.js.',
    );
  }
  if (stray.length > 0) {
    return complain('call takes a tool and its arguments as one JSON object; put that in quotes.');
  }
  const input = readCallInput(text, complain);
  const [name] = words;
  return input && { tool, input, ...(hasName && name !== undefined && { name }) };
}

function readCallInput(text: string | undefined, complain: Complain): CallInput | undefined {
  if (text === '-') return { kind: 'stdin' };
  const raw = argumentsFrom(text ?? '{}');
  if (raw === undefined) return complain(`the arguments of the tool ${NOT_ARGUMENTS}.`);
  return { kind: 'given', raw };
}

/** What is wrong with arguments that `argumentsFrom` does not take. */
export const NOT_ARGUMENTS = 'must be a JSON object, such as {"path":"."}';

/** The arguments of a tool as they were written; undefined where they are no JSON object. */
export function argumentsFrom(text: string): RawJson | undefined {
  const raw = rawJsonFrom(Buffer.from(text.replace(/^\uFEFF/, '')));
  return raw !== undefined && kindOf(raw) === 'object' && parseRaw(raw) !== undefined
    ? raw
    : undefined;
}
