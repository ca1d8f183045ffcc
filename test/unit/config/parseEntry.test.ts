import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/config/parseConfig.ts';
import { unmark } from './markedText.ts';

/** Each a whole entry of the server `x`, with the place of each problem marked, and the messages in order. */
const BAD_ENTRIES: [string, ...string[]][] = [
  ['‹[]›', 'Server "x" must be an object, such as { "command": "npx", "args": [] }.'],
  ['‹null›', 'Server "x" must be an object, such as { "command": "npx", "args": [] }.'],
  ['{‹"comand"›: "node"}', 'Unknown member "comand"; write "command" instead.'],
  ['{‹"cmd"›: "node"}', 'Unknown member "cmd"; write "command" instead.'],
  ['{‹"serverUrl"›: "http://h"}', 'Unknown member "serverUrl"; write "url" instead.'],
  ['{"command": ‹""›}', '"command" must not be empty.'],
  ['{"command": ‹3›}', '"command" must be a string; put it in double quotes.'],
  [
    '{"command": ‹"C:\\tools\\new.exe"›}',
    '"command" holds a control character; a backslash is written twice, as in "C:\\\\Tools".',
  ],
  [
    '{"command": ‹"a\\u0000"›}',
    '"command" holds a NUL character, which cannot be passed on; remove it.',
  ],
  [
    '{"command": "n", "args": ‹"-y"›}',
    '"args" must be a list of strings, such as ["--port", "80"].',
  ],
  [
    '{"command": "n", "args": ["a", ‹8080›, ‹null›]}',
    '"args[1]" must be a string; put it in double quotes.',
    '"args[2]" must be a string.',
  ],
  [
    '{"command": "n", "env": {"A": ‹true›, ‹""›: "x", ‹"a=b"›: 1, "B": ‹12345678901234567890›}}',
    '"env.A" must be a string, a number or null; put it in double quotes.',
    'The name "" in "env" cannot name a variable: it is empty or holds "=" or a NUL character.',
    'The name "a=b" in "env" cannot name a variable: it is empty or holds "=" or a NUL character.',
    '"env.B" is too big for a number; write it in quotes.',
  ],
  [
    '{"command": "n", "env": ‹["A=1"]›}',
    '"env" must be an object, such as { "API_KEY": "${input:api-key}" }.',
  ],
  [
    '{"command": "n", ‹"url"›: "http://h"}',
    'A server has "command" (a program to start) or "url" (an address), not both; remove one.',
  ],
  [
    '{"type": "http", "url": "http://h", ‹"command"›: "n"}',
    '"command" is for servers of type "stdio"; this one is of type "http". Remove "command", or correct "type".',
  ],
  [
    '{"type": "sse", "url": "http://h", "revision": ‹"2026-07-28"›}',
    '"revision" must be one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25.',
  ],
  [
    '{"type": "sse", "url": "http://h", ‹"args"›: []}',
    '"args" is for servers of type "stdio"; this one is of type "sse". Remove "args", or correct "type".',
  ],
  ['{"type": ‹"streamableHttp"›, "url": "http://h"}', 'For Streamable HTTP write "type": "http".'],
  [
    '{"type": ‹"foo"›, "url": "http://h"}',
    '"type" must be "stdio" (a command to start), "http" (an address), "sse" (an address of HTTP+SSE) or "socket" (a local one).',
  ],
  [
    '{"type": ‹3›}',
    '"type" must be "stdio" (a command to start), "http" (an address), "sse" (an address of HTTP+SSE) or "socket" (a local one).',
  ],
  ['{"url": ‹"unix://tmp/s.sock"›}', '"url" needs three slashes before its path.'],
  [
    '{"url": ‹"unix:///"›}',
    '"url" names no socket; write one such as unix:///tmp/server.sock, or on Windows pipe:///pipe/server.',
  ],
  ['{"url": ‹"unix:///tmp/a%zz"›}', '"url" holds a "%" that stands for no character; write %25.'],
  ['{"type": "socket", "url": ‹"http://h"›}', '"url" must start with unix:/// or pipe:///.'],
  [
    '{"type": "socket", "url": ‹"unix:///tmp/s.sock#/mcp"›}',
    '"url" has something behind the path of the socket; for HTTP over it write "type": "http".',
  ],
  [
    '{"url": ‹"unix:///tmp/s.sock#mcp"›}',
    '"url" needs the path of the request behind its "#", as in unix:///tmp/server.sock#/mcp.',
  ],
  [
    '{"url": "unix:///tmp/s.sock", ‹"headers"›: {}}',
    '"headers" is for servers of type "http"; this one is of type "socket". Remove "headers", or correct "type".',
  ],
  [
    '{"url": ‹"localhost:3000/mcp"›}',
    '"url" must start with http:// or https://, or with unix://, pipe://, zap+unix:// or zap+tcp://.',
  ],
  [
    '{"url": ‹"file:///etc/passwd"›}',
    '"url" must start with http:// or https://, or with unix://, pipe://, zap+unix:// or zap+tcp://.',
  ],
  [
    '{"url": ‹"zap+unix://s.sock"›}',
    '"url" must name a socket by its whole path, as in zap+unix:///run/tools.sock.',
  ],
  ['{"url": ‹"zap://h"›}', '"url" must be zap+unix:///path or zap+tcp://host:port.'],
  [
    '{"url": ‹"my server"›}',
    '"url" is not an address; write one such as http://localhost:3000/mcp.',
  ],
  [
    '{"url": ‹"http://me:secret@h/"›}',
    '"url" holds a user name or password; send it in "headers" instead.',
  ],
  [
    '{"url": "http://h", "headers": {‹"A b"›: "x", "X": ‹1›}}',
    'The name "A b" in "headers" is not a name that a header can have.',
    '"headers.X" must be a string; put it in double quotes.',
  ],
  [
    '{"command": "n", "timeouts": {‹"startMS"›: 5, "probeMs": ‹0›, "requestMs": ‹1.5›, "maxRequestMs": ‹1e12›}}',
    'Unknown member "startMS" in "timeouts"; did you mean "startMs"?',
    '"timeouts.probeMs" must be greater than 0 (milliseconds).',
    '"timeouts.requestMs" must be a whole number of milliseconds.',
    '"timeouts.maxRequestMs" must be at most 2147483647 (milliseconds, 24 days).',
  ],
  ['{"command": "n", ‹"timeout"›: 5}', 'Unknown member "timeout"; write "timeouts" instead.'],
  [
    '{"command": "n", "revision": ‹"2025-11-5"›}',
    '"revision" must be one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28, draft.',
  ],
  ['{"command": "n", "reader": ‹"x"›}', '"reader" must be one of spec, vscode.'],
  ['{"command": "n", "tasks": ‹true›}', '"tasks" must be one of await, expose.'],
  ['{"command": "n", "disabled": ‹"yes"›}', '"disabled" must be true or false.'],
  [
    '{"command": "n", ‹"dev"›: {}, ‹"enabled"›: true, ‹"foo"›: 1}',
    `"dev" is VS Code's own and does nothing here; remove it.`,
    'Unknown member "enabled"; write "disabled", with the opposite value.',
    'Unknown member "foo"; known are type, command, args, env, envFile, cwd, revision, timeouts, reader, tasks, disabled.',
  ],
  [
    '{"url": "http://h", "oauth": {"clientId": "c", ‹"client_secret"›: "s", "callbackPort": ‹0›, "grant": ‹"password"›, "clientMetadataUrl": ‹"https://h"›}}',
    'Unknown member "client_secret" in "oauth"; did you mean "clientSecret"?',
    '"oauth.callbackPort" must be at least 1.',
    '"oauth.grant" must be authorization_code or client_credentials.',
    '"oauth.clientMetadataUrl" must be an https:// address with a path.',
  ],
  [
    '{"command": "n", ‹"oauth"›: {"clientId": "c"}}',
    '"oauth" is for servers of type "http"; this one is of type "stdio". Remove "oauth", or correct "type".',
  ],
  [
    '{"command": "n", ‹"command"›: "m", "env": {"A": "1", ‹"A"›: "2", ‹"__proto__"›: "x"}}',
    '"command" is written twice; remove one.',
    '"A" is written twice; remove one.',
    '"__proto__" cannot be used as a name; remove it.',
  ],
  [
    '{"command": ‹"${workspaceRoot}/x"›, "args": [‹"${HOME}"›, ‹"${foo}"›, ‹"${env:}"›, ‹"${input:k}"›]}',
    'Unknown variable ${workspaceRoot}; did you mean ${workspaceFolder}?',
    'Unknown variable ${HOME}; for the environment write ${env:HOME}.',
    'Unknown variable ${foo}; there are ${workspaceFolder}, ${userHome}, ${pathSeparator}, ${/}, ${env:NAME}, ${input:ID}.',
    '${env:} names nothing; write it like ${env:HOME}.',
    '${input:k} is not defined; add { "id": "k", "type": "promptString" } to "inputs".',
  ],
];

