import { createRequire } from 'node:module';
import { join } from 'node:path';
import { exitTests, logLine, startTests } from '../../test/extension/support/pageChannel.ts';

/** Runs the tests once the editor has started, and reports to the launcher. */
export async function activate(): Promise<void> {
  if ((await startTests()) > 1) return;
  try {
    const index = createRequire(__filename)(join(__dirname, 'index.cjs')) as TestIndex;
    await index.runTests(logLine);
    await exitTests(0);
  } catch (error) {
    logLine(error instanceof Error ? error.message : String(error));
    await exitTests(1);
  }
}

interface TestIndex {
  runTests(report: (line: string) => void): Promise<void>;
}
