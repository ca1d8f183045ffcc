import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { readTree } from '../../../../src/config/jsonTree.ts';
import { parseConfig } from '../../../../src/config/parseConfig.ts';
import { moveServers, serversIn } from '../../../../src/config/editors/moveServers.ts';
import { removeItem } from '../../../../src/config/editors/removeItem.ts';

const folder = '/p';
const source = `{
  // What the editor asks.
  "inputs": [
    { "id": "own", "type": "promptString", "password": true }, // for one
    { "id": "shared", "type": "promptString" }
  ],
  "servers": {
    // The first
    "one": {
      "command": "npx", // the runner
      "args": ["-y", "\${input:own}", "\${input:shared}"]
    },
    "two": { "url": "https://example.com/\${input:shared}" }, // stays
    "docker": { "type": "http", "url": "ftp://docker" }
  }
}
`;

test('a server moves with its comments and its inputs, and the rest stays as it is', () => {
  const {
    source: rest,
    target,
    moved,
    remarks,
  } = moveServers({ folder, source, target: undefined }, ['one']);
  expect([moved, remarks]).toEqual([['one'], []]);
  expect(rest).toBe(`{
  // What the editor asks.
  "inputs": [
    { "id": "shared", "type": "promptString" }
  ],
  "servers": {
    // The first
    "two": { "url": "https://example.com/\${input:shared}" }, // stays
    "docker": { "type": "http", "url": "ftp://docker" }
  }
}
`);
  expect(target).toBe(`{
  "servers": {
    "one": {
      "command": "npx", // the runner
      "args": ["-y", "\${input:own}", "\${input:shared}"]
    }
  },
  "inputs": [
    {
      "id": "own",
      "type": "promptString",
      "password": true
    },
    {
      "id": "shared",
      "type": "promptString"
    }
  ]
}
`);
  expect(parseConfig(target ?? '').problems).toEqual([]);
});

test('a target that is there keeps what it has, in its own indentation', () => {
  const target = '{\r\n\t"servers": {\r\n\t\t"mine": { "command": "x" } // mine\r\n\t}\r\n}\r\n';
  const moved = moveServers({ folder, source, target }, ['one', 'two']);
  expect(moved.moved).toEqual(['one', 'two']);
  expect(moved.target).toContain(
    '"mine": { "command": "x" }, // mine\r\n\t\t"one": {\r\n\t\t  "command"',
  );
  expect(parseConfig(moved.target ?? '')).toMatchObject({ problems: [] });
  expect(moved.source).not.toContain('"inputs": [\n    {');
  expect(parse(moved.source)).toEqual({
    inputs: [],
    servers: { docker: { type: 'http', url: 'ftp://docker' } },
  });
});

test.each([
  [undefined, 'docker', '"docker" stays: '],
  [
    '{"servers":{"one":{"command":"other"}}}',
    'one',
    '"one" stays: in mcp-rosetta.json, there is another server of this name.',
  ],
  ['{"inputs":[{"id":"own","type":"promptString"}]}', 'one', 'there is another input "own"'],
  ['{"servers":{', 'one', 'mcp-rosetta.json has mistakes in its syntax'],
])('into %j, %s stays where it is', (target, name, remark) => {
  const moved = moveServers({ folder, source, target }, [name]);
  expect(moved).toMatchObject({ source, target, moved: [] });
  expect(moved.remarks).toEqual([expect.stringContaining(remark) as string]);
});

test('what only the editor has is said', () => {
  const text = '{"servers":{"a":{"command":"x","dev":{"watch":"*"},"sandboxEnabled":true}}}';
  const { moved, remarks } = moveServers({ folder, source: text, target: undefined }, ['a']);
  expect(moved).toEqual(['a']);
  expect(remarks).toEqual([
    '"a" has moved, but "dev" is left out.',
    '"a" has moved, but "sandboxEnabled" is left out.',
  ]);
});

test('a server that is there already only leaves', () => {
  const target =
    '{"servers":{"two":{"url":"https://example.com/${input:shared}"}},"inputs":[{"id":"shared","type":"promptString"}]}';
  const moved = moveServers({ folder, source, target }, ['two']);
  expect(moved.target).toBe(target);
  expect(serversIn(moved.source).map(({ name }) => name)).toEqual(['one', 'docker']);
});

test('a text that is broken is left alone', () => {
  expect(serversIn('{"servers":')).toEqual([]);
  expect(moveServers({ folder, source: '{"servers":', target: undefined }, ['a']).moved).toEqual(
    [],
  );
});

const gap = fc
  .array(fc.constantFrom('', ' ', '\n', '\r\n  ', '/* , */', '// }\n'), { maxLength: 3 })
  .map((parts) => parts.join(''));

test('whichever item is removed, the others are what they were', () => {
  const items = fc.array(fc.tuple(gap, fc.constantFrom('1', '"a"', '{"b":[]}'), gap), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(items, fc.nat(), gap, fc.boolean(), (list, chosen, inside, trails) => {
      const index = chosen % list.length;
      const body = list.map(([before, value, after]) => before + value + after).join(',');
      const text = `[${body}${trails ? ',' : ''}${inside}]`;
      const { root } = readTree(text);
      if (root === undefined) throw new Error('There is no tree.');
      const options = { allowTrailingComma: true };
      const errors: never[] = [];
      const rest = parse(removeItem(text, root, index), errors, options) as unknown;
      expect(errors).toEqual([]);
      expect(rest).toEqual((parse(text, [], options) as unknown[]).toSpliced(index, 1));
    }),
  );
});
