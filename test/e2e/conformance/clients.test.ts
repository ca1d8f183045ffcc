import { describe, expect, test } from 'vitest';

import { nameOf, REFERENCE, ROWS, runThrough, type Row } from './rows.ts';
import { passes, requiredScenarios, type SuiteRun } from './suite.ts';

/** How many scenarios are about signing in, and how many about all else. */
const COUNTS = {
  '2025-11-25': { 'sign-in': 14, 'all else': 4 },
  '2026-07-28': { 'sign-in': 25, 'all else': 7 },
} as const;

describe('the official suite for clients', () => {
  // How they score directly is for `npm run conformance` to say: each scenario starts several programs.
  const rows = ROWS.filter(
    (row) => row.kind === 'client' && row.client !== REFERENCE[row.requirements],
  );
  const cases = rows.flatMap((row): [string, 'sign-in' | 'all else', Row][] => {
    const name = `${row.requirements}, ${nameOf(row)}`;
    return [
      [name, 'sign-in', row],
      [name, 'all else', row],
    ];
  });

  test.each(cases)(
    'passes whole through the bridge at a server of the other era: %s, %s',
    async (_name, part, row) => {
      const required = requiredScenarios(row.requirements, 'client').filter(
        (scenario) => scenario.startsWith('auth/') === (part === 'sign-in'),
      );
      expect(required).toHaveLength(COUNTS[row.requirements][part]);
      const [run = new Map() as SuiteRun] = await runThrough(row, 1, required);
      const failed = required.filter((scenario) => !passes(run, scenario));
      expect(failed.map((scenario) => [scenario, run.get(scenario)])).toEqual([]);
    },
    180_000,
  );
});
