import { expect, test } from 'vitest';
import { describeTools } from '../../../../src/extension/diagnostics/describeFinding.ts';
import type { ToolEntry, ToolListLegs } from '../../../../src/extension/servers/toolListView.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import type { Step } from '../../../../src/translate/report.ts';

const legs: ToolListLegs = {
  upstream: '2025-11-25',
  downstream: '2025-11-25',
  reader: 'vscode',
  transport: 'stdio',
};
const dialect: Step = {
  feature: 'schema-dialect',
  path: '/inputSchema/$schema',
  before: 'another dialect',
  after: 'absent',
  loss: 'none',
};

const words = (tools: readonly ToolEntry[]): string[] =>
  describeTools(tools, legs).map(
    ({ severity, message, count }) => `${severity} ${count} ${message}`,
  );

test.each([
  [['a'], '"a"'],
  [['a', 'b'], '"a" and "b"'],
  [['a', 'b', 'c', 'd'], '"a", "b", "c" and "d"'],
  [['a', 'b', 'c', 'd', 'e'], '"a", "b", "c" and 2 other tools'],
])('the same change of the tools %j is one finding', (names, joined) => {
  expect(words(names.map((name) => tool(name, [dialect])))).toEqual([
    `information ${names.length} ${joined} shown with a change: /inputSchema/$schema: another dialect → absent. (2025-11-25 → 2025-11-25)`,
  ]);
});

test('changes that differ in what they do, or in what they cost, stay apart', () => {
  const other = { ...dialect, path: '/inputSchema/properties/a/$schema' };
  const lossy = { ...dialect, loss: 'lossy' } as const;
  const found = words([tool('a', [dialect, dialect]), tool('b', [other]), tool('c', [lossy])]);
  expect(found.map((each) => each.slice(0, each.indexOf(' shown')))).toEqual([
    'information 2 "a"',
    'information 1 "b"',
    'warning 1 "c"',
  ]);
});

test('each tool that is withheld is an error of its own', () => {
  const refusal = { feature: 'schema-reference', path: '/inputSchema/$ref', hint: 'Why.' } as const;
  const found = words([tool('a', [], refusal), tool('b', [], refusal), tool('c', [dialect])]);
  expect(found.map((each) => each.slice(0, 11))).toEqual([
    'error 1 "a"',
    'error 1 "b"',
    'information',
  ]);
});

function tool(name: string, steps: readonly Step[], withheld?: ToolEntry['withheld']): ToolEntry {
  return { name, raw: toRaw({ name }), alias: undefined, steps, withheld, canBeAllowed: false };
}
