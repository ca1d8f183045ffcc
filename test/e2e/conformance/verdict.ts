import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { nameOf, type Row } from './rows.ts';
import { passes, requiredScenarios, succeeded, type SuiteRun } from './suite.ts';

const expectations = z.array(
  z.strictObject({
    requirements: z.enum(['2025-11-25', '2026-07-28']),
    /** The rows it is expected in; without it, any. */
    row: z.string().optional(),
    scenario: z.string(),
    /** The one check that comes out weaker than directly; without it, the scenario fails. */
    check: z.string().optional(),
    reason: z.string().min(1),
  }),
);

export type Expectation = z.infer<typeof expectations>[number];

/** What is known to differ through the bridge, each with its reason. */
export function loadExpectations(): readonly Expectation[] {
  const text = readFileSync(new URL('expectedFailures.json', import.meta.url), 'utf8');
  return expectations.parse(JSON.parse(text));
}

/** Something that holds directly and not through the bridge. */
export interface Difference {
  readonly row: Row;
  readonly scenario: string;
  /** Set where the scenario is passed, but on fewer grounds: this check did not succeed. */
  readonly check?: string;
  readonly details: string;
}

/** The scenarios that were passed in every run. */
export function passedAlways(row: Row, runs: readonly SuiteRun[]): readonly string[] {
  const scenarios = requiredScenarios(row.requirements, row.kind);
  return scenarios.filter((scenario) => runs.every((run) => passes(run, scenario)));
}

/**
 * Compares what was measured through the bridge with what the reference server scores directly. A scenario that fails
 * counts where the reference passes it; a check that succeeded directly must succeed through, so that nothing passes for
 * want of being looked at.
 */
export function compare(
  row: Row,
  direct: readonly SuiteRun[],
  through: readonly SuiteRun[],
): readonly Difference[] {
  return passedAlways(row, direct).flatMap((scenario): Difference[] => {
    const failed = through.find((run) => !passes(run, scenario));
    if (failed !== undefined) {
      return [{ row, scenario, details: detailsOf(failed, scenario) }];
    }
    const firm = [...succeeded(direct[0] ?? new Map(), scenario)];
    return firm
      .filter((check) => through.some((run) => !succeeded(run, scenario).has(check)))
      .map((check) => ({ row, scenario, check, details: 'succeeds directly, and not through' }));
  });
}

function detailsOf(run: SuiteRun, scenario: string): string {
  const checks = run.get(scenario) ?? [];
  const failures = checks.filter(({ status }) => status === 'FAILURE');
  if (checks.length === 0) return 'left no result';
  return failures.map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'failed'}`).join('; ');
}

/** The differences that nobody expects, and the expectations that no row bore out any more. */
export function judge(
  rows: readonly Row[],
  differences: readonly Difference[],
  known: readonly Expectation[] = loadExpectations(),
): { readonly unexpected: readonly Difference[]; readonly stale: readonly Expectation[] } {
  const fits = (expectation: Expectation, difference: Difference): boolean =>
    concerns(expectation, difference.row) &&
    expectation.scenario === difference.scenario &&
    expectation.check === difference.check;
  return {
    unexpected: differences.filter((each) => !known.some((entry) => fits(entry, each))),
    stale: known
      .filter((entry) => rows.some((row) => concerns(entry, row)))
      .filter((entry) => !differences.some((each) => fits(entry, each))),
  };
}

function concerns({ requirements, row: name, scenario }: Expectation, row: Row): boolean {
  if (requirements !== row.requirements) return false;
  if (!requiredScenarios(requirements, row.kind).includes(scenario)) return false;
  return name === undefined || name === nameOf(row);
}
