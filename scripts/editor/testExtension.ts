import { cp } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundleTests } from './bundleTests.ts';
import { packageExtension } from './packageExtension.ts';
import { repositoryRoot } from './paths.ts';
import { exitOnSignals } from './processTree.ts';
import { runDesktopTests } from './runDesktopTests.ts';
import { runEditorTests, withTemporaryFolder } from './runTests.ts';

const tests = join(repositoryRoot, 'test', 'extension');

/** The kinds of editor the tests run in; all but `main` are also the name of their folder. */
const suites = ['main', 'restricted', 'installed'] as const;
type Suite = (typeof suites)[number];

exitOnSignals();
const named = suites.filter((suite) => process.argv.includes(suite));
const chosen = named.length > 0 ? named : suites.filter(hasTests);
await bundleTests();
for (const suite of chosen) {
  console.log(`\nExtension tests: ${suite}`);
  process.exitCode = (await runSuite(suite)) || process.exitCode || 0;
}

function hasTests(suite: Suite): boolean {
  return suite === 'main' || existsSync(join(tests, suite));
}

function runSuite(suite: Suite): Promise<number> {
  return withTemporaryFolder(async (workspace) => {
    const template = join(tests, 'workspace');
    if (existsSync(template)) await cp(template, workspace, { recursive: true });
    const desktop = process.env['VSCODE_EXECUTABLE_PATH'];
    if (suite === 'main' && desktop) return runDesktopTests(desktop, workspace);
    const packaged = suite === 'installed';
    return runEditorTests({
      suite,
      workspace,
      workspaceTrust: suite === 'restricted',
      // The question at startup would cover the page at some moment of its own choosing.
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
      extensions: packaged ? [] : [repositoryRoot],
      packages: packaged ? [await packageExtension()] : [],
    });
  });
}
