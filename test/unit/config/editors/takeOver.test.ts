import { describe, expect, test } from 'vitest';
import { readForeignFile } from '../../../../src/config/editors/foreignFile.ts';
import { inputsOf, takeOver } from '../../../../src/config/editors/takeOver.ts';
import * as texts from './texts.ts';

interface Options {
  readonly project?: string;
  readonly target?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What becomes of each server: its entry and what is said of it, or why it is left. */
function taken({ path, text }: texts.RealText, options: Options = {}): Record<string, unknown> {
  const reading = readForeignFile(text, path);
  if (reading.kind === 'problem') throw new Error(reading.message);
  const { entries, inputs, program } = reading.file;
  const { project, target = '/home/ada/project', env = {} } = options;
  return Object.fromEntries(
    entries.map((entry): [string, unknown] => {
      const context = { program, project: entry.project ?? project, target, env };
      const outcome = takeOver(entry, inputsOf(inputs), context);
      if (outcome.kind === 'left') return [entry.name, outcome.reason];
      const { server, notes } = outcome;
      const ids = server.inputs.map(({ id }) => id);
      return [entry.name, [server.entry, ...notes, ...ids.map((id) => `input ${id}`)]];
    }),
  );
}

const project = '/home/ada/project';

test('VS Code: variables and inputs are the same, and what only the editor can do is named', () => {
  expect(taken(texts.VSCODE, { project })).toEqual({
    Github: [{ type: 'http', url: 'https://api.githubcopilot.com/mcp/' }],
    Perplexity: [
      {
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'server-perplexity-ask'],
        env: { PERPLEXITY_API_KEY: '${input:perplexity-key}' },
        envFile: '${workspaceFolder}/.env',
      },
      'input perplexity-key',
    ],
    own: [
      {
        command: 'node',
        args: ['./build/index.js', '--name', 'project'],
        cwd: '${workspaceFolder}/server',
      },
      '"sandboxEnabled" is left out',
      '"dev" is left out',
    ],
    docker: [{ type: 'http', url: 'unix:///var/run/docker.sock#/mcp' }],
    socket: [{ type: 'http', url: 'unix:///tmp/s.sock' }],
    chosen: expect.stringContaining('"type": "command" is not supported') as string,
    setting: 'it uses ${config:python.path}, which MCP Rosetta does not know',
  });
});

test('a server that belongs to another folder keeps it', () => {
  const entries = taken(texts.VSCODE, { project, target: '/elsewhere' });
  expect(entries['Perplexity']).toContainEqual(
    expect.objectContaining({ cwd: project, envFile: `${project}/.env` }),
  );
  expect(entries['own']).toContainEqual(expect.objectContaining({ cwd: `${project}/server` }));
  const relative = { path: '/home/ada/project/.vscode/mcp.json' };
  const text = '{"servers":{"a":{"command":"x","cwd":"sub","envFile":".env"}}}';
  expect(taken({ ...relative, text }, { project, target: '/elsewhere' })).toEqual({
    a: [{ command: 'x', cwd: `${project}/sub`, envFile: `${project}/.env` }],
  });
});

test('Claude Desktop replaces nothing, so that what looks like a variable cannot cross', () => {
  expect(taken(texts.CLAUDE_DESKTOP)).toEqual({
    filesystem: [
      {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-filesystem', 'C:\\Users\\Ada\\Desktop'],
      },
    ],
    'brave-search': [
      {
        command: 'C:\\Program Files\\nodejs\\npx.cmd',
        args: ['-y', '@modelcontextprotocol/server-brave-search'],
        env: { BRAVE_API_KEY: 'BSA-literal' },
      },
    ],
    literal: 'it holds ${APPDATA} as a text, which MCP Rosetta would replace',
  });
});

describe('Claude Code', () => {
  test('has servers for all folders, and for each', () => {
    expect(taken(texts.CLAUDE_CODE_USER)).toEqual({
      context7: [
        {
          type: 'http',
          url: 'https://mcp.context7.com/mcp',
          headers: { CONTEXT7_API_KEY: 'ctx7sk-literal' },
        },
      ],
      airtable: [
        {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'airtable-mcp-server'],
          env: { AIRTABLE_API_KEY: 'key' },
        },
      ],
      asana: [{ type: 'sse', url: 'https://mcp.asana.com/sse' }],
    });
  });

  test('has variables with defaults, which are decided when they are taken over', () => {
    const unset = taken(texts.CLAUDE_CODE_PROJECT, { project });
    expect(unset).toEqual({
      'api-server': [
        {
          type: 'http',
          url: 'https://api.example.com/mcp',
          headers: { Authorization: 'Bearer ${env:API_KEY}' },
          timeouts: { requestMs: 600_000 },
        },
        '${API_BASE_URL:-…} is its default now, as API_BASE_URL is not set',
      ],
      local: [
        { command: `${project}/run`, args: ['--level', 'info'] },
        '${LEVEL:-…} is its default now, as LEVEL is not set',
        '"alwaysLoad" is left out',
      ],
      signed: [
        {
          type: 'http',
          url: 'https://mcp.example.com/mcp',
          oauth: { clientId: 'abc', callbackPort: 8080, scope: 'read write' },
        },
        '"authServerMetadataUrl" is left out',
        '"headersHelper" is left out',
      ],
      socket: 'its type is "ws"',
    });
    const set = taken(texts.CLAUDE_CODE_PROJECT, { project, env: { LEVEL: 'debug' } });
    expect(set['local']).toEqual([
      { command: `${project}/run`, args: ['--level', '${env:LEVEL}'] },
      'the default of ${LEVEL:-…} is gone, as LEVEL is set',
      '"alwaysLoad" is left out',
    ]);
  });
});

