import { describe, expect, test } from 'vitest';
import {
  describeHint,
  describeHints,
  HINT_NAMES,
  readHints,
  type ToolHints,
} from '../../../src/tools/hints.ts';

const hintsOf = (tool: object, overrides?: Parameters<typeof readHints>[1]): ToolHints =>
  readHints(Buffer.from(JSON.stringify(tool)), overrides);

const described = (hints: ToolHints): string[] =>
  HINT_NAMES.map((name) => describeHint(name, hints[name]));

describe('hints have three states', () => {
  test('declared false', () => {
    const hints = hintsOf({
      name: 'upsert',
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    });
    expect(described(hints)).toEqual([
      'not read-only (declared)',
      'not destructive (declared)',
      'not idempotent (declared)',
      'closed world (declared)',
    ]);
    expect(hints.destructiveHint).toEqual({ declared: false, value: false, source: 'declared' });
  });

  test('declared true', () => {
    const hints = hintsOf({ annotations: { readOnlyHint: true, idempotentHint: true } });
    expect(hints.readOnlyHint).toEqual({ declared: true, value: true, source: 'declared' });
    expect(describeHint('idempotentHint', hints.idempotentHint)).toBe('idempotent (declared)');
  });

  test.each([{}, { annotations: null }, { annotations: [] }, { annotations: {} }, 7])(
    'not declared, where the default of the specification holds: %j',
    (tool) => {
      expect(described(hintsOf(tool as object))).toEqual([
        'not read-only (default, not declared)',
        'destructive (default, not declared)',
        'not idempotent (default, not declared)',
        'open world (default, not declared)',
      ]);
    },
  );

  test('what is not of its type is not declared', () => {
    const hints = hintsOf({ annotations: { readOnlyHint: 'true', destructiveHint: null } });
    expect(hints.readOnlyHint.declared).toBeUndefined();
    expect(hints.destructiveHint.value).toBe(true);
  });

  test('what the user sets wins and does not hide what was declared', () => {
    const hints = hintsOf({ annotations: { destructiveHint: false } }, { destructiveHint: true });
    expect(hints.destructiveHint).toEqual({ declared: false, value: true, source: 'override' });
    expect(describeHint('destructiveHint', hints.destructiveHint)).toBe('destructive (set by you)');
  });
});

test.each([
  [{ name: 'n', title: 'Top title', annotations: { title: 'Ann title' } }, 'Top title'],
  [{ name: 'n', annotations: { title: 'Ann title' } }, 'Ann title'],
  [{ name: 'n', title: '', annotations: { title: 5 } }, 'n'],
  [{}, ''],
])('the label of %j is %s', (tool, label) => {
  expect(hintsOf(tool).label).toBe(label);
});

test.each([
  [{ readOnlyHint: true, destructiveHint: true }, true],
  [{ readOnlyHint: true }, false],
  [{ readOnlyHint: true, destructiveHint: false }, false],
  [{ readOnlyHint: false, destructiveHint: true }, false],
])('that %j contradicts itself is %s', (annotations, contradictory) => {
  expect(hintsOf({ annotations }).contradictory).toBe(contradictory);
});

test('of a tool that changes nothing, defaults that mean nothing are not told', () => {
  expect(describeHints(hintsOf({ annotations: { readOnlyHint: true } }))).toEqual([
    'read-only (declared)',
    'open world (default, not declared)',
  ]);
  expect(
    describeHints(hintsOf({ annotations: { readOnlyHint: true, destructiveHint: true } })),
  ).toEqual([
    'read-only (declared)',
    'destructive (declared)',
    'open world (default, not declared)',
  ]);
  expect(describeHints(hintsOf({}))).toHaveLength(4);
});
