import { describe, expect, test } from 'vitest';
import { PERMISSIVE } from '../../../../src/translate/policy.ts';
import { lowerText, lowerTools, textOf, toolsOf } from './lowering.ts';

const tool = (name: string): { name: string; inputSchema: { type: string } } => ({
  name,
  inputSchema: { type: 'object' },
});

describe('a list its reader can take', () => {
  const text =
    '{ "tools" : [ {"name":"a","inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":12345678901234567890,"default":1.0}}},"x-new":1e3} ,' +
    '\n  {"name":"\\u0062","name":"c","inputSchema":{"type":"object"}} ] , "ttlMs" : 5 }';

  test.each([
    '2024-11-05',
    '2025-03-26',
    '2025-06-18',
    '2025-11-25',
    '2026-07-28',
    'draft',
  ] as const)('crosses to %s without a change', (to) => {
    const outcome = lowerText(text, { to });
    expect(outcome).toEqual({
      kind: 'unchanged',
      steps: [],
      withheld: [],
      tools: ['a', 'c'].map((name) => ({
        name,
        paramHeaders: [],
        outputSchema: 'absent',
        taskSupport: 'forbidden',
      })),
    });
  });

  test('crosses to the editor without a change, each tool under its own name', () => {
    const { tools } = lowerText(text, { reader: 'vscode' });
    expect(tools.map(({ name, alias }) => [name, alias])).toEqual([
      ['a', 'a'],
      ['c', 'c'],
    ]);
    expect(lowerText(text, { reader: 'vscode' }).kind).toBe('unchanged');
  });
});

test('one bad tool is withheld alone and the bytes of the others stay', () => {
  const text =
    '{"tools":[ {"name":"a","inputSchema":{"type":"object"},"n":1.0} , {"inputSchema":{}},\t{"name":"b" ,"inputSchema":{"type":"object"}} ]}';
  const outcome = lowerText(text);
  expect(textOf(outcome, text)).toBe(
    '{"tools":[ {"name":"a","inputSchema":{"type":"object"},"n":1.0} , {"name":"b" ,"inputSchema":{"type":"object"}} ]}',
  );
  expect(outcome.withheld).toMatchObject([
    { index: 1, refusal: { feature: 'tool-definition', path: '/name' } },
  ]);
});

test.each([
  ['null', null, ''],
  ['a string', 'x', ''],
  ['an array', [], ''],
  ['without a name', {}, '/name'],
  ['with a name of null', { name: null }, '/name'],
  ['with a number for a name', { name: 5, inputSchema: { type: 'object' } }, '/name'],
])('an entry that is %s is withheld under every policy', (_, entry, path) => {
  const outcome = lowerTools([entry, tool('ok')], { policy: PERMISSIVE });
  expect(outcome.withheld).toMatchObject([{ index: 0, refusal: { path } }]);
  expect(toolsOf([entry, tool('ok')], { policy: PERMISSIVE })).toEqual([tool('ok')]);
});

describe('beside the tools', () => {
  test('a cursor of null is absent', () => {
    const text = '{"tools":[{"name":"b","inputSchema":{"type":"object"}}],"nextCursor":null}';
    const outcome = lowerText(text);
    expect(textOf(outcome, text)).toBe('{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}');
    expect(outcome.steps).toEqual([
      {
        feature: 'null-member',
        path: '/nextCursor',
        before: 'null',
        after: 'absent',
        loss: 'none',
      },
    ]);
  });

  test.each(['"p2"', '""', '"\\u0061"'])('the cursor %s crosses as it is', (cursor) => {
    expect(lowerText(`{"tools":[],"nextCursor":${cursor}}`).kind).toBe('unchanged');
  });

  test('a cursor that is no string costs the next page, not this one', () => {
    const outcome = lowerText('{"tools":[],"nextCursor":7}');
    expect(textOf(outcome, '')).toBe('{"tools":[]}');
    expect(outcome.steps).toMatchObject([{ path: '/nextCursor', loss: 'lossy' }]);
  });

  test('metadata of null is absent', () => {
    expect(textOf(lowerText('{"_meta":null,"tools":[]}'), '')).toBe('{"tools":[]}');
  });

  test('tools of null are an empty list', () => {
    expect(textOf(lowerText('{"tools":null}'), '')).toBe('{"tools":[]}');
  });

  test.each(['{}', '{"tools":{}}', '[]', 'null', '7'])(
    'a result that is no list is left alone: %s',
    (text) => {
      const outcome = lowerText(text);
      expect(outcome.kind).toBe('unchanged');
      expect(outcome.steps).toMatchObject([{ path: '/tools', loss: 'warning' }]);
    },
  );
});

describe('two tools of one name', () => {
  const text = JSON.stringify({ tools: [tool('x'), { ...tool('x'), title: 'second' }] });

  test('cross to a client of the specification with a warning', () => {
    const outcome = lowerText(text);
    expect(outcome.kind).toBe('unchanged');
    expect(outcome.steps).toMatchObject([
      { feature: 'tool-name', tool: 'x', path: '/name', loss: 'warning' },
    ]);
  });

  test('are one tool for the editor', () => {
    const outcome = lowerText(text, { reader: 'vscode' });
    expect(textOf(outcome, text)).toBe(JSON.stringify({ tools: [tool('x')] }));
    expect(outcome.withheld).toMatchObject([
      { name: 'x', index: 1, refusal: { feature: 'tool-name', path: '/name' } },
    ]);
  });

  test('the second takes the place of a first that is withheld', () => {
    const outcome = lowerTools([{ name: 'x', inputSchema: 5 }, tool('x')], { reader: 'vscode' });
    expect(outcome.tools).toMatchObject([{ name: 'x' }]);
    expect(outcome.withheld).toMatchObject([{ index: 0 }]);
  });
});

describe('names the editor cannot use', () => {
  const names = [
    'catalog.get-entity',
    'catalog_get-entity',
    'a/b',
    'n'.repeat(128),
    'naïve',
    'plain',
  ];

  test('become aliases of which the session is told', () => {
    const outcome = lowerTools(names.map(tool), { reader: 'vscode' });
    const shown = outcome.tools.map(({ name, alias }) => alias ?? name);
    expect(new Set(shown).size).toBe(names.length);
    for (const name of shown) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(outcome.tools.map(({ name }) => name)).toEqual(names);
    expect(toolsOf(names.map(tool), { reader: 'vscode' })).toEqual(shown.map(tool));
    expect(outcome.steps.map(({ tool: of }) => of)).toEqual(
      names.filter((_, index) => index !== 1 && index !== 5),
    );
  });

  test('stay for a client of the specification', () => {
    expect(lowerTools(names.map(tool)).kind).toBe('unchanged');
  });

  test('keep the alias that this reader already holds', () => {
    const aliases = new Map([['a/b', 'a_b_held']]);
    const outcome = lowerTools([tool('a/b'), tool('a.b')], { reader: 'vscode', aliases });
    expect(outcome.tools).toMatchObject([{ alias: 'a_b_held' }, { alias: 'a_b' }]);
  });
});
