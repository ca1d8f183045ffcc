/** The programs whose configurations are known, as the command line names them. */
export const PROGRAMS = [
  'vscode',
  'claude-desktop',
  'claude-code',
  'cursor',
  'windsurf',
  'zed',
] as const;

/** One of `PROGRAMS`. */
export type Program = (typeof PROGRAMS)[number];

/** How messages name a program. */
export const PROGRAM_TITLES: Readonly<Record<Program, string>> = {
  vscode: 'VS Code',
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  windsurf: 'Windsurf',
  zed: 'Zed',
};

/** Whether this is the name of a program. */
export function isProgram(name: string): name is Program {
  return (PROGRAMS as readonly string[]).includes(name);
}

/** The file names that say whose configuration this is; of the others the folder decides. */
const BY_NAME: ReadonlyMap<string, Program> = new Map([
  ['claude_desktop_config.json', 'claude-desktop'],
  ['.claude.json', 'claude-code'],
  ['.mcp.json', 'claude-code'],
  ['mcp_config.json', 'windsurf'],
]);

const BY_FOLDER: ReadonlyMap<string, Program> = new Map([
  ['.vscode', 'vscode'],
  ['user', 'vscode'],
  ['.cursor', 'cursor'],
  ['zed', 'zed'],
  ['.zed', 'zed'],
]);

const BY_ROOT: ReadonlyMap<string, Program> = new Map([
  ['servers', 'vscode'],
  ['context_servers', 'zed'],
]);

/** Whose configuration a file is, told from its path and the members of its root; undefined where several would do. */
export function programOf(file: string, rootMembers: readonly string[]): Program | undefined {
  const [folder = '', name = ''] = file.split(/[\\/]/).slice(-2);
  const known = BY_NAME.get(name) ?? BY_FOLDER.get(folder.toLowerCase());
  if (known !== undefined) return known;
  const member = rootMembers.find((each) => BY_ROOT.has(each));
  return member === undefined ? undefined : BY_ROOT.get(member);
}
