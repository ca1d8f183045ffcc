import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startChild } from '../../support/childProcess.ts';
import { until } from '../../support/until.ts';

const SUITE = new URL('../../../node_modules/@modelcontextprotocol/conformance/', import.meta.url);
const LIMIT_MS = 180_000;

/** A revision whose requirements the official suite knows. */
export type Requirements = '2025-11-25' | '2026-07-28';

/** One thing that a scenario looked at, as the suite writes it. */
interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** The checks of each scenario of one run. */
export type SuiteRun = ReadonlyMap<string, readonly Check[]>;

/** The scenarios that count for a revision, as the suite's own list has them. */
export function requiredScenarios(requirements: Requirements): readonly string[] {
  const list = readFileSync(new URL(`requirements/${requirements}.yaml`, SUITE), 'utf8');
  const section = /^server:\n((?: .*\n|#.*\n|\n)*)/m.exec(list)?.[1] ?? '';
  const scenarios = [...section.matchAll(/^ +- ([\w/-]+)/gm)].map(([, name = '']) => name);
  if (scenarios.length === 0)
    throw new Error(`No server scenarios are listed for ${requirements}.`);
  return scenarios;
}

/** Runs the official suite once against a server and reads the results it leaves behind. */
export async function runSuite(url: string, requirements: Requirements): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const entry = fileURLToPath(new URL('dist/index.js', SUITE));
  const flags = ['--url', url, '--requirements', requirements, '--output-dir', folder];
  const child = startChild({ command: process.execPath, args: [entry, 'server', ...flags] });
  child.process.stdout.resume();
  try {
    await until(
      () => child.process.exitCode !== null || child.process.signalCode !== null,
      LIMIT_MS,
      () => `The suite did not end: ${child.log.lines.join('\n')}`,
    );
    return readResults(folder);
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Folders are named `server-SCENARIO-TIME`; a scenario may be given more than one. */
function readResults(folder: string): SuiteRun {
  const run = new Map<string, Check[]>();
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[];
    run.set(scenario, [...(run.get(scenario) ?? []), ...checks]);
  }
  return run;
}

/** A scenario is passed when it was looked at and nothing failed; a warning costs nothing. */
export function passes(run: SuiteRun, scenario: string): boolean {
  const checks = run.get(scenario) ?? [];
  return checks.length > 0 && checks.every(({ status }) => status !== 'FAILURE');
}

/** The checks of a scenario that succeeded each time they were made. */
export function succeeded(run: SuiteRun, scenario: string): ReadonlySet<string> {
  const checks = run.get(scenario) ?? [];
  const others = new Set(checks.filter(({ status }) => status !== 'SUCCESS').map(({ id }) => id));
  return new Set(checks.map(({ id }) => id).filter((id) => !others.has(id)));
}
