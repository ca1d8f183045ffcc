import { parseArgs } from 'node:util';
import { PARSE_OPTIONS } from './flags.ts';

/** What the command line was cut into. */
export interface Pieces {
  /** What stands before `--` and is no flag: the command first. */
  readonly words: readonly string[];
  /** What stands after `--`, verbatim; undefined where there is no `--`. */
  readonly server: readonly string[] | undefined;
  readonly flags: readonly FlagToken[];
}

/** One flag as it was typed. */
export interface FlagToken {
  readonly name: string;
  /** As it was typed, for messages. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Whether the value was written into the flag, as in `--port=1`. */
  readonly isInline: boolean;
}

/** Cuts a command line into words, flags and the command of the server, without judging them. */
export function cutArguments(argv: readonly string[]): Pieces {
  // Not strict: its messages are not ours, and it would stop at the first flag it does not know.
  const { tokens } = parseArgs({
    args: argv,
    options: PARSE_OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const terminator = tokens.find((token) => token.kind === 'option-terminator');
  return {
    words: tokens.flatMap((token) =>
      token.kind === 'positional' && token.index < (terminator?.index ?? Infinity)
        ? [token.value]
        : [],
    ),
    server: terminator && argv.slice(terminator.index + 1),
    flags: tokens.flatMap((token) =>
      token.kind === 'option'
        ? [
            {
              name: token.name,
              rawName: token.rawName,
              value: token.value,
              isInline: token.inlineValue ?? false,
            },
          ]
        : [],
    ),
  };
}
