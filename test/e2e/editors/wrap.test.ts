import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'jsonc-parser';
import { describe, expect } from 'vitest';

import { createWorkspace, startServe } from '../../support/cli.ts';
import { MODERN, test, type Started } from './desk.ts';

const TOKEN = 'not-for-everybody';
const args = JSON.stringify(MODERN.args);
const command = JSON.stringify(MODERN.command);

/** Each with a server that is started and one that is reached, as the program writes them; URL is the address. */
const FILES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'project/.vscode/mcp.json',
    `{
  // Servers of this project
  "inputs": [{ "id": "token", "type": "promptString", "password": true }],
  "servers": {
    "started": { "type": "stdio", "command": ${command}, "args": ${args}, "dev": { "watch": "*.js" } },
    "reached": { "type": "http", "url": "URL", "headers": { "Authorization": "Bearer \${input:token}" } },
  },
}
`,
    ['servers'],
  ],
  [
    '.cursor/mcp.json',
    `\uFEFF{
\t"mcpServers": {
\t\t"started": {
\t\t\t"command": ${command},
\t\t\t"args": ${args}
\t\t},
\t\t"reached": {
\t\t\t"url": "URL",
\t\t\t"headers": {
\t\t\t\t"Authorization": "Bearer \${env:TOKEN}"
\t\t\t}
\t\t}
\t}
}`.replaceAll('\n', '\r\n'),
    ['mcpServers'],
  ],
  [
    'project/.mcp.json',
    `{
  "mcpServers": {
    "started": { "command": ${command}, "args": ${args}, "env": {} },
    "reached": { "type": "http", "url": "\${BASE:-URL}", "headers": { "Authorization": "Bearer \${TOKEN}" } }
  }
}
`,
    ['mcpServers'],
  ],
  [
    '.config/zed/settings.json',
    `{
  "theme": "One Dark", // mine
  "context_servers": {
    "started": { "source": "custom", "command": { "path": ${command}, "args": ${args}, "env": null }, "settings": {} },
    "reached": { "url": "URL", "headers": { "Authorization": "Bearer ${TOKEN}" } },
  },
}
`,
    ['context_servers'],
  ],
];

/** What every program here puts in the place of its own variables. */
function replace(text: string): string {
  return text
    .replaceAll(/\$\{(input:token|env:TOKEN|TOKEN)\}/g, TOKEN)
    .replaceAll(/\$\{BASE:-([^}]*)\}/g, '$1');
}

function entriesOf(text: string, [member = '']: readonly string[]): Record<string, Started> {
  const content = parse(text.replace('\uFEFF', '')) as Record<string, Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(content[member] ?? {}).map(([name, entry]) => {
      const { command: holder } = entry as { command: string | { path: string; args: string[] } };
      const nested = typeof holder === 'object' ? { command: holder.path, args: holder.args } : {};
      return [name, { ...(entry as Started), ...nested }];
    }),
  );
}

describe('the servers of another program, run behind the bridge by', () => {
  test.for(FILES)('%s', async ([path, content, place], { desk }) => {
    const workspace = createWorkspace();
    const server = await startServe(MODERN, ['--token', TOKEN], workspace);
    try {
      const text = content.replace('URL', server.url);
      const file = desk.write(path, text);
      chmodSync(file, 0o640);

      const wrapped = await desk.run(['wrap', file, '--degrade', 'permissive']);
      expect(wrapped).toMatchObject({ code: 0, stderr: '' });
      expect(wrapped.stdout).toContain(`Wrapped 2 servers of ${file}.`);
      expect(statSync(file).mode & 0o777).toBe(0o640);
      const entries = entriesOf(desk.read(path), place);
      for (const name of ['started', 'reached']) {
        const entry = entries[name];
        if (entry === undefined) throw new Error(`${name} is gone.`);
        expect(entry.args).toContain('permissive');
        expect(entry.args.map(replace).join(' ')).not.toContain(TOKEN);
        expect(await desk.toolsOf(entry, replace)).toContain('test_simple_text');
      }

      const unwrapped = await desk.run(['unwrap', file]);
      expect(unwrapped).toMatchObject({ code: 0, stderr: '' });
      expect(desk.read(path)).toBe(text);
      expect(statSync(file).mode & 0o777).toBe(0o640);
      expect(readdirSync(join(desk.home, 'state', 'mcp-rosetta', 'wrapped'))).toEqual([]);
    } finally {
      await server.stop();
      workspace.remove();
    }
  });
});

