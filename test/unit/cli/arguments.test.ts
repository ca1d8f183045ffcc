import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments.ts';
import { COMMANDS, FLAGS, isFlagName, takes } from '../../../src/cli/flags.ts';
import { helpText } from '../../../src/cli/usage.ts';

const options = { policy: { kind: 'strict' }, logLevel: 'warning' };

const server = { kind: 'command', command: 'node', args: ['s.js'] };

const atUrl = { kind: 'url', url: 'http://h/mcp', headers: {} };

describe('what the command line asks for', () => {
  test.each<[string[], unknown]>([
    [['stdio', '--', 'node', 's.js'], { kind: 'stdio', target: server, options }],
    [['stdio', '--url', 'http://h/mcp'], { kind: 'stdio', target: atUrl, options }],
    [
      ['serve', '--port', '8080', '--', 'node', 's.js'],
      { kind: 'serve', target: server, options, listen: { kind: 'http', port: 8080, sse: false } },
    ],
    [
      ['serve', '--token=-t', '--config', 'a b.json'],
      {
        kind: 'serve',
        target: { kind: 'config', file: 'a b.json' },
        options,
        listen: { kind: 'http', port: 0, sse: false, token: '-t' },
      },
    ],
    [
      ['serve', '--sse', '--', 'node', 's.js'],
      { kind: 'serve', target: server, options, listen: { kind: 'http', port: 0, sse: true } },
    ],
    [
      ['serve', '--hold', '0.5', '--', 'node', 's.js'],
      {
        kind: 'serve',
        target: server,
        options,
        listen: { kind: 'http', port: 0, sse: false, holdMs: 500 },
      },
    ],
    [
      ['serve', '--socket', '/tmp/s', '--', 'node', 's.js'],
      { kind: 'serve', target: server, options, listen: { kind: 'socket', path: '/tmp/s' } },
    ],
    [['tools', '--', 'node', 's.js'], { kind: 'tools', target: server, options, json: false }],
    [
      ['tools', '--url=http://h/mcp', '--json'],
      { kind: 'tools', target: atUrl, options, json: true },
    ],
    [['--version'], { kind: 'version' }],
    [['-V'], { kind: 'version' }],
    [['--help'], { kind: 'help', text: helpText() }],
    [['help'], { kind: 'help', text: helpText() }],
    [['help', 'serve'], { kind: 'help', text: helpText('serve') }],
    [['stdio', '-h'], { kind: 'help', text: helpText('stdio') }],
    [['tools', '--bogus', '--help', '--', 'x'], { kind: 'help', text: helpText('tools') }],
  ])('%j', (argv, expected) => {
    expect(parseArguments(argv, {})).toEqual(expected);
  });

  test.each([
    [['login', 'https://h/mcp'], { kind: 'url', url: 'https://h/mcp', headers: {} }],
    [
      ['login', 'x'],
      { kind: 'config', file: '.vscode/mcp-rosetta.json', name: 'x', isAssumed: true },
    ],
    [['login', 'x', '--config', 'f'], { kind: 'config', file: 'f', name: 'x' }],
  ])('a server to sign in to: %j', (argv, target) => {
    expect(parseArguments(argv, {})).toEqual({ kind: 'login', target, options });
  });

  test('one server of a file', () => {
    expect(parseArguments(['stdio', 'x', '--config', 'f'], {})).toEqual({
      kind: 'stdio',
      target: { kind: 'config', file: 'f', name: 'x' },
      options,
    });
  });

  test('every common flag is read', () => {
    const argv = ['stdio', '--degrade', 'tool-name, result-type', '--revision', '2026-07-28'];
    argv.push(
      '--reader',
      'vscode',
      '--tasks',
      'expose',
      '--report',
      'r.jsonl',
      '--log-level',
      'debug',
      '--',
      'node',
    );
    expect(parseArguments(argv, {})).toEqual({
      kind: 'stdio',
      target: { kind: 'command', command: 'node', args: [] },
      options: {
        policy: { kind: 'features', features: new Set(['tool-name', 'result-type']) },
        revision: '2026-07-28',
        reader: 'vscode',
        tasks: 'expose',
        reportFile: 'r.jsonl',
        logLevel: 'debug',
      },
    });
  });

  test('what stands after -- reaches the server as it is', () => {
    const args = ['--port', '1', '--', '-x', '', 'a b', '--help', '--token=t'];
    expect(parseArguments(['stdio', '--', 'node', ...args], {})).toEqual({
      kind: 'stdio',
      target: { kind: 'command', command: 'node', args },
      options,
    });
  });

  test('headers keep what stands after the first colon', () => {
    const argv = ['tools', '--url', 'http://h/mcp', '--header', 'A: b: c ', '--header', 'X-D:e'];
    expect(parseArguments(argv, {})).toEqual({
      kind: 'tools',
      target: { ...atUrl, headers: { A: 'b: c', 'X-D': 'e' } },
      options,
      json: false,
    });
  });
});

