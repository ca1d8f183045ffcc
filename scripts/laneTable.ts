import { availableParallelism } from 'node:os';

import { startVitest, type TestCase, type TestModule } from 'vitest/node';

const MAX_WORKERS = 4;

const COLUMNS = ['crosses', 'lowered', 'refused', 'unsaid', 'failed'] as const;
type Counts = Record<(typeof COLUMNS)[number], number>;
const none = (): Counts => ({ crosses: 0, lowered: 0, refused: 0, unsaid: 0, failed: 0 });

/** A table of end-to-end tests: a lane for each way from a client to a server, on each the same cells. */
export interface LaneTable {
  readonly folder: string;
  /** Set to `all` in the environment, it has the tests take every lane. */
  readonly variable: string;
  /** The titles of all lanes, which are those of the suites, but for the policy behind a comma. */
  readonly lanes: readonly string[];
}

/** Runs a whole table and prints what became of its cells; false where one failed or a lane was left out. */
export async function runLaneTable({ folder, variable, lanes }: LaneTable): Promise<boolean> {
  const table = new Map(lanes.map((lane) => [lane, none()]));
  const faults: string[] = [];
  const count = (cell: TestCase): void => {
    const lane = cell.parent.type === 'suite' ? cell.parent.name.replace(/, \w+$/, '') : '';
    const counts = table.get(lane);
    const passed = cell.result().state === 'passed';
    if (!passed) faults.push(`failed: ${cell.fullName}`);
    if (counts !== undefined) counts[passed ? (cell.meta().outcome ?? 'failed') : 'failed'] += 1;
  };

  process.env[variable] = 'all';
  const vitest = await startVitest('test', [folder], {
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

  for (const [lane, counts] of table) {
    if (sum(counts) === 0) faults.push(`not run: ${lane}`);
  }
  print(table);
  for (const fault of faults) console.log(fault);
  return faults.length === 0;
}

function sum(counts: Counts): number {
  return COLUMNS.reduce((before, column) => before + counts[column], 0);
}

function print(table: ReadonlyMap<string, Counts>): void {
  const total = none();
  const rows = [['lane', 'cells', ...COLUMNS]];
  const addRow = (name: string, counts: Counts): void => {
    rows.push([name, String(sum(counts)), ...COLUMNS.map((column) => String(counts[column]))]);
  };
  for (const [lane, counts] of table) {
    for (const column of COLUMNS) total[column] += counts[column];
    addRow(lane, counts);
  }
  addRow(`${table.size} lanes`, total);

  const widthOf = (column: number): number =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0));
  for (const [name = '', ...counts] of rows) {
    const numbers = counts.map((text, index) => text.padStart(widthOf(index + 1)));
    console.log([name.padEnd(widthOf(0)), ...numbers].join('  '));
  }
}
