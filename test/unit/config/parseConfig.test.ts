import { describe, expect, test } from 'vitest';
import { parseConfig, type ConfigFile } from '../../../src/config/parseConfig.ts';
import { unmark } from './markedText.ts';

const NOTHING: ConfigFile = { servers: [], inputs: [], problems: [], isComplete: true };

const PLAIN = { args: [], env: {}, timeouts: {}, disabled: false };

describe('valid files', () => {
  test.each(['', '  \n', '// nothing yet\n', '{}', '{ "servers": {}, "inputs": [] }'])(
    'a file with nothing in it has no servers: %j',
    (text) => {
      expect(parseConfig(text)).toEqual(NOTHING);
    },
  );

  test('every member is read, with comments and trailing commas', () => {
    const { text, ranges } = unmark(`{
      // Where editors find the schema.
      "$schema": "https://example.com/schema.json",
      "servers": {
        ‹"local"›: {
          "type": "stdio",
          "command": "node", /* the one on the PATH */
          "args": ["server.js", "--dir=\${workspaceFolder}"],
          "env": { "KEY": "\${input:key}", "PORT": 8080, "OLD": null, "EMPTY": "" },
          "envFile": "\${workspaceFolder}/.env",
          "cwd": "sub",
          "revision": "2026-07-28",
          "timeouts": { "probeMs": 1, "startMs": 2, "requestMs": 3, "maxRequestMs": 2147483647 },
          "reader": "vscode",
          "disabled": true,
        },
        ‹"far \\"away\\""›: {
          "type": "http",
          "url": "https://\${env:HOST}/mcp",
          "headers": { "Authorization": "Bearer \${input:key}" },
        },
      },
      "inputs": [
        { "id": "key", "type": "promptString", "description": "Key", "default": "x", "password": true },
        { "id": "mode", "type": "pickString", "options": ["a", { "label": "B", "value": "b" }] },
      ],
    }`);
    expect(parseConfig(text)).toEqual({
      servers: [
        {
          name: 'local',
          nameRange: ranges[0],
          entry: {
            kind: 'stdio',
            command: 'node',
            args: ['server.js', '--dir=${workspaceFolder}'],
            env: { KEY: '${input:key}', PORT: 8080, OLD: null, EMPTY: '' },
            envFile: '${workspaceFolder}/.env',
            cwd: 'sub',
            revision: '2026-07-28',
            timeouts: { probeMs: 1, startMs: 2, requestMs: 3, maxRequestMs: 2147483647 },
            reader: 'vscode',
            disabled: true,
          },
        },
        {
          name: 'far "away"',
          nameRange: ranges[1],
          entry: {
            kind: 'http',
            url: 'https://${env:HOST}/mcp',
            headers: { Authorization: 'Bearer ${input:key}' },
            timeouts: {},
            disabled: false,
          },
        },
      ],
      inputs: [
        { id: 'key', type: 'promptString', description: 'Key', default: 'x', password: true },
        { id: 'mode', type: 'pickString', options: ['a', { label: 'B', value: 'b' }] },
      ],
      problems: [],
      isComplete: true,
    });
  });

  test('the type may be left out where command or url tells it', () => {
    const file = parseConfig('{"servers":{"a":{"command":"x"},"b":{"url":"http://localhost"}}}');
    expect(file.servers.map(({ entry }) => entry)).toEqual([
      { kind: 'stdio', command: 'x', ...PLAIN },
      { kind: 'http', url: 'http://localhost', headers: {}, timeouts: {}, disabled: false },
    ]);
  });

  test('a byte order mark does not move anything', () => {
    expect(parseConfig('\uFEFF{"servers":{"a":{"command":"x"}}}')).toEqual({
      ...NOTHING,
      servers: [
        {
          name: 'a',
          nameRange: { offset: 13, length: 3 },
          entry: { kind: 'stdio', command: 'x', ...PLAIN },
        },
      ],
    });
  });
});

describe('bad names', () => {
  test('a name that is there twice counts once, the last time', () => {
    const { text, ranges } = unmark(
      '{"servers": {‹"a"›: {"command": "x"}, ‹"a"›: {"command": "y"}}}',
    );
    expect(parseConfig(text)).toEqual({
      ...NOTHING,
      servers: [
        { name: 'a', nameRange: ranges[1], entry: { kind: 'stdio', command: 'y', ...PLAIN } },
      ],
      problems: [
        {
          message: 'There is another server "a" below, and that one is used; rename one of them.',
          ...ranges[0],
        },
      ],
    });
  });

  test.each([
    ['', 'A server needs a name between the quotes.'],
    ['..', 'A server cannot have the name ".."; write another.'],
    ['a\u200bb', 'The name "a\\u{200b}b" holds a character that cannot be seen; remove it.'],
  ])('%j', (name, message) => {
    const { text, ranges } = unmark(`{"servers": {‹"${name}"›: {"command": "x"}}}`);
    expect(parseConfig(text)).toEqual({
      ...NOTHING,
      problems: [{ message, ...ranges[0], server: name }],
    });
  });
});

