import { parseArgs } from 'node:util';

import { measureOf, nameOf, ROWS, runDirectly, runThrough } from '../test/e2e/conformance/rows.ts';
import { requiredScenarios, type SuiteRun } from '../test/e2e/conformance/suite.ts';
import { compare, judge, passedAlways, type Difference } from '../test/e2e/conformance/verdict.ts';

// Runs the official conformance suite directly and through the bridge, and prints the difference. A score counts when it
// holds in every run: `npm run conformance -- --runs 1` for a quick look.

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) {
  console.error(`--runs takes a whole number from 1 on, not "${values.runs}".`);
  process.exit(2);
}

const direct = new Map<string, SuiteRun[]>();
const differences: Difference[] = [];
const table: string[][] = [['suite', 'behind the bridge', 'direct', 'through', 'difference']];

for (const row of ROWS) {
  const { requirements } = row;
  const total = requiredScenarios(requirements, row.kind).length;
  const measure = direct.get(measureOf(row)) ?? (await runDirectly(row, runs));
  direct.set(measureOf(row), measure);
  const through = await runThrough(row, runs);
  const found = compare(row, measure, through);
  differences.push(...found);
  const score = (of: readonly SuiteRun[]): string => `${passedAlways(row, of).length}/${total}`;
  const failed = found.filter(({ check }) => check === undefined).length;
  table.push([
    requirements,
    nameOf(row),
    score(measure),
    score(through),
    failed === 0 ? 'none' : `-${failed}`,
  ]);
}

const widths = table[0]?.map((_, column) =>
  Math.max(...table.map((line) => line[column]?.length ?? 0)),
);
for (const line of table) {
  console.log(
    line
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
console.log(`A scenario counts as passed when it passes in all of ${runs} runs.`);

const { unexpected, stale } = judge(ROWS, differences);
for (const difference of differences) {
  const { row, scenario, check, details } = difference;
  const place = [scenario, check].filter((part) => part !== undefined).join(' / ');
  const verdict = unexpected.includes(difference) ? 'NOT EXPECTED' : 'expected';
  console.log(`${verdict}: ${nameOf(row)}: ${place}: ${details}`);
}
for (const { scenario, check, reason } of stale) {
  console.log(
    `STALE: ${scenario}${check === undefined ? '' : ` / ${check}`} is expected to differ (${reason}), and no longer does.`,
  );
}
process.exitCode = unexpected.length + stale.length > 0 ? 1 : 0;
