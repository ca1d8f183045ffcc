import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import Mocha from 'mocha';
import { showPageAtFailure } from './support/atFailure.ts';

/** Folders whose tests need an editor of their own kind, named after that kind. */
const specialSuites: readonly string[] = ['restricted', 'installed'];

type Report = (line: string) => unknown;

/** What an editor in its own test mode calls; it passes arguments of its own, which mean nothing. */
export function run(): Promise<void> {
  return runTests(console.log);
}

/** Runs the bundled tests; rejects when one failed, when one was skipped or when none ran. */
export async function runTests(report: Report): Promise<void> {
  process.setSourceMapsEnabled(true);
  const mocha = new Mocha({
    ui: 'tdd',
    timeout: 60_000,
    reporter: Mocha.reporters.Base,
    forbidOnly: true,
    forbidPending: true,
    // A shared machine can starve an editor beyond any patience; what fails twice there is broken.
    retries: process.env['CI'] ? 1 : 0,
  });
  for (const file of listTests()) mocha.addFile(join(__dirname, file));
  await mocha.loadFilesAsync();
  showPageAtFailure(mocha.suite);

  let passing = 0;
  const failing: string[] = [];
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('pass', (test) => {
      passing += 1;
      report(`  ok      ${test.fullTitle()} (${test.duration ?? 0} ms)`);
    });
    runner.on('retry', (test: Mocha.Test, error: unknown) => {
      report(`  retried ${test.fullTitle()}\n${describe(error)}`);
    });
    runner.on('fail', (test, error: unknown) => {
      failing.push(`${test.fullTitle()}\n${describe(error)}`);
      report(`  failed  ${test.fullTitle()}`);
    });
  });
  failing.forEach((text, index) => report(`\n${index + 1}) ${text}`));
  report(`\n${passing} passing / ${failing.length} failing`);
  if (failing.length > 0) throw new Error('Extension tests failed.');
  if (passing === 0) throw new Error('No extension test ran.');
}

function listTests(): readonly string[] {
  const suite = process.env['EDITOR_TEST_SUITE'] ?? 'main';
  return readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => {
      if (!file.endsWith('.test.cjs')) return false;
      const folder = file.split(sep)[0] ?? '';
      return suite === 'main' ? !specialSuites.includes(folder) : folder === suite;
    })
    .sort();
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { actual, expected } = error as Error & { actual?: unknown; expected?: unknown };
  const compared = actual === undefined && expected === undefined ? '' : compare(actual, expected);
  return `${error.stack ?? error.message}${compared}`;
}

function compare(actual: unknown, expected: unknown): string {
  return `\n  actual:   ${JSON.stringify(actual)}\n  expected: ${JSON.stringify(expected)}`;
}
