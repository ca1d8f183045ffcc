import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { readForeignFile } from '../../../../src/config/editors/foreignFile.ts';
import {
  unwrapFile,
  wrapFile,
  type Rewritten,
  type WrapRecord,
} from '../../../../src/config/editors/wrapFile.ts';
import { badNamesIn } from '../../../../src/config/jsonTree.ts';
import { jsonText } from '../../../support/arbitraryJson.ts';
import * as texts from './texts.ts';

const wrapper = { command: '/opt/node', args: ['/opt/cli.cjs', 'stdio', '--degrade', 'strict'] };
const start = '/opt/cli.cjs stdio --degrade strict';

function read(text: string, path: string) {
  const reading = readForeignFile(text, path);
  if (reading.kind === 'problem') throw new Error(reading.message);
  return reading.file;
}

function wrap(text: string, path = '/some.json', records: readonly WrapRecord[] = []): Rewritten {
  return wrapFile(text, read(text, path), wrapper, records);
}

function unwrap(text: string, records: readonly WrapRecord[], path = '/some.json'): Rewritten {
  return unwrapFile(text, read(text, path), records);
}

interface Entry {
  readonly command: string | { readonly path: string; readonly args: readonly string[] };
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The servers of a text by name, of a place that most programs have. */
function serversOf(text: string): Record<string, Entry> {
  const content = parse(text.replace('\uFEFF', '')) as Record<string, Record<string, Entry>>;
  return content['servers'] ?? content['mcpServers'] ?? content['context_servers'] ?? {};
}

/** How each server is started: its command line with what its environment says, or why it is left. */
function linesOf(text: string, path: string): unknown {
  const wrapped = wrap(text, path);
  const servers = serversOf(wrapped.text);
  return Object.fromEntries(
    wrapped.outcomes.map((outcome) => {
      if (outcome.kind === 'left') return [outcome.name, outcome.reason];
      const entry = servers[outcome.name];
      const holder = typeof entry?.command === 'object' ? entry.command : entry;
      return [outcome.name, holder?.args.join(' ')];
    }),
  );
}

describe('the bridge before the servers of', () => {
  test('VS Code', () => {
    const { path, text } = texts.VSCODE;
    expect(linesOf(text, path)).toEqual({
      Github: `${start} --url-env MCP_ROSETTA_URL`,
      Perplexity: `${start} -- npx -y server-perplexity-ask`,
      own: `${start} -- node ./build/index.js --name \${workspaceFolderBasename}`,
      docker: `${start} --url-env MCP_ROSETTA_URL`,
      socket: 'its socket needs the path of the request, as in "unix:///tmp/s.sock#/mcp"',
      chosen: `${start} -- npx \${input:picked}`,
      setting: `${start} -- npx \${config:python.path}`,
    });
    const { Github, own } = serversOf(wrap(text, path).text);
    expect(Github).toEqual({
      command: '/opt/node',
      args: [...wrapper.args, '--url-env', 'MCP_ROSETTA_URL'],
      env: { MCP_ROSETTA_URL: 'https://api.githubcopilot.com/mcp/' },
      type: 'stdio',
    });
    // What belongs to the editor stays the editor's.
    expect(own).toMatchObject({ sandboxEnabled: true, dev: { watch: 'build/**/*.js' } });
  });

  test('Cursor and Windsurf', () => {
    expect(linesOf(texts.CURSOR.text, texts.CURSOR.path)).toEqual({
      'local-server': `${start} -- python \${workspaceFolder}/tools/mcp_server.py`,
      'remote-server': `${start} --url-env MCP_ROSETTA_URL --header-env Authorization=MCP_ROSETTA_HEADER_1`,
      'oauth-server': 'it signs in by "auth", which only a configuration can say; import it',
    });
    const { env } = serversOf(wrap(texts.CURSOR.text).text)['remote-server'] ?? {};
    expect(env).toEqual({
      MCP_ROSETTA_URL: 'https://api.example.com/mcp',
      MCP_ROSETTA_HEADER_1: 'Bearer ${env:MY_SERVICE_TOKEN}',
    });
    expect(linesOf(texts.WINDSURF.text, texts.WINDSURF.path)).toEqual({
      figma: `${start} --url-env MCP_ROSETTA_URL --header-env Authorization=MCP_ROSETTA_HEADER_1`,
      'from-file': `${start} -- npx -y x`,
    });
  });

  test('Claude Code, those of each folder too', () => {
    const { text, outcomes } = wrap(texts.CLAUDE_CODE_USER.text);
    expect(outcomes).toEqual([
      { kind: 'wrapped', name: 'context7' },
      { kind: 'wrapped', name: 'airtable' },
      { kind: 'wrapped', name: 'asana' },
    ]);
    const { projects } = JSON.parse(text) as {
      projects: Record<string, { mcpServers: Record<string, Entry> }>;
    };
    expect(projects['/home/ada/other']?.mcpServers['asana']).toEqual({
      type: 'stdio',
      command: '/opt/node',
      args: [...wrapper.args, '--type', 'sse', '--url-env', 'MCP_ROSETTA_URL'],
      env: { MCP_ROSETTA_URL: 'https://mcp.asana.com/sse' },
    });
    expect(linesOf(texts.CLAUDE_CODE_PROJECT.text, '/p/.mcp.json')).toMatchObject({
      signed: 'it signs in by "oauth", which only a configuration can say; import it',
      socket: 'its type is "ws"',
    });
  });

  test('Zed, in both shapes', () => {
    expect(linesOf(texts.ZED.text, texts.ZED.path)).toEqual({
      'local-mcp-server': `${start} -- some-command arg-1 arg-2`,
      older: `${start} -- uvx mcp-server-git`,
      'remote-mcp-server': `${start} --url-env MCP_ROSETTA_URL --header-env Authorization=MCP_ROSETTA_HEADER_1`,
      'postgres-context-server': 'an extension starts it, and only the editor knows how',
    });
  });
});

test('no header and no address is an argument', () => {
  const secret = 'https://user.example.com/SECRET/mcp?key=SECRET';
  const text = JSON.stringify({
    mcpServers: {
      a: { url: secret, headers: { 'X-Key': 'SECRET', 'x-b': 'SECRET' }, env: { A: 'b' } },
    },
  });
  const entry = serversOf(wrap(text).text)['a'];
  expect(JSON.stringify(entry?.args)).not.toContain('SECRET');
  expect(entry?.env).toEqual({
    A: 'b',
    MCP_ROSETTA_URL: secret,
    MCP_ROSETTA_HEADER_1: 'SECRET',
    MCP_ROSETTA_HEADER_2: 'SECRET',
  });
  expect(entry).not.toHaveProperty('headers');
});

test.each([
  ['{"command":"a","command":"b"}', '"command" is written twice'],
  ['{"command":""}', 'its command is no text'],
  ['{"command":"a","args":"b"}', 'its "args" are no list of texts'],
  ['{"command":"a","args":[1]}', 'its "args" are no list of texts'],
  ['{"url":7}', 'its address is no text'],
  ['{"url":"https://h","serverUrl":"https://i"}', 'it has "serverUrl" beside its address'],
  ['{"type":"http","url":"https://h","command":"x"}', 'it has "command" beside its address'],
  ['{"url":"example.com"}', 'its address must start with http:// or https://'],
  ['{"url":"https://h","headers":{"a b":"c"}}', 'its "headers" are no texts by names'],
  ['{"url":"https://h","headers":[]}', 'its "headers" are no texts by names'],
  ['{"url":"https://h","env":[]}', 'its "env" is no object'],
  ['{"url":"https://h","env":{"MCP_ROSETTA_URL":"x"}}', 'its "env" has "MCP_ROSETTA_URL" already'],
  [
    '{"url":"https://h","headers":{"A":"b"},"env":{"MCP_ROSETTA_HEADER_1":"x"}}',
    'its "env" has "MCP_ROSETTA_HEADER_1" already',
  ],
  ['null', 'it is no object'],
])('%s is left as it is', (entry, reason) => {
  const text = `{"mcpServers":{"a":${entry}}}`;
  const outcomes = [{ kind: 'left', name: 'a', reason }];
  expect(wrap(text)).toEqual({ text, outcomes, records: [] });
});

test.each(texts.ALL.map(({ path, text }) => [path, text]))(
  '%s: once more changes nothing, and back again every byte is there',
  (path, text) => {
    const wrapped = wrap(text, path);
    expect(wrapped.text).not.toBe(text);
    const again = wrap(wrapped.text, path, wrapped.records);
    expect(again.text).toBe(wrapped.text);
    expect(again.records).toEqual(wrapped.records);
    const unwrapped = unwrap(wrapped.text, wrapped.records, path);
    expect(unwrapped.text).toBe(text);
    expect(unwrapped.records).toEqual([]);
    expect(unwrap(text, [], path)).toEqual({ text, outcomes: [], records: [] });
  },
);

test.each(texts.ALL.map(({ path, text }) => [path, text]))(
  '%s: what is not remembered is rebuilt as the same servers',
  (path, text) => {
    const rebuilt = unwrap(wrap(text, path).text, [], path);
    expect(new Set(rebuilt.outcomes.map(({ kind }) => kind))).toEqual(new Set(['rebuilt']));
    const normal = (of: string): unknown =>
      parse(of.replace('"streamable-http"', '"http"'), [], { allowTrailingComma: true });
    expect(normal(rebuilt.text)).toEqual(normal(text));
  },
);

test('what another program has reformatted or moved is put back all the same', () => {
  const text = `{"mcpServers": {"a": { "command": "x", /* mine */ "args": [ ] }, "b": {"command":"y"}}}`;
  const wrapped = wrap(text);
  const content = JSON.parse(wrapped.text.replace('/* mine */', '')) as {
    mcpServers: Record<string, unknown>;
  };
  const { a, b } = content.mcpServers;
  const moved = JSON.stringify({ theme: 'dark', mcpServers: { b, renamed: a } }, null, 2);
  const { text: back, outcomes } = unwrap(moved, wrapped.records);
  expect(outcomes).toEqual([
    { kind: 'unwrapped', name: 'b' },
    { kind: 'unwrapped', name: 'renamed' },
  ]);
  expect(back).toContain('"renamed": { "command": "x", /* mine */ "args": [ ] }');
  expect(back).toContain('"b": {"command":"y"}');
});

test('an entry that was changed since keeps the change', () => {
  const wrapped = wrap('{"mcpServers":{"a":{"command":"x","args":["1"]}}}');
  const changed = wrapped.text.replace('"1"]', '"2"],"env":{"A":"b"}');
  const { text, outcomes, records } = unwrap(changed, wrapped.records);
  expect(outcomes).toEqual([{ kind: 'rebuilt', name: 'a' }]);
  expect(JSON.parse(text)).toEqual({
    mcpServers: { a: { command: 'x', args: ['2'], env: { A: 'b' } } },
  });
  expect(records).toEqual([]);
});

test('an entry that was changed and changed back gets every byte, whatever was wrapped meanwhile', () => {
  const text = '{"mcpServers":{"a":{"command":"x" /* mine */, "args":["1" , ]}}}';
  const wrapped = wrap(text);
  for (const [from, to] of [
    ['"1"', '"2"'],
    ['"command":', '"command":"twice","command":'],
  ] as const) {
    const changed = wrapped.text.replace(from, to);
    const meanwhile = wrap(changed, undefined, wrapped.records);
    expect(meanwhile.text).toBe(changed);
    expect(unwrap(wrapped.text, meanwhile.records).text).toBe(text);
  }
});

test('a bridge for a server of a configuration file is nothing that an entry could be', () => {
  const text = '{"mcpServers":{"a":{"command":"mcp-rosetta","args":["stdio","x","--config","f"]}}}';
  const { text: same, outcomes } = unwrap(text, []);
  expect(same).toBe(text);
  expect(outcomes).toMatchObject([{ kind: 'left', name: 'a' }]);
});

/** Comments and white space between two tokens; a line comment ends with the line. */
const gap = fc
  .array(fc.constantFrom('', ' ', '\t', '\n', '/* a, "b": {} */', '// ] } "\n'), { maxLength: 3 })
  .map((parts) => parts.join(''));
const name = fc.constantFrom('"a"', '"b"', '"b c"', '"\\u0061"', '"constructor"', '"1"', '"😀"');
const value = fc.oneof(
  fc.constantFrom('"npx"', '"-y"', '"${env:A}"', '"https://example.com/mcp"', '"\\\\ \\u0041"'),
  fc.constantFrom('[]', '["a", "b" , ]', '["a" // c\n]', '[ /* none */ ]', '{}', '{"A": "b",}'),
  fc.constantFrom('{"MCP_ROSETTA_URL": "a"}', '{"MCP_ROSETTA_HEADER_1": "b"}'),
  jsonText,
);
const key = fc.constantFrom(
  '"command"',
  '"args"',
  '"env"',
  '"url"',
  '"serverUrl"',
  '"headers"',
  '"type"',
  '"disabled"',
  '"x"',
);

function object(
  members: fc.Arbitrary<readonly [string, string]>,
  maxLength = 5,
): fc.Arbitrary<string> {
  const spaced = fc.tuple(members, gap, gap, gap, gap);
  return fc
    .tuple(fc.array(spaced, { maxLength }), gap, fc.boolean())
    .map(([list, inside, trails]) => {
      const parts = list.map(([[k, v], a, b, c, d]) => `${a}${k}${b}:${c}${v}${d}`);
      const tail = trails && parts.length > 0 ? ',' : '';
      return `{${parts.join(',')}${tail}${inside}}`;
    });
}

const entry = object(fc.tuple(key, value));
/** An entry that can be wrapped, more often than chance would have it. */
const likelyEntry = fc
  .tuple(
    fc.constantFrom(
      '"command": "npx"',
      '"command": "npx", "args": ["-y", "x"]',
      '"url": "https://example.com/${env:A}"',
      '"type": "sse", "url": "https://h/sse", "headers": { "A": "b" }',
      '"serverUrl": "https://h", "env": {"A": "b"}, "headers": {"A": "b", }',
      '"command": { "path": "npx", "args": [ /* 1 */ "-y" ] }',
    ),
    gap,
    gap,
    jsonText,
  )
  .map(([members, a, b, extra]) => `{${a}${members}${b}, "extra": ${extra}${a}}`);
const servers = object(fc.tuple(name, fc.oneof(entry, likelyEntry)));
const file = fc
  .tuple(
    object(
      fc.oneof(
        fc.tuple(fc.constantFrom('"mcpServers"', '"servers"', '"context_servers"'), servers),
        fc.tuple(fc.constant('"other"'), jsonText),
      ),
    ),
    gap,
    gap,
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(([root, before, after, eol, mark]) => {
    return mark + `${before}${root}${after}`.replaceAll('\n', eol);
  });

test('wrapped and unwrapped, any text is what it was', () => {
  let wrappedOnes = 0;
  fc.assert(
    fc.property(file, (text) => {
      // The texts of JSON that the parser of JSONC does not take are for another test.
      const reading = readForeignFile(text, '/f.json');
      fc.pre(reading.kind === 'file');
      const wrapped = wrap(text);
      if (wrapped.text !== text) wrappedOnes += 1;
      // No program is left to choose between two members of one name.
      for (const [i, { member }] of read(wrapped.text, '/f.json').entries.entries()) {
        const isOurs = wrapped.outcomes[i]?.kind === 'wrapped';
        if (isOurs) expect(badNamesIn(member.value)).toEqual([]);
      }
      const again = wrap(wrapped.text, '/f.json', wrapped.records);
      expect(again.text).toBe(wrapped.text);
      expect(unwrap(again.text, again.records).text).toBe(text);
      expect(unwrap(wrapped.text, wrapped.records).text).toBe(text);
    }),
    { numRuns: 500 },
  );
  expect(wrappedOnes).toBeGreaterThan(50);
});
