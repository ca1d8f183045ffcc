import { runTests } from '@vscode/test-electron';
import { join } from 'node:path';
import { repositoryRoot, testBundle } from './paths.ts';
import { withTemporaryFolder } from './runTests.ts';

/**
 * Runs the same bundled tests in a desktop VS Code. Nothing drives its window from outside, so the
 * tests that need the page do not register themselves there.
 */
export async function runDesktopTests(executable: string, workspace: string): Promise<number> {
  return withTemporaryFolder((data) =>
    runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: repositoryRoot,
      extensionTestsPath: join(testBundle, 'index.cjs'),
      extensionTestsEnv: { EDITOR_TEST_SUITE: 'main' },
      launchArgs: [
        workspace,
        '--disable-workspace-trust',
        ...['--user-data-dir', join(data, 'user')],
        ...['--extensions-dir', join(data, 'extensions')],
      ],
    }),
  );
}