describe('serving over ZAP', () => {
  const serve = ['serve', '--zap'];

  test('takes one address', () => {
    const address = { kind: 'unix', path: '/s' };
    expect(parseArguments([...serve, 'zap+unix:///s', '--', 'node', 's.js'], {})).toEqual({
      kind: 'serve',
      target: server,
      options,
      listen: { kind: 'zap', address },
    });
    const { kind } = parseArguments([...serve, 'zap+tcp://', '--url', 'zap+unix:///t'], {});
    expect(kind).toBe('serve');
  });

  test.each([
    [['/s', '--', 'x'], '--zap must be zap+unix:///path or zap+tcp://host:port, not "/s".'],
    [['zap+unix:///s', '--config', 'f'], '--zap and --config exclude each other; give one.'],
    [['zap+unix:///s', '--port', '1', '--', 'x'], '--zap and --port exclude each other; give one.'],
    [
      ['zap+unix:///s', '--token', 't', '--', 'x'],
      '--zap and --token exclude each other; give one.',
    ],
    [
      ['zap+unix:///s', '--url', 'zap+tcp://h', '--header', 'A: b'],
      'ZAP has no headers for --header.',
    ],
    [
      ['zap+unix:///s', '--url', 'zap+udp://h'],
      '--url must be zap+unix:///path or zap+tcp://host:port.',
    ],
  ])('%j is refused', (flags, reason) => {
    const message = `mcp-rosetta: ${reason} See mcp-rosetta serve --help.`;
    expect(parseArguments([...serve, ...flags], {})).toEqual({ kind: 'usage', message });
  });
});

test('a token that could not be demanded keeps a server from being served over ZAP', () => {
  const flags = ['serve', '--zap', 'zap+unix:///s', '--', 'x'];
  expect(parseArguments(flags, { MCP_ROSETTA_TOKEN: 't' })).toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('MCP_ROSETTA_TOKEN is set') as string,
  });
});

describe('the token of serve', () => {
  const listen = { kind: 'http', port: 0, sse: false };
  const serve = { kind: 'serve', target: server, options, listen };

  test.each<[string[], Record<string, string>, unknown]>([
    [[], {}, serve],
    [[], { MCP_ROSETTA_TOKEN: '' }, serve],
    [[], { MCP_ROSETTA_TOKEN: 'e' }, { ...serve, listen: { ...listen, token: 'e' } }],
    [['--token', 'f'], { MCP_ROSETTA_TOKEN: 'e' }, { ...serve, listen: { ...listen, token: 'f' } }],
    [
      [],
      { MCP_ROSETTA_TOKEN: 'a b' },
      {
        kind: 'usage',
        message:
          'mcp-rosetta: MCP_ROSETTA_TOKEN must be printable ASCII characters without spaces. See mcp-rosetta serve --help.',
      },
    ],
  ])('%j with %j', (flags, env, expected) => {
    expect(parseArguments(['serve', ...flags, '--', 'node', 's.js'], env)).toEqual(expected);
  });

  test('the other commands do not look at it', () => {
    expect(parseArguments(['stdio', '--', 'node', 's.js'], { MCP_ROSETTA_TOKEN: 'a b' })).toEqual({
      kind: 'stdio',
      target: server,
      options,
    });
  });
});

test('help of help is the help', () => {
  expect(parseArguments(['help', 'help'], {})).toEqual(parseArguments(['help'], {}));
});

