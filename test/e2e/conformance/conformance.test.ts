import { beforeAll, describe, expect, test } from 'vitest';

import { nameOf, ROWS, runDirectly, runThrough, type Row } from './rows.ts';
import { passes, requiredScenarios, type SuiteRun } from './suite.ts';
import { compare, judge, loadExpectations, type Difference } from './verdict.ts';

const REQUIREMENTS = '2025-11-25';

describe(`the official suite of ${REQUIREMENTS} for servers`, () => {
  const required = requiredScenarios(REQUIREMENTS, 'server');
  const rows = ROWS.filter(
    (row) => row.requirements === REQUIREMENTS && row.kind === 'server' && row.server === 'modern',
  );
  let direct: SuiteRun[] = [];
  const differences: Difference[] = [];

  beforeAll(async () => {
    const [row] = rows;
    if (row !== undefined) direct = await runDirectly(row);
  });

  test('passes directly, so that it can be a measure', () => {
    const [run = new Map()] = direct;
    expect(required).toHaveLength(30);
    expect(required.filter((scenario) => !passes(run, scenario))).toEqual([]);
  });

  test.each(rows.map((row): [string, Row] => [nameOf(row), row]))(
    'passes whole through the bridge: %s',
    async (_name, row) => {
      const through = await runThrough(row);
      const [run = new Map()] = through;
      expect(required.filter((scenario) => !passes(run, scenario))).toEqual([]);
      const found = compare(row, direct, through);
      differences.push(...found);
      expect(judge([], found).unexpected).toEqual([]);
    },
  );

  test('has no expectation left that nothing bears out', () => {
    expect(judge(rows, differences).stale).toEqual([]);
  });
});

describe('the comparison', () => {
  const [row] = ROWS;
  const required = requiredScenarios('2025-11-25', 'server');
  const success = { id: 'a', status: 'SUCCESS' } as const;
  const runOf = (...checks: Parameters<typeof Array.of>): SuiteRun =>
    new Map(required.map((scenario) => [scenario, checks as never]));
  const compared = (through: SuiteRun): readonly Difference[] =>
    row === undefined ? [] : compare(row, [runOf(success)], [runOf(success), through]);

  test('finds a scenario that fails in one run of several', () => {
    const failed = runOf({ id: 'a', status: 'FAILURE', errorMessage: 'no' });
    expect(compared(failed)).toHaveLength(30);
    expect(compared(failed)[0]).toMatchObject({ scenario: required[0], details: 'a: no' });
  });

  test('finds a scenario that left no result', () => {
    expect(compared(new Map())).toHaveLength(30);
  });

  test.each(['WARNING', 'INFO', 'SKIPPED'])('finds a pass on the ground of %s alone', (status) => {
    expect(compared(runOf({ id: 'a', status }))[0]).toMatchObject({ check: 'a' });
  });

  test('finds a pass that did not make the check', () => {
    expect(compared(runOf({ id: 'b', status: 'SUCCESS' }))[0]).toMatchObject({ check: 'a' });
  });

  test('knows an expectation that is borne out from one that is stale', () => {
    const [known] = loadExpectations();
    const place = ROWS.find(
      (each) => each.requirements === known?.requirements && nameOf(each) === known.row,
    );
    const client = ROWS.find(
      ({ kind, requirements }) => kind === 'client' && requirements === known?.requirements,
    );
    if (place === undefined || client === undefined || known === undefined) {
      throw new Error('There is nothing to compare.');
    }
    const { scenario, check } = known;
    const difference: Difference = {
      row: place,
      scenario,
      ...(check !== undefined && { check }),
      details: '',
    };
    expect(judge([place], [difference], [known])).toEqual({ unexpected: [], stale: [] });
    expect(judge([place], [], [known])).toEqual({ unexpected: [], stale: [known] });
    expect(judge([place], [difference], [])).toEqual({ unexpected: [difference], stale: [] });
    expect(judge([], [], [known])).toEqual({ unexpected: [], stale: [] });
    // Nothing that a client does can bear out what is expected of a server.
    expect(judge([client], [], [known])).toEqual({ unexpected: [], stale: [] });
  });
});
