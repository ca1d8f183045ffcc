import type { ParseArgsConfig } from 'node:util';

const SERVER_COMMANDS = ['stdio', 'serve', 'tools', 'call'] as const;
/** Those that open a bridge, now or in the file that they write. */
const BRIDGE_COMMANDS = [...SERVER_COMMANDS, 'wrap'] as const;
const SIGN_IN_COMMANDS = ['login', 'logout'] as const;

/** The commands there are. */
export const COMMANDS = [
  ...SERVER_COMMANDS,
  ...SIGN_IN_COMMANDS,
  'matrix',
  'replay',
  'show',
  'import',
  'wrap',
  'unwrap',
] as const;

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
  url: { type: 'string', of: SERVER_COMMANDS },
  'url-env': { type: 'string', of: SERVER_COMMANDS },
  header: { type: 'string', multiple: true, of: SERVER_COMMANDS },
  'header-env': { type: 'string', multiple: true, of: SERVER_COMMANDS },
  type: { type: 'string', of: SERVER_COMMANDS },
  config: { type: 'string', of: [...SERVER_COMMANDS, ...SIGN_IN_COMMANDS] },
  port: { type: 'string', of: ['serve'] },
  token: { type: 'string', of: ['serve'] },
  zap: { type: 'string', of: ['serve'] },
  sse: { type: 'boolean', of: ['serve'] },
  hold: { type: 'string', of: ['serve'] },
  socket: { type: 'string', of: ['serve'] },
  json: { type: 'boolean', of: ['tools', 'call', 'matrix'] },
  to: { type: 'string', of: ['import'] },
  'dry-run': { type: 'boolean', of: ['import', 'wrap', 'unwrap'] },
  markdown: { type: 'boolean', of: ['matrix'] },
  degrade: { type: 'string', of: BRIDGE_COMMANDS },
  revision: { type: 'string', of: BRIDGE_COMMANDS },
  reader: { type: 'string', of: BRIDGE_COMMANDS },
  tasks: { type: 'string', of: BRIDGE_COMMANDS },
  record: { type: 'string', of: BRIDGE_COMMANDS },
  report: { type: 'string', of: BRIDGE_COMMANDS },
  'log-level': { type: 'string', of: [...BRIDGE_COMMANDS, ...SIGN_IN_COMMANDS] },
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
