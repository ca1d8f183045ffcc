import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startChild, type CommandLine } from '../../support/childProcess.ts';
import { until } from '../../support/until.ts';

const SUITE = new URL('../../../node_modules/@modelcontextprotocol/conformance/', import.meta.url);
const LIMIT_MS = 180_000;

/** A run starts many programs, most of them more than once; Node may keep what it made of their text. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'rosetta-compile-cache') };

/** A revision whose requirements the official suite knows. */
export type Requirements = '2025-11-25' | '2026-07-28';

/** What the suite looks at; it plays the other side itself. */
export type Side = 'server' | 'client';

/** One thing that a scenario looked at, as the suite writes it. */
interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** The checks of each scenario of one run. */
export type SuiteRun = ReadonlyMap<string, readonly Check[]>;

/** The scenarios that count for a revision, as the suite's own list has them. */
export function requiredScenarios(requirements: Requirements, side: Side): readonly string[] {
  const list = readFileSync(new URL(`requirements/${requirements}.yaml`, SUITE), 'utf8');
  const section = new RegExp(`^${side}:\\n((?: .*\\n|#.*\\n|\\n)*)`, 'm').exec(list)?.[1] ?? '';
  const scenarios = [...section.matchAll(/^ +- ([\w/-]+)/gm)].map(([, name = '']) => name);
  if (scenarios.length === 0)
    throw new Error(`No ${side} scenarios are listed for ${requirements}.`);
  return scenarios;
}

/** Runs the official suite once against a server and reads the results it leaves behind. */
export async function runServerSuite(url: string, requirements: Requirements): Promise<SuiteRun> {
  return serverRun(await runSuite(['server', '--url', url, '--requirements', requirements], {}));
}

/** Runs scenarios that no revision requires, by their names. */
export async function runServerScenarios(url: string, names: readonly string[]): Promise<SuiteRun> {
  const runs: SuiteRun[] = [];
  const left = names.values();
  // They wait more than they work.
  const lane = async (): Promise<void> => {
    for (const name of left) {
      runs.push(serverRun(await runSuite(['server', '--url', url, '--scenario', name], {})));
    }
  };
  await Promise.all([lane(), lane(), lane()]);
  return new Map(runs.flatMap((run) => [...run]));
}

function serverRun({ results }: Outcome): SuiteRun {
  const run = new Map<string, Check[]>();
  for (const [name, checks] of results) {
    const scenario = name.replace(/^server-/, '');
    run.set(scenario, [...(run.get(scenario) ?? []), ...checks]);
  }
  return run;
}

/** Runs scenarios of the official suite once each, with a client that the suite starts for them. */
export async function runClientSuite(
  client: CommandLine,
  requirements: Requirements,
  environment: Readonly<Record<string, string>>,
  scenarios: readonly string[],
): Promise<SuiteRun> {
  const command = [client.command, ...client.args].map((word) => `"${word}"`).join(' ');
  const run = new Map<string, Check[]>();
  const left = scenarios.values();
  // No scenario minds another one beside it, and most of the time goes into starting programs.
  const lane = async (): Promise<void> => {
    for (const scenario of left) {
      const named = ['--scenario', scenario, '--spec-version', requirements];
      const flags = ['client', '--command', command, ...named];
      const { results, exitCode, stderr } = await runSuite(flags, environment);
      // A client fails by a warning, too, and by how it ends: the suite tells by its own end.
      const verdict: Check =
        exitCode === 0
          ? { id: 'verdict', status: 'SUCCESS' }
          : { id: 'verdict', status: 'FAILURE', errorMessage: stderr.join('\n') };
      run.set(scenario, [...results.flatMap(([, checks]) => checks), verdict]);
    }
  };
  await Promise.all([lane(), lane()]);
  return run;
}

interface Outcome {
  /** The checks of each scenario that was run, by the name the suite gives it. */
  readonly results: readonly (readonly [string, readonly Check[]])[];
  readonly exitCode: number | null;
  readonly stderr: readonly string[];
}

async function runSuite(
  flags: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const entry = fileURLToPath(new URL('dist/index.js', SUITE));
  const args = [entry, ...flags, '--output-dir', folder];
  const child = startChild(
    { command: process.execPath, args },
    // A sign-in belongs to an address, and the suite's next server may have the same one by chance.
    { ...COMPILE_CACHE, ...environment, XDG_STATE_HOME: join(folder, 'state') },
  );
  child.process.stdout.resume();
  try {
    await until(
      () => child.process.exitCode !== null || child.process.signalCode !== null,
      LIMIT_MS,
      () => `The suite did not end: ${child.log.lines.join('\n')}`,
    );
    const { exitCode } = child.process;
    return { results: readResults(folder), exitCode, stderr: child.log.lines };
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Folders are named `SCENARIO-TIME`, slashes in a name included; a scenario may be given more than one. */
function readResults(folder: string): Outcome['results'] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.flatMap((name) => {
    const scenario = /^(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) return [];
    const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[];
    return [[scenario, checks] as const];
  });
}

/** A scenario is passed when it was looked at and nothing failed; a warning costs a server nothing. */
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
