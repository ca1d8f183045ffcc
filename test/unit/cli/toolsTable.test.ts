import { expect, test } from 'vitest';
import { formatToolsJson, formatToolsTable, type ListedTool } from '../../../src/cli/toolsTable.ts';
import { toRaw } from '../../../src/protocol/rawJson.ts';
import { readHints, type HintName } from '../../../src/tools/hints.ts';

function tool(
  name: string,
  annotations: object = {},
  title?: string,
  overrides: Partial<Record<HintName, boolean>> = {},
): ListedTool {
  return { name, hints: readHints(toRaw({ name, title, annotations }), overrides) };
}

const TOOLS = [
  tool('read_file', { readOnlyHint: true, title: 'Read a file' }),
  tool(
    'delete_file',
    { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    'ファイルを削除する長い題名',
  ),
  tool('plain'),
];

const NOTES = `
(yes), (no)  not declared by the server: the default of the specification
-            without meaning, because the tool is read-only
`;

test('what was declared is told from what was not', () => {
  expect(formatToolsTable(TOOLS, 120)).toBe(`\
TOOL         READ-ONLY  DESTRUCTIVE  IDEMPOTENT  OPEN WORLD  TITLE
read_file    yes        -            -           (yes)       Read a file
delete_file  no         yes          yes         no          ファイルを削除する長い題名
plain        (no)       (yes)        (no)        (yes)
${NOTES}`);
});

test('a narrow terminal cuts the titles', () => {
  expect(formatToolsTable(TOOLS, 72)).toBe(`\
TOOL         READ-ONLY  DESTRUCTIVE  IDEMPOTENT  OPEN WORLD  TITLE
read_file    yes        -            -           (yes)       Read a file
delete_file  no         yes          yes         no          ファイルを…
plain        (no)       (yes)        (no)        (yes)
${NOTES}`);
});

test('a narrower one leaves them out and cuts the names', () => {
  expect(formatToolsTable(TOOLS, 57)).toBe(`\
TOOL       READ-ONLY  DESTRUCTIVE  IDEMPOTENT  OPEN WORLD
read_file  yes        -            -           (yes)
delete_f…  no         yes          yes         no
plain      (no)       (yes)        (no)        (yes)
${NOTES}`);
});

test('several servers have a column, and what the user set is marked', () => {
  const tools = [
    { ...tool('a', { readOnlyHint: false, openWorldHint: false }), server: 'one' },
    { ...tool('b', {}, undefined, { destructiveHint: false }), server: 'two\u202e' },
  ];
  expect(formatToolsTable(tools, 80)).toBe(`\
SERVER       TOOL  READ-ONLY  DESTRUCTIVE  IDEMPOTENT  OPEN WORLD  TITLE
one          a     no         (yes)        (no)        no
two\\u{202e}  b     (no)       no*          (no)        (yes)

(yes), (no)  not declared by the server: the default of the specification
yes*, no*    set by you
`);
});

test('a name cannot drive the terminal, and a contradiction is told', () => {
  const evil = tool('x\u001b[2J\n\u009b', { readOnlyHint: true, destructiveHint: true });
  const table = formatToolsTable([evil], 80);
  expect(table).toContain(
    '\nx\\u{1b}[2J\\u{a}\\u{9b} is declared both read-only and destructive.\n',
  );
  expect(table).toMatch(/^[\P{C}\n]*$/u);
});

test('no tools are no table', () => {
  expect(formatToolsTable([], 80)).toBe('There are no tools.\n');
  expect(formatToolsJson([])).toBe('[]\n');
});

test('JSON tells all, and holds nothing that drives a terminal', () => {
  const title = 'T\u001b[1m\u009b\u{e0041}\u202e漢';
  const listed = tool('x', { readOnlyHint: false, openWorldHint: 'yes' }, title);
  const text = formatToolsJson([{ ...listed, server: 'a', description: 'two\nlines' }]);
  expect(text).toMatch(/^[\P{C}\n]*$/u);
  expect(JSON.parse(text)).toEqual([
    {
      server: 'a',
      name: 'x',
      title,
      description: 'two\nlines',
      hints: {
        readOnlyHint: { declared: false, value: false, source: 'declared' },
        destructiveHint: { declared: null, value: true, source: 'default' },
        idempotentHint: { declared: null, value: false, source: 'default' },
        openWorldHint: { declared: null, value: true, source: 'default' },
      },
      contradictory: false,
    },
  ]);
});