describe('a command line that cannot be understood', () => {
  test.each<[string[], string]>([
    [
      [],
      'say what to do: stdio, serve, tools, call, login, logout, matrix, replay, show, import, wrap, unwrap or help. See mcp-rosetta --help.',
    ],
    [
      ['--', 'x'],
      'say what to do: stdio, serve, tools, call, login, logout, matrix, replay, show, import, wrap, unwrap or help. See mcp-rosetta --help.',
    ],
    [['serv', '--', 'x'], 'unknown command "serv"; did you mean "serve"? See mcp-rosetta --help.'],
    [
      ['node', 's.js'],
      'unknown command "node"; there are stdio, serve, tools, call, login, logout, matrix, replay, show, import, wrap, unwrap and help. See mcp-rosetta --help.',
    ],
    [
      ['help', 'x'],
      'unknown command "x"; there are stdio, serve, tools, call, login, logout, matrix, replay, show, import, wrap, unwrap and help. See mcp-rosetta --help.',
    ],
    [
      ['stdio'],
      'stdio needs a server: --url URL, --config FILE, or a command after "--". See mcp-rosetta stdio --help.',
    ],
    [
      ['tools'],
      'tools needs a server: --url URL, --config FILE, or a command after "--". See mcp-rosetta tools --help.',
    ],
    [['stdio', '--'], 'there is no command after "--". See mcp-rosetta stdio --help.'],
    [['stdio', '--', '', 'x'], 'there is no command after "--". See mcp-rosetta stdio --help.'],
    [
      ['stdio', 'node', 's.js'],
      'unexpected "node"; the command of the server comes after "--", as in mcp-rosetta stdio -- node server.js. See mcp-rosetta stdio --help.',
    ],
    [
      ['serve', '--prot', '1', '--', 'x'],
      'unknown flag --prot; did you mean --port? See mcp-rosetta serve --help.',
    ],
    [['tools', '--verbose', '--', 'x'], 'unknown flag --verbose. See mcp-rosetta tools --help.'],
    [['tools', '-x', '--', 'x'], 'unknown flag -x. See mcp-rosetta tools --help.'],
    [
      ['stdio', '--port', '1', '--', 'x'],
      '--port is for serve, not for stdio. See mcp-rosetta stdio --help.',
    ],
    [
      ['matrix', '--config', 'f'],
      '--config is for stdio, serve, tools, call, login and logout, not for matrix. See mcp-rosetta matrix --help.',
    ],
    [
      ['stdio', '--config', 'f', 'a', 'b'],
      'unexpected "b"; the command of the server comes after "--", as in mcp-rosetta stdio -- node server.js. See mcp-rosetta stdio --help.',
    ],
    [
      ['login'],
      'login takes one server: its address, or its name in the configuration. See mcp-rosetta login --help.',
    ],
    [
      ['logout', 'a', 'b'],
      'logout takes one server: its address, or its name in the configuration. See mcp-rosetta logout --help.',
    ],
    [
      ['login', 'https://h/mcp', '--config', 'f'],
      '--config goes with the name of a server, not an address. See mcp-rosetta login --help.',
    ],
    [
      ['login', 'https://user:secret@h/mcp'],
      'The address holds a user name or password; send it in --header instead. See mcp-rosetta login --help.',
    ],
    [
      ['serve', '--port', '--', 'x'],
      '--port needs a value, as in --port VALUE. See mcp-rosetta serve --help.',
    ],
    [
      ['serve', '--port', '--json'],
      '--port needs a value; one that begins with "-" is written --port=VALUE. See mcp-rosetta serve --help.',
    ],
    [['help', 'stdio', 'foo'], 'unexpected "foo"; help takes one command. See mcp-rosetta --help.'],
    [
      ['--foo'],
      'a command comes before --foo: stdio, serve, tools, call, login, logout, matrix, replay, show, import, wrap, unwrap or help. See mcp-rosetta --help.',
    ],
    [
      ['serve', '--port'],
      '--port needs a value, as in --port VALUE. See mcp-rosetta serve --help.',
    ],
    [
      ['serve', '--port', '70000', '--', 'x'],
      '--port takes a number from 0 to 65535, not "70000". See mcp-rosetta serve --help.',
    ],
    ...['0', '-1', 'x', '1e3'].map((seconds): [string[], string] => [
      ['serve', `--hold=${seconds}`, '--', 'x'],
      `--hold takes a number of seconds above 0, not "${seconds}". See mcp-rosetta serve --help.`,
    ]),
    [
      ['serve', '--hold', '1', '--socket', '/s', '--', 'x'],
      '--socket and --hold exclude each other: with a socket nothing is served over HTTP. See mcp-rosetta serve --help.',
    ],
    [
      ['serve', '--port', '0x50', '--', 'x'],
      '--port takes a number from 0 to 65535, not "0x50". See mcp-rosetta serve --help.',
    ],
    [
      ['serve', '--port', '1', '--port', '2', '--', 'x'],
      '--port is given twice. See mcp-rosetta serve --help.',
    ],
    [['tools', '--json=1', '--', 'x'], '--json takes no value. See mcp-rosetta tools --help.'],
    [
      ['serve', '--token', 'a b', '--', 'x'],
      '--token must be printable ASCII characters without spaces. See mcp-rosetta serve --help.',
    ],
    [
      ['serve', '--url', 'http://h', '--', 'x'],
      '--url and a command after "--" exclude each other; give one. See mcp-rosetta serve --help.',
    ],
    [
      ['stdio', '--url', 'localhost:80'],
      '--url must start with http:// or https://, or with unix://, pipe://, zap+unix:// or zap+tcp://. See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--url', 'unix://tmp/s'],
      '--url needs three slashes before its path. See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--url', 'unix:///tmp/s', '--header', 'A: b'],
      '--header is for an HTTP address; of a socket that is one such as unix:///PATH#/mcp. See mcp-rosetta stdio --help.',
    ],
    [
      ['serve', '--socket', 's', '--port', '1', '--', 'x'],
      '--socket and --port exclude each other: with a socket nothing is served over HTTP. See mcp-rosetta serve --help.',
    ],
    [
      ['serve', '--socket', 's', '--config', 'f'],
      '--socket serves one server; give it by --url or after "--" instead of --config. See mcp-rosetta serve --help.',
    ],
    [
      ['stdio', '--url', 'http://a:b@h'],
      '--url holds a user name or password; send it in --header instead. See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--header', 'A: b', '--', 'x'],
      '--header needs --url. See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--url', 'http://h', '--header', 'Bearer secret'],
      "--header takes 'Name: value', with a name that a header can have. See mcp-rosetta stdio --help.",
    ],
    [
      ['stdio', '--url', 'http://h', '--header', 'A: secret\r\nB: c'],
      'The value of --header A holds a character that no header can. See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--url', 'http://h', '--header', 'A: b', '--header', 'a: c'],
      '--header a is given twice. See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--degrade', 'permisive', '--', 'x'],
      '--degrade does not know "permisive"; did you mean "permissive"? See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--degrade', 'tool-name,tool-anotations', '--', 'x'],
      '--degrade does not know "tool-anotations"; did you mean "tool-annotations"? See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--degrade', 'everything', '--', 'x'],
      '--degrade does not know "everything"; it takes strict, permissive or names of features. See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--revision', '1.0', '--', 'x'],
      '--revision does not know "1.0"; it takes 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28, draft. See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--reader', 'cursor', '--', 'x'],
      '--reader does not know "cursor"; it takes spec, vscode. See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--log-level', 'warn', '--', 'x'],
      '--log-level does not know "warn"; did you mean "warning"? See mcp-rosetta stdio --help.',
    ],
    [
      ['stdio', '--a\u001b[2Jb', '--', 'x'],
      'unknown flag --a\\u{1b}[2Jb. See mcp-rosetta stdio --help.',
    ],
  ])('%j', (argv, message) => {
    expect(parseArguments(argv, {})).toEqual({ kind: 'usage', message: `mcp-rosetta: ${message}` });
  });
});

test.each([undefined, ...COMMANDS])('the help of %s fits a terminal and ends once', (command) => {
  const text = helpText(command);
  expect(text).toMatch(/[^\n]\n$/);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test.each(COMMANDS)(
  'the help of %s tells of every flag that it takes, and of no other',
  (command) => {
    const told = [...helpText(command).matchAll(/^ {2}--([a-z-]+)/gm)].map((match) => match[1]);
    const taken = Object.keys(FLAGS).filter((name) => isFlagName(name) && takes(command, name));
    expect(told.toSorted()).toEqual(
      taken.filter((name) => name !== 'help' && name !== 'version').toSorted(),
    );
  },
);
