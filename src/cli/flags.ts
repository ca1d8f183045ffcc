import type { ParseArgsConfig } from 'node:util';

/** The commands that do something with a server. */
export const COMMANDS = ['stdio', 'serve', 'tools'] as const;

/** One of `COMMANDS`. */
export type CommandName = (typeof COMMANDS)[number];

interface Flag {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  readonly short?: string;
  /** The commands that take it. */
  readonly of: readonly CommandName[];
}

/** Every flag of every command, so that a flag of another command can be told from one that does not exist. */
export const FLAGS = {
  url: { type: 'string', of: COMMANDS },
  header: { type: 'string', multiple: true, of: COMMANDS },
  config: { type: 'string', of: ['serve', 'tools'] },
  port: { type: 'string', of: ['serve'] },
  token: { type: 'string', of: ['serve'] },
  json: { type: 'boolean', of: ['tools'] },
  degrade: { type: 'string', of: COMMANDS },
  revision: { type: 'string', of: COMMANDS },
  reader: { type: 'string', of: COMMANDS },
  report: { type: 'string', of: COMMANDS },
  'log-level': { type: 'string', of: COMMANDS },
  help: { type: 'boolean', short: 'h', of: COMMANDS },
  version: { type: 'boolean', short: 'V', of: COMMANDS },
} as const satisfies Record<string, Flag>;

/** The name of a flag, without its dashes. */
export type FlagName = keyof typeof FLAGS;

/** Whether any command has a flag of this name. */
export function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

/** Whether this is the name of a command. */
export function isCommandName(name: string): name is CommandName {
  return (COMMANDS as readonly string[]).includes(name);
}

/** Whether a command takes a flag. */
export function takes(command: CommandName, flag: FlagName): boolean {
  return (FLAGS[flag].of as readonly CommandName[]).includes(command);
}

/** The flags in the form that `parseArgs` takes. */
export const PARSE_OPTIONS: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
  Object.entries(FLAGS).map(([name, flag]: [string, Flag]) => [
    name,
    {
      type: flag.type,
      multiple: flag.multiple ?? false,
      ...(flag.short !== undefined && { short: flag.short }),
    },
  ]),
);
