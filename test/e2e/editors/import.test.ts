import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { MODERN, test, type Desk } from './desk.ts';

const started = { command: MODERN.command, args: MODERN.args };

/** The files of several programs on one machine. */
function furnish(desk: Desk): void {
  desk.write('project/.vscode/mcp.json', {
    servers: { code: { type: 'stdio', ...started, dev: { watch: '*' } } },
  });
  desk.write('.config/Claude/claude_desktop_config.json', { mcpServers: { desktop: started } });
  desk.write('.claude.json', {
    mcpServers: { shared: started, both: { ...started, env: { FROM: 'user' } } },
    projects: {
      [desk.project]: { mcpServers: { both: { ...started, env: { FROM: 'project' } } } },
      '/elsewhere': { mcpServers: { other: started } },
    },
  });
  // Claude Code, too, has the user's own for a folder before what the folder has for everybody.
  desk.write('project/.mcp.json', {
    mcpServers: { both: { ...started, env: { FROM: 'everybody' } }, team: started },
  });
  desk.write('.cursor/mcp.json', {
    mcpServers: { cursor: { ...started, env: { KEY: '${env:HOME}' } } },
  });
  desk.write('.codeium/windsurf/mcp_config.json', {
    mcpServers: { surf: { ...started, disabled: true } },
  });
  desk.write(
    '.config/zed/settings.json',
    `{ "context_servers": { "zed": { "command": { "path": ${JSON.stringify(MODERN.command)}, "args": ${JSON.stringify(MODERN.args)} } }, }, }`,
  );
}

test('without a source, what there is is listed', async ({ desk }) => {
  furnish(desk);
  const { code, stdout, stderr } = await desk.run(['import']);
  expect(code).toBe(0);
  expect(stdout.replaceAll(desk.home, '~').split('\n').slice(0, -3)).toEqual([
    'vscode  ~/project/.vscode/mcp.json',
    '    "code"',
    'claude-desktop  ~/.config/Claude/claude_desktop_config.json',
    '    "desktop"',
    'claude-code  ~/project/.mcp.json',
    '    "both", "team"',
    'claude-code  ~/.claude.json',
    '    "both", "shared"',
    'cursor  ~/.cursor/mcp.json',
    '    "cursor"',
    'windsurf  ~/.codeium/windsurf/mcp_config.json',
    '    "surf"',
    'zed  ~/.config/zed/settings.json',
    '    "zed"',
  ]);
  expect(stderr).toContain('the servers of 1 other folder are left out');
});

test('the servers of all programs become a configuration that works', async ({ desk }) => {
  furnish(desk);
  const programs = ['vscode', 'claude-desktop', 'claude-code', 'cursor', 'windsurf', 'zed'];
  const to = join(desk.project, '.vscode', 'mcp-rosetta.json');
  const dry = await desk.run(['import', ...programs, '--to', to, '--dry-run']);
  expect(dry.stdout).toMatch(/^--- \/dev\/null\n\+\+\+ \S+mcp-rosetta\.json\n@@ -0,0 /);
  const imported = await desk.run(['import', ...programs, '--to', to]);
  expect(imported.stdout).toBe(`Added 8 servers to ${to}.\n`);
  expect(imported.stderr).toContain('"code" is taken over, but "dev" is left out.');
  expect(imported.stderr).toContain('"both" is left out: there was one of this name before.');
  // Of the two servers of one name that of the folder counts; it holds what could be a secret.
  const { servers } = JSON.parse(desk.read('project/.vscode/mcp-rosetta.json')) as {
    servers: Record<string, { env?: object }>;
  };
  expect(servers['both']?.env).toEqual({ FROM: 'project' });
  expect(statSync(to).mode & 0o777).toBe(0o600);
  for (const name of ['code', 'both', 'zed']) {
    const { code, stdout } = await desk.run(['tools', name, '--config', to]);
    expect([name, code, stdout.includes('test_simple_text')]).toEqual([name, 0, true]);
  }

  const again = await desk.run(['import', 'cursor', '--to', to]);
  expect(again.stdout).toBe(`Added 0 servers to ${to}. 1 was there already.\n`);
  desk.write('.cursor/mcp.json', { mcpServers: { cursor: { command: 'other' } } });
  const before = desk.read('project/.vscode/mcp-rosetta.json');
  const conflict = await desk.run(['import', 'cursor', '--to', to]);
  expect(conflict.code).toBe(1);
  expect(conflict.stderr).toContain('there is another server of this name');
  expect(desk.read('project/.vscode/mcp-rosetta.json')).toBe(before);
});

test('a file of another folder is printed with the folder that its servers need', async ({
  desk,
}) => {
  const file = desk.write('there/.cursor/mcp.json', {
    mcpServers: { a: { command: 'x', args: ['${workspaceFolder}/y'] } },
  });
  const there = join(desk.home, 'there');
  const { code, stdout } = await desk.run(['import', file]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    servers: { a: { command: 'x', args: [`${there}/y`], cwd: there } },
  });
});

test.for([
  [['import', 'cursor'], 'Cursor: no configuration was found.'],
  [['import', 'missing.json'], 'There is no file'],
  [['import', 'broken.json'], 'broken.json:1:2: '],
  [['import', 'ok.json', '--to', 'broken.json'], 'broken.json:1:2: '],
] as const)('%j fails with a reason', async ([args, message], { desk }) => {
  desk.write('project/broken.json', '{a}');
  desk.write('project/ok.json', { mcpServers: { a: { command: 'x' } } });
  const { code, stdout, stderr } = await desk.run(args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
});

test.for(['mcpServers', 'context_servers'])(
  'a file of another program with %s is no place to import into',
  async (member, { desk }) => {
    desk.write('project/ok.json', { mcpServers: { a: { command: 'x' } } });
    const text = JSON.stringify({ [member]: {} });
    const file = desk.write('project/other.json', text);
    const { code, stderr } = await desk.run(['import', 'ok.json', '--to', 'other.json']);
    expect(code).toBe(1);
    expect(stderr).toContain(`other.json is another program's configuration, as its "${member}"`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

test('what was said of a server once is not said again where it is there already', async ({
  desk,
}) => {
  const rich = { command: 'x', strange: true };
  desk.write('project/all.json', { mcpServers: { rich, empty: {} } });
  const args = ['import', 'all.json', '--to', 'own.json'];
  const first = await desk.run(args);
  expect(first.stderr).toMatch(/"rich" is taken over, but "strange"[^]*|"empty" is left out/);
  expect(first.stderr.trimEnd().split('\n')).toHaveLength(2);
  const second = await desk.run(args);
  expect([second.code, second.stderr]).toEqual([0, '']);
  expect(second.stdout).toContain('1 was there already. 1 cannot be taken over');
});
