import { describe, expect, test } from 'vitest';
import { PERMISSIVE } from '../../../../src/translate/policy.ts';
import { lowerText, lowerTools, textOf, toolsOf } from './lowering.ts';

const base = { name: 't', inputSchema: { type: 'object' } };

test.each(['title', 'description', 'outputSchema', 'annotations', 'icons', 'execution', '_meta'])(
  '"%s" of null is absent, under every policy and for every revision',
  (key) => {
    for (const to of ['2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28'] as const) {
      const outcome = lowerTools([{ ...base, [key]: null }], { to });
      expect(textOf(outcome, '')).toBe(JSON.stringify({ tools: [base] }));
      expect(outcome.steps).toEqual([
        {
          tool: 't',
          feature: 'null-member',
          path: `/${key}`,
          before: 'null',
          after: 'absent',
          loss: 'none',
        },
      ]);
    }
  },
);

test('an unknown member of null crosses', () => {
  expect(lowerTools([{ ...base, 'x-new': null }]).kind).toBe('unchanged');
});

describe.each([
  ['description', 5],
  ['title', {}],
  ['_meta', 'x'],
  ['icons', 'a.png'],
  ['execution', true],
])('a "%s" of a wrong type', (key, value) => {
  test('withholds the tool under a strict policy', () => {
    const outcome = lowerTools([
      { ...base, [key]: value },
      { ...base, name: 'ok' },
    ]);
    expect(outcome.tools).toMatchObject([{ name: 'ok' }]);
    expect(outcome.withheld).toMatchObject([
      { name: 't', index: 0, refusal: { feature: 'tool-definition', path: `/${key}` } },
    ]);
  });

  test('is dropped where the policy allows it', () => {
    expect(toolsOf([{ ...base, [key]: value }], { policy: PERMISSIVE })).toEqual([base]);
  });
});

test('what an old revision does not type is nobody’s business', () => {
  const tool = { ...base, title: 5, icons: 'x', _meta: [], execution: 1, annotations: 'x' };
  expect(lowerTools([tool], { to: '2024-11-05' }).kind).toBe('unchanged');
});

test('an unreadable icon goes alone and nulls in icons are absent', () => {
  const text =
    '{"tools":[{"name":"t","icons":[{"src":"a:1","sizes":null}, {"src":5},{"src":"b:2","theme":"dark"}],"inputSchema":{"type":"object"}}]}';
  const outcome = lowerText(text, { policy: PERMISSIVE });
  expect(textOf(outcome, text)).toBe(
    '{"tools":[{"name":"t","icons":[{"src":"a:1"}, {"src":"b:2","theme":"dark"}],"inputSchema":{"type":"object"}}]}',
  );
  expect(outcome.steps.map(({ path, loss }) => [path, loss])).toEqual([
    ['/icons/0/sizes', 'none'],
    ['/icons/1', 'lossy'],
  ]);
});

describe('execution', () => {
  test('with a task support of null is read without it', () => {
    expect(toolsOf([{ ...base, execution: { taskSupport: null } }])).toEqual([
      { ...base, execution: {} },
    ]);
  });

  test('with an unknown word is dropped by policy', () => {
    const tool = { ...base, execution: { taskSupport: 'maybe' } };
    expect(lowerTools([tool]).withheld).toMatchObject([
      { refusal: { path: '/execution/taskSupport' } },
    ]);
    expect(toolsOf([tool], { policy: PERMISSIVE })).toEqual([{ ...base, execution: {} }]);
  });

  test('means nothing to a modern reader', () => {
    expect(lowerTools([{ ...base, execution: 7 }], { to: '2026-07-28' }).kind).toBe('unchanged');
  });
});
