import { posix, win32 } from 'node:path';
import type { Program } from '../config/editors/program.ts';

/** A file in which a program may keep servers; it need not exist. */
export interface EditorFile {
  readonly program: Program;
  readonly path: string;
  /** The folder that the servers are for; undefined for those of all folders. */
  readonly project: string | undefined;
}

/** What decides where programs keep their files. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder whose own files count. */
  readonly folder: string;
}

/** VS Code and the builds of it that keep their files elsewhere. */
const VSCODE_BUILDS = ['Code', 'Code - Insiders', 'VSCodium'];

/** The files of every program: of one program, those of the folder before the user's, as the program ranks them. */
export function editorFiles({ platform, home, env, folder }: Machine): EditorFile[] {
  const paths = platform === 'win32' ? win32 : posix;
  const join = (...parts: string[]): string => paths.join(...parts);
  const config = {
    win32: env['APPDATA'] ?? join(home, 'AppData', 'Roaming'),
    darwin: join(home, 'Library', 'Application Support'),
    linux: env['XDG_CONFIG_HOME'] ?? join(home, '.config'),
  }[platform === 'win32' || platform === 'darwin' ? platform : 'linux'];
  // Zed keeps its own on macOS where it would be on Linux.
  const zed =
    platform === 'darwin' ? join(home, '.config', 'zed') : join(config, zedName(platform));
  const own = (program: Program, ...path: string[]): EditorFile => {
    return { program, path: join(folder, ...path), project: folder };
  };
  const user = (program: Program, ...path: string[]): EditorFile => {
    return { program, path: join(...path), project: undefined };
  };
  const files = [
    own('vscode', '.vscode', 'mcp.json'),
    ...VSCODE_BUILDS.map((build) => user('vscode', config, build, 'User', 'mcp.json')),
    user('claude-desktop', config, 'Claude', 'claude_desktop_config.json'),
    own('claude-code', '.mcp.json'),
    user('claude-code', env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json'),
    own('cursor', '.cursor', 'mcp.json'),
    user('cursor', home, '.cursor', 'mcp.json'),
    user('windsurf', home, '.codeium', 'windsurf', 'mcp_config.json'),
    own('zed', '.zed', 'settings.json'),
    user('zed', zed, 'settings.json'),
  ];
  // In the home folder, the folder's own and the user's can be one file.
  return files.filter(({ path, project }) => {
    return project === undefined || !files.some((other) => other.path === path && !other.project);
  });
}

function zedName(platform: NodeJS.Platform): string {
  return platform === 'win32' ? 'Zed' : 'zed';
}

/** The folder that the servers of a named file are for, told from where it is. */
export function projectOf(path: string, home: string): string | undefined {
  const paths = path.includes('\\') ? win32 : posix;
  const folder = paths.dirname(path);
  const isOfFolder = ['.vscode', '.cursor', '.zed'].includes(paths.basename(folder));
  const isOfProject = paths.basename(path) === '.mcp.json';
  const project = isOfFolder ? paths.dirname(folder) : isOfProject ? folder : undefined;
  return project === home ? undefined : project;
}
