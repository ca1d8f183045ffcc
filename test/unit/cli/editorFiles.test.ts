import { expect, test } from 'vitest';
import { editorFiles, projectOf, type Machine } from '../../../src/cli/editorFiles.ts';
import { programOf } from '../../../src/config/editors/program.ts';

const linux: Machine = { platform: 'linux', home: '/home/ada', env: {}, folder: '/p' };
const own = [
  'vscode /p/.vscode/mcp.json in /p',
  'claude-code /p/.mcp.json in /p',
  'cursor /p/.cursor/mcp.json in /p',
  'zed /p/.zed/settings.json in /p',
];

function list(machine: Machine): string[] {
  return editorFiles(machine).map(({ program, path, project }) => {
    return `${program} ${path}${project === undefined ? '' : ` in ${project}`}`;
  });
}

test('on Linux', () => {
  const files = list(linux);
  expect(files).toEqual(expect.arrayContaining(own));
  expect(files).toEqual(
    expect.arrayContaining([
      'vscode /home/ada/.config/Code/User/mcp.json',
      'vscode /home/ada/.config/Code - Insiders/User/mcp.json',
      'vscode /home/ada/.config/VSCodium/User/mcp.json',
      'claude-desktop /home/ada/.config/Claude/claude_desktop_config.json',
      'claude-code /home/ada/.claude.json',
      'cursor /home/ada/.cursor/mcp.json',
      'windsurf /home/ada/.codeium/windsurf/mcp_config.json',
      'zed /home/ada/.config/zed/settings.json',
    ]),
  );
  expect(list({ ...linux, env: { XDG_CONFIG_HOME: '/x', CLAUDE_CONFIG_DIR: '/c' } })).toEqual(
    expect.arrayContaining(['zed /x/zed/settings.json', 'claude-code /c/.claude.json']),
  );
});

test('on macOS', () => {
  expect(list({ ...linux, platform: 'darwin', home: '/Users/ada' })).toEqual(
    expect.arrayContaining([
      'vscode /Users/ada/Library/Application Support/Code/User/mcp.json',
      'claude-desktop /Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
      'claude-code /Users/ada/.claude.json',
      'zed /Users/ada/.config/zed/settings.json',
    ]),
  );
});

test('on Windows', () => {
  const env = { APPDATA: 'C:\\Users\\Ada\\AppData\\Roaming' };
  const machine: Machine = { platform: 'win32', home: 'C:\\Users\\Ada', env, folder: 'D:\\p' };
  expect(list(machine)).toEqual(
    expect.arrayContaining([
      'vscode D:\\p\\.vscode\\mcp.json in D:\\p',
      'vscode C:\\Users\\Ada\\AppData\\Roaming\\Code\\User\\mcp.json',
      'claude-desktop C:\\Users\\Ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      'windsurf C:\\Users\\Ada\\.codeium\\windsurf\\mcp_config.json',
      'zed C:\\Users\\Ada\\AppData\\Roaming\\Zed\\settings.json',
    ]),
  );
});

test("in the home folder a file is the user's", () => {
  const files = list({ ...linux, folder: '/home/ada' });
  expect(files).toContain('cursor /home/ada/.cursor/mcp.json');
  expect(files.filter((file) => file.startsWith('cursor'))).toHaveLength(1);
});

test('whose a file is, and which folder it is for, is told from where it lies', () => {
  for (const { program, path, project } of editorFiles(linux)) {
    expect([path, programOf(path, [])]).toEqual([path, program]);
    expect([path, projectOf(path, linux.home)]).toEqual([path, project]);
  }
  expect(projectOf('D:\\p\\.vscode\\mcp.json', 'C:\\Users\\Ada')).toBe('D:\\p');
  expect(programOf('/some.json', ['servers'])).toBe('vscode');
  expect(programOf('/some.json', ['context_servers'])).toBe('zed');
  expect(programOf('/some.json', ['mcpServers'])).toBeUndefined();
});