test('what is kept for the way back is for its owner alone', async ({ desk }) => {
  const file = desk.write(
    'mcp.json',
    '{"mcpServers":{"a":{"command":"x","env":{"KEY":"secret"}}}}',
  );
  await desk.run(['wrap', file]);
  const folder = join(desk.home, 'state', 'mcp-rosetta', 'wrapped');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const [record = ''] = readdirSync(folder);
  expect(statSync(join(folder, record)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, record), 'utf8')).toContain('secret');
});

test('a dry run is a diff that patch can read, and changes nothing', async ({ desk }) => {
  const text = '{\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n';
  const file = desk.write('mcp.json', text);
  const { code, stdout } = await desk.run(['wrap', file, '--dry-run']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^--- \S+mcp\.json\n\+\+\+ \S+mcp\.json\n@@ -1,5 \+1,5 @@\n \{\n {3}"mcpServers": \{\n-.*\n\+.*"stdio", "--", "x"\] \}\n/,
  );
  expect(desk.read('mcp.json')).toBe(text);
  expect((await desk.run(['unwrap', file, '--dry-run'])).stdout).toBe('');
});

test('once more, nothing changes', async ({ desk }) => {
  const text = '{"mcpServers": {"a": {"command": "x"}}}';
  const file = desk.write('mcp.json', text);
  await desk.run(['wrap', file]);
  const wrapped = desk.read('mcp.json');
  const again = await desk.run(['wrap', file, '--degrade', 'permissive']);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toBe(`Nothing to wrap in ${file}. 1 ran behind MCP Rosetta before.\n`);
  expect(desk.read('mcp.json')).toBe(wrapped);
  await desk.run(['unwrap', file]);
  expect(desk.read('mcp.json')).toBe(text);
});

test('the configuration of the bridge itself is refused', async ({ desk }) => {
  const file = desk.write('mcp-rosetta.json', '{"servers":{"a":{"command":"x"}}}');
  const { code, stderr } = await desk.run(['wrap', file]);
  expect([code, stderr.includes("is MCP Rosetta's own")]).toEqual([1, true]);
});

test.for<[string, string]>([
  ['{"mcpServers": {\n  "a": {"command": "x"},,\n}}', 'mcp.json:2:25: '],
  ['{"theme": "dark"}', 'has no servers.'],
  ['', 'must hold an object with servers.'],
])('%j is refused, and stays', async ([text, message], { desk }) => {
  const file = desk.write('mcp.json', text);
  const { code, stdout, stderr } = await desk.run(['wrap', file]);
  expect([code, stdout, stderr.includes(message)]).toEqual([1, '', true]);
  expect(desk.read('mcp.json')).toBe(text);
});

test('a file of a repository is wrapped with a warning, one of the user without', async ({
  desk,
}) => {
  const servers = { mcpServers: { a: { command: 'x' } } };
  for (const path of ['project/.mcp.json', '.cursor/mcp.json']) desk.write(path, servers);
  mkdirSync(join(desk.project, '.git'));
  const shared = await desk.run(['wrap', '.mcp.json']);
  expect([shared.code, shared.stderr]).toEqual([0, expect.stringContaining('is in a repository')]);
  const own = await desk.run(['wrap', join(desk.home, '.cursor/mcp.json')]);
  expect([own.code, own.stderr]).toEqual([0, '']);
});