describe('bad entries', () => {
  test.each(BAD_ENTRIES)('%s', (marked, ...messages) => {
    const { text, ranges } = unmark(
      `{"servers": {"before": {"command": "b"}, "x": ${marked}, "after": {"command": "a"}}}`,
    );
    const file = parseConfig(text);
    expect(file.problems).toEqual(
      messages.map((message, i) => ({ message, ...ranges[i], server: 'x' })),
    );
    expect(file.servers.map(({ name }) => name)).toEqual(['before', 'after']);
    expect(file.isComplete).toBe(true);
  });

  test('a secret without the client whose it is', () => {
    const file = parseConfig(
      '{"servers": {"x": {"url": "http://h", "oauth": {"clientSecret": "s"}}}}',
    );
    expect(file.problems.map(({ message }) => message)).toEqual([
      'Server "x" needs "oauth.clientId".',
    ]);
  });

  test('a missing member is shown at the name of the server', () => {
    const { text, ranges } = unmark('{"servers": {‹"x"›: {}, ‹"y"›: {"type": "stdio"}}}');
    expect(parseConfig(text).problems).toEqual([
      {
        message: 'Server "x" needs "command" (a program to start) or "url" (an address).',
        ...ranges[0],
        server: 'x',
      },
      { message: 'Server "y" needs "command".', ...ranges[1], server: 'y' },
    ]);
  });
});
