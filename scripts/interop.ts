import { availableParallelism } from 'node:os';

import { startVitest, type TestCase, type TestModule } from 'vitest/node';

import { allLanes, impossible, titleOf } from '../test/e2e/interop/lane.ts';

// Runs the whole interop table, each client and each server of all dated revisions, and prints what became of its cells.

const MAX_WORKERS = 4;

const COLUMNS = ['crosses', 'lowered', 'refused', 'unsaid', 'failed'] as const;
type Counts = Record<(typeof COLUMNS)[number], number>;
const none = (): Counts => ({ crosses: 0, lowered: 0, refused: 0, unsaid: 0, failed: 0 });

const possible = allLanes().filter((lane) => impossible(lane) === undefined);
const table = new Map(possible.map((lane) => [titleOf(lane), none()]));
const faults: string[] = [];

function count(cell: TestCase): void {
  const lane = cell.parent.type === 'suite' ? cell.parent.name.replace(/, \w+$/, '') : '';
  const counts = table.get(lane);
  const passed = cell.result().state === 'passed';
  if (!passed) faults.push(`failed: ${cell.fullName}`);
  if (counts !== undefined) counts[passed ? (cell.meta().outcome ?? 'failed') : 'failed'] += 1;
}

process.env['INTEROP'] = 'all';
const vitest = await startVitest('test', ['test/e2e/interop/'], {
  watch: false,
  maxWorkers: Math.min(availableParallelism(), MAX_WORKERS),
  reporters: [
    'agent',
    {
      onTestRunEnd(modules: readonly TestModule[]) {
        for (const module of modules) {
          for (const cell of module.children.allTests()) count(cell);
          if (module.errors().length > 0) faults.push(`failed: ${module.moduleId}`);
        }
      },
    },
  ],
});
await vitest.close();

const sum = (counts: Counts): number =>
  COLUMNS.reduce((before, column) => before + counts[column], 0);
const total = none();
const rows = [['lane', 'cells', ...COLUMNS]];
const addRow = (name: string, counts: Counts): void => {
  rows.push([name, String(sum(counts)), ...COLUMNS.map((column) => String(counts[column]))]);
};
for (const [lane, counts] of table) {
  for (const column of COLUMNS) total[column] += counts[column];
  if (sum(counts) === 0) faults.push(`not run: ${lane}`);
  addRow(lane, counts);
}
addRow(`${table.size} lanes`, total);

const widthOf = (column: number): number =>
  Math.max(...rows.map((row) => row[column]?.length ?? 0));
for (const [name = '', ...counts] of rows) {
  const numbers = counts.map((text, index) => text.padStart(widthOf(index + 1)));
  console.log([name.padEnd(widthOf(0)), ...numbers].join('  '));
}
for (const lane of allLanes()) {
  const reason = impossible(lane);
  if (reason !== undefined) console.log(`impossible: ${titleOf(lane)}: ${reason}.`);
}
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
