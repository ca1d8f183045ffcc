import { expect, test } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments.ts';

const options = { policy: { kind: 'strict' }, logLevel: 'warning' };
const server = { kind: 'command', command: 'node', args: ['s.js'] };
const atUrl = { kind: 'url', url: 'http://h/mcp', headers: {} };

test('an address and headers that environment variables hold', () => {
  const argv = ['stdio', '--url-env', 'U', '--header-env', 'A=T', '--type', 'sse'];
  expect(parseArguments(argv, { U: 'http://h/mcp', T: 'Bearer a=b' })).toEqual({
    kind: 'stdio',
    target: { ...atUrl, headers: { A: 'Bearer a=b' }, isSse: true },
    options,
  });
});

test('what a variable holds is in no message', () => {
  const argv = ['stdio', '--url-env', 'U', '--header-env', 'A=T'];
  for (const env of [
    { U: 'secret' },
    { U: 'https://user:secret@h' },
    { U: 'unix://secret' },
    { U: 'https://h', T: 'secret\n' },
  ]) {
    const parsed = parseArguments(argv, env);
    expect(parsed).toMatchObject({ kind: 'usage' });
    expect(JSON.stringify(parsed)).not.toContain('secret');
  }
});

test.each<[string[], unknown]>([
  [
    ['call', 'echo', '{"a": 1.0}', '--', 'node', 's.js'],
    { target: server, tool: 'echo', input: { kind: 'given', raw: Buffer.from('{"a": 1.0}') } },
  ],
  [
    ['call', 'x', 'echo', '--config', 'f'],
    {
      target: { kind: 'config', file: 'f', name: 'x' },
      tool: 'echo',
      input: { kind: 'given', raw: Buffer.from('{}') },
    },
  ],
  [
    ['call', 'echo', '-', '--config', 'f'],
    { target: { kind: 'config', file: 'f' }, tool: 'echo', input: { kind: 'stdin' } },
  ],
  [
    ['call', 'x', 'echo', ' {}', '--config', 'f', '--json'],
    {
      target: { kind: 'config', file: 'f', name: 'x' },
      tool: 'echo',
      input: { kind: 'given', raw: Buffer.from('{}') },
      json: true,
    },
  ],
])('a call: %j', (argv, expected) => {
  const call = { kind: 'call', options, json: false, ...(expected as object) };
  expect(parseArguments(argv, {})).toEqual(call);
});

test.each<[string[], unknown]>([
  [['import'], { kind: 'import', sources: [], dryRun: false }],
  [
    ['import', 'zed', 'f', '--to', 't', '--dry-run'],
    { kind: 'import', sources: ['zed', 'f'], to: 't', dryRun: true },
  ],
  [['unwrap', 'f'], { kind: 'unwrap', file: 'f', dryRun: false }],
  [
    ['wrap', 'f', '--degrade', 'permissive', '--report', '/r.jsonl', '--dry-run'],
    {
      kind: 'wrap',
      file: 'f',
      dryRun: true,
      flags: ['--degrade', 'permissive', '--report', '/r.jsonl'],
    },
  ],
])('other programs and their files: %j', (argv, expected) => {
  expect(parseArguments(argv, {})).toEqual(expected);
});

test.each<[string[], string]>([
  [['stdio', '--type', 'sse', '--', 'x'], '--type needs --url. See mcp-rosetta stdio --help.'],
  [
    ['stdio', '--url', 'http://h', '--type', 'ws'],
    '--type does not know "ws"; it takes http, sse. See mcp-rosetta stdio --help.',
  ],
  [
    ['stdio', '--url', 'unix:///s', '--type', 'sse'],
    '--type is for an HTTP address. See mcp-rosetta stdio --help.',
  ],
  [
    ['stdio', '--url-env', 'U'],
    '--url-env names the environment variable "U", which is not set. See mcp-rosetta stdio --help.',
  ],
  [
    ['stdio', '--url', 'http://h', '--url-env', 'U'],
    '--url and --url-env exclude each other; give one. See mcp-rosetta stdio --help.',
  ],
  [
    ['stdio', '--url', 'http://h', '--header-env', 'A'],
    '--header-env takes NAME=VARIABLE, as in Authorization=MY_TOKEN. See mcp-rosetta stdio --help.',
  ],
  [
    ['call', '--', 'x'],
    `call needs the name of a tool, as in mcp-rosetta call echo '{"text":"hi"}' -- node server.js. See mcp-rosetta call --help.`,
  ],
  [
    ['call', 'echo', '[1]', '--', 'x'],
    'the arguments of the tool must be a JSON object, such as {"path":"."}. See mcp-rosetta call --help.',
  ],
  [
    ['call', 'echo', '{"a":', '1}', '--', 'x'],
    'call takes a tool and its arguments as one JSON object; put that in quotes. See mcp-rosetta call --help.',
  ],
  [
    ['call', 'echo'],
    'call needs a server: --url URL, --config FILE, or a command after "--". See mcp-rosetta call --help.',
  ],
  [['import', 'cursor', '--dry-run'], '--dry-run needs --to. See mcp-rosetta import --help.'],
  [
    ['import', '--to', 'f'],
    '--to needs a source, as in mcp-rosetta import cursor --to FILE. See mcp-rosetta import --help.',
  ],
  [
    ['wrap', 'a', 'b'],
    'wrap takes one file, such as ~/.cursor/mcp.json. See mcp-rosetta wrap --help.',
  ],
  [
    ['wrap', 'a', '--degrade', 'everything'],
    '--degrade does not know "everything"; it takes strict, permissive or names of features. See mcp-rosetta wrap --help.',
  ],
  [
    ['unwrap', 'a', '--degrade', 'strict'],
    '--degrade is for stdio, serve, tools, call and wrap, not for unwrap. See mcp-rosetta unwrap --help.',
  ],
])('%j is refused', (argv, message) => {
  expect(parseArguments(argv, {})).toEqual({ kind: 'usage', message: `mcp-rosetta: ${message}` });
});