test('Cursor', () => {
  expect(taken(texts.CURSOR)).toEqual({
    'local-server': [
      {
        type: 'stdio',
        command: 'python',
        args: ['${workspaceFolder}/tools/mcp_server.py'],
        env: { API_KEY: '${env:API_KEY}' },
        envFile: '${userHome}/.env',
      },
    ],
    'remote-server': [
      {
        url: 'https://api.example.com/mcp',
        headers: { Authorization: 'Bearer ${env:MY_SERVICE_TOKEN}' },
      },
    ],
    'oauth-server': [
      {
        url: 'https://api.example.com/oauth/mcp',
        oauth: {
          clientId: '${env:MCP_CLIENT_ID}',
          clientSecret: '${env:MCP_CLIENT_SECRET}',
          scope: 'read write',
        },
      },
    ],
  });
});

test('Windsurf', () => {
  expect(taken(texts.WINDSURF)).toEqual({
    figma: [
      {
        url: 'https://mcp.figma.com/mcp',
        headers: { Authorization: 'Bearer ${env:FIGMA_TOKEN}' },
        disabled: true,
      },
      '"disabledTools" is left out',
    ],
    'from-file': 'it uses ${file:/run/secrets/token}, which MCP Rosetta does not know',
  });
});

test('Zed, in its newer and its older shape', () => {
  expect(taken(texts.ZED)).toEqual({
    'local-mcp-server': [
      {
        command: 'some-command',
        args: ['arg-1', 'arg-2'],
        env: {},
        timeouts: { requestMs: 30_000 },
      },
    ],
    older: [{ command: 'uvx', args: ['mcp-server-git'] }, '"settings" is left out'],
    'remote-mcp-server': [
      {
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer <token>' },
        disabled: true,
      },
    ],
    'postgres-context-server': 'an extension starts it, and only the editor knows how',
  });
});

test('what is null says nothing', () => {
  const text =
    '{"mcpServers":{"a":{"command":"x","args":null,"env":null},"b":{"url":"https://h","headers":null}}}';
  expect(taken({ path: '/some.json', text })).toEqual({
    a: [{ command: 'x' }],
    b: [{ url: 'https://h' }],
  });
});

test.each([
  ['{"mcpServers":{"a":{"command":"x","args":"y"}}}', 'must be a list of strings'],
  ['{"mcpServers":{"a":{"url":"example.com/mcp"}}}', 'must start with http:// or https://'],
  ['{"mcpServers":{"a":{}}}', 'it has neither a command nor an address'],
  ['{"mcpServers":{"a":7}}', 'it is no object'],
  ['{"mcpServers":{"..":{"command":"x"}}}', 'cannot have the name'],
])('%s is left for a reason', (text, reason) => {
  const [outcome] = Object.values(taken({ path: '/some.json', text }));
  expect(outcome).toContain(reason);
});

test('of a file of nobody knows whom, the variables of both spellings are taken', () => {
  const text = '{"mcpServers":{"a":{"command":"x","args":["${A}","${env:B}","${userHome}"]}}}';
  expect(taken({ path: '/some.json', text })).toEqual({
    a: [{ command: 'x', args: ['${env:A}', '${env:B}', '${userHome}'] }],
  });
});

test.each([
  ['{"mcpServers":{"a":{"command":"x"}', '/f.json:1:35: A closing } is missing.'],
  ['{\n  "mcpServers": {\n    a: 1\n  }\n}', '/f.json:3:5: a is not valid here'],
  ['[]', '/f.json must hold an object'],
  ['', '/f.json must hold an object'],
  ['['.repeat(100_000), '/f.json is nested too deeply'],
])('a text that is none is refused with its place', (text, message) => {
  expect(readForeignFile(text, '/f.json')).toEqual({
    kind: 'problem',
    message: expect.stringContaining(message) as string,
  });
});
