import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';

/** What one stage came to; a stage that broke without counting counts as one failure. */
interface Count {
  readonly passed: number;
  readonly failed: number;
}

const VITEST_RESULT = 'dist/test-results/vitest.json';
const IN_EDITOR = /(\d+) passing \/ (\d+) failing/g;

/** Runs a command with its output shown, and gives its exit code and what it printed. */
function run(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  console.log(`\n> ${[command, ...args].join(' ')}`);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      process.stdout.write(chunk);
    });
    child.on('error', () => resolve({ code: 1, output }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** A check that passes or fails as a whole. */
async function check(command: string, ...args: string[]): Promise<Count> {
  const { code } = await run(command, args);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function nodeTests(): Promise<Count> {
  const { code } = await run('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${VITEST_RESULT}`,
  ]);
  try {
    const result = JSON.parse(readFileSync(VITEST_RESULT, 'utf8')) as Record<string, number>;
    const passed = result.numPassedTests ?? 0;
    const failed = result.numFailedTests ?? 0;
    return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

async function editorTests(): Promise<Count> {
  const { code, output } = await run('node', ['scripts/editor/testExtension.ts']);
  let passed = 0;
  let failed = 0;
  for (const [, passing, failing] of output.matchAll(IN_EDITOR)) {
    passed += Number(passing);
    failed += Number(failing);
  }
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

mkdirSync('dist/test-results', { recursive: true });
const stages: (() => Promise<Count>)[] = [
  () => check('prettier', '--check', '--log-level=warn', '.'),
  () => check('tsc', '-p', '.'),
  () => check('eslint', '.'),
  () => check('knip'),
  () => check('node', 'esbuild.mjs'),
  nodeTests,
  editorTests,
];
let passed = 0;
let failed = 0;
for (const stage of stages) {
  const count = await stage();
  passed += count.passed;
  failed += count.failed;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