describe('the file around the servers', () => {
  test.each([
    ['‹[]›', 'The file must hold an object: { "servers": { … } }.', false],
    ['{‹"mcpServers"›: {}}', 'Unknown member "mcpServers"; write "servers" instead.', true],
    ['{‹"server"›: {}}', 'Unknown member "server"; did you mean "servers"?', true],
    ['{‹"x"›: {}}', 'Unknown member "x"; known are "servers" and "inputs".', true],
    [
      '{"servers": ‹[]›}',
      '"servers" must be an object: { "name": { "command": "npx", "args": [] } }.',
      true,
    ],
    [
      '{"servers": {}, ‹"servers"›: {}}',
      '"servers" is written twice, and only the first one counts; move what is in this one there.',
      true,
    ],
    [
      '{"inputs": ‹{}›}',
      '"inputs" must be a list: [ { "id": "key", "type": "promptString" } ].',
      true,
    ],
  ])('%s', (marked, message, isComplete) => {
    const { text, ranges } = unmark(marked);
    expect(parseConfig(text)).toEqual({
      ...NOTHING,
      problems: [{ message, ...ranges[0] }],
      isComplete,
    });
  });

  test('nesting that ends the stack is a problem, not a crash', () => {
    expect(parseConfig('['.repeat(200_000))).toEqual({
      ...NOTHING,
      problems: [{ message: 'The file is nested too deeply to be read.', offset: 0, length: 1 }],
      isComplete: false,
    });
  });
});

describe('inputs', () => {
  test('a bad input is told and left out, the others stay', () => {
    const { text, ranges } = unmark(`{"inputs": [
      {"id": ‹"a"›},
      {"id": "b", "type": ‹"pickString"›},
      {"id": "c", "type": "promptString", ‹"options"›: []},
      {"id": "d", "type": "promptString"},
      {"id": ‹"d"›, "type": "promptString"},
      ‹5›,
      {"type": ‹"promptString"›},
      {"id": "e", "type": ‹"command"›, "command": "x"},
      {"id": "f", "type": "pickString", "options": ‹[]›},
      {"id": "g", "type": "pickString", "options": ["a", ‹5›]}
    ]}`);
    const messages = [
      '"type" must be "promptString" (an answer to type) or "pickString" (a choice from "options").',
      'Input "b" needs "options".',
      '"options" is for inputs of type "pickString".',
      'There is already an input with the id "d"; this one is not used.',
      'An input must be an object, such as { "id": "key", "type": "promptString" }.',
      'This input needs "id".',
      '"type": "command" is not supported, because it runs a command of the editor; use "promptString" or "pickString".',
      '"options" must hold at least one option.',
      '"options[1]" must be a string or { "label": …, "value": … }; put it in double quotes.',
    ];
    expect(parseConfig(text)).toEqual({
      ...NOTHING,
      inputs: [{ id: 'd', type: 'promptString' }],
      problems: messages.map((message, i) => ({ message, ...ranges[i] })),
    });
  });

  test('an input with a name nearly like the one used is suggested', () => {
    const { text, ranges } = unmark(
      '{"servers": {"a": {"command": ‹"${input:tokn}"›}}, "inputs": [{"id": "token", "type": "promptString"}]}',
    );
    expect(parseConfig(text).problems).toEqual([
      {
        message: '${input:tokn} is not defined; did you mean ${input:token}?',
        ...ranges[0],
        server: 'a',
      },
    ]);
  });

  test('an input that is there but bad is told once, not again where it is used', () => {
    const text = '{"servers": {"a": {"command": "${input:k}"}}, "inputs": [{"id": "k"}]}';
    expect(parseConfig(text).problems.map(({ server }) => server)).toEqual([undefined]);
  });
});

describe('syntax errors', () => {
  test.each<[string, string, string | undefined, string[]]>([
    [
      '{"servers": {"a": {"command": "x"} ‹"b"›: {"command": "y"}}}',
      'A comma is missing before this.',
      undefined,
      ['a', 'b'],
    ],
    [
      '{"servers": {"a": {"command": "x" ‹"args"›: []}, "b": {"command": "y"}}}',
      'A comma is missing before this.',
      'a',
      ['b'],
    ],
    [
      `{"servers": {"a": {"command": ‹'x'›}, "b": {"command": "y"}}}`,
      `Texts stand in double quotes, not in single ones ('): use ".`,
      'a',
      ['b'],
    ],
    [
      '{"servers": {"a": {"command": ‹"C:\\Users\\x"›}, "b": {"command": "y"}}}',
      'A backslash in a text is written twice, as in "C:\\\\Tools".',
      'a',
      ['b'],
    ],
    [
      '{"servers": {"a": {‹command›: "x"}, "b": {"command": "y"}}}',
      'command is not valid here; names and texts stand in double quotes.',
      'a',
      ['b'],
    ],
    [
      '{"servers": {"b": {"command": "y"}, "a": {"command": "x"‹›',
      'A closing } is missing.',
      undefined,
      ['b'],
    ],
    ['{"servers": {"a": ‹}›}', 'A value is missing here.', undefined, []],
    ['{"servers": {}} ‹{›', 'Nothing may follow the closing } of the file.', undefined, []],
    ['{"servers": {}} ‹/* x›', 'This comment is not closed: */ is missing.', undefined, []],
  ])('%s', (marked, message, server, names) => {
    const { text, ranges } = unmark(marked);
    const file = parseConfig(text);
    expect(file.problems).toEqual([
      { message, ...ranges[0], ...(server !== undefined && { server }) },
    ]);
    expect(file.servers.map(({ name }) => name)).toEqual(names);
    expect(file.isComplete).toBe(false);
  });

  test('errors on several lines are all told, one for each line', () => {
    const { text, ranges } = unmark(`{"servers": {
      "a": {"command": ‹'x'›, "args": ['y']},
      "b": {"command": "y" ‹"args"›: []}
    }}`);
    expect(parseConfig(text).problems.map(({ offset, length }) => ({ offset, length }))).toEqual(
      ranges,
    );
  });
});
