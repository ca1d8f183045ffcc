import { build } from 'esbuild';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot, testBundle } from './paths.ts';

const extensionTests = join(repositoryRoot, 'test', 'extension');

/** Makes the bundle an extension, so that the editor itself starts the tests. */
const runnerManifest = {
  name: 'test-runner',
  displayName: 'Extension test runner',
  publisher: 'mcp-rosetta',
  version: '0.0.0',
  private: true,
  engines: { vscode: '^1.101.0' },
  main: './testRunner.cjs',
  activationEvents: ['onStartupFinished'],
  capabilities: { untrustedWorkspaces: { supported: true } },
};

/**
 * Bundles the extension tests to CommonJS, each test file on its own, next to the extension that
 * starts them. The folder keeps nothing of an earlier run.
 */
export async function bundleTests(tests = extensionTests): Promise<void> {
  const files = (await readdir(tests, { recursive: true })).filter((file) =>
    file.endsWith('.test.ts'),
  );
  await rm(testBundle, { recursive: true, force: true });
  await build({
    entryPoints: [
      { in: join(extensionTests, 'index.ts'), out: 'index' },
      { in: join(import.meta.dirname, 'testRunner.ts'), out: 'testRunner' },
      ...files.map((file) => ({ in: join(tests, file), out: file.replace(/\.ts$/, '') })),
    ],
    outdir: testBundle,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    sourcemap: 'inline',
    // Mocha names files it would only need to run tests in parallel.
    logOverride: { 'require-resolve-not-external': 'silent' },
    logLevel: 'warning',
  });
  await writeFile(join(testBundle, 'package.json'), JSON.stringify(runnerManifest));
}

if (import.meta.main) await bundleTests();
