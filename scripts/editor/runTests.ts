import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchEditor, type EditorOptions } from './launchEditor.ts';
import { openPage } from './openPage.ts';
import { startPageControl } from './pageControl.ts';
import { testBundle, testResults } from './paths.ts';

export interface EditorTestOptions extends Omit<EditorOptions, 'logFile' | 'port'> {
  /** Which tests to run: `main`, or the name of a folder in `test/extension`. */
  readonly suite: string;
  /** The run counts as failed after this many milliseconds. */
  readonly timeout?: number;
}

/**
 * Runs the bundled tests in the extension host of a browser build and answers their exit code; the
 * lines they report go to the console, screenshots and logs to the results folder.
 */
export async function runEditorTests(options: EditorTestOptions): Promise<number> {
  const results = join(testResults, options.suite);
  await rm(results, { recursive: true, force: true });
  await mkdir(results, { recursive: true });
  const control = await startPageControl(results);
  try {
    const editor = await launchEditor({
      ...options,
      // Not the editor's own test mode: that one refuses to show the dialogs under test.
      extensions: [...(options.extensions ?? []), testBundle],
      environment: {
        ...options.environment,
        EDITOR_PAGE: control.url,
        VSCODE_PROXY_URI: control.forwarding,
        EDITOR_TEST_SUITE: options.suite,
      },
      logFile: join(results, 'server.log'),
    });
    try {
      const { browser, page } = await openPage(editor);
      try {
        keepConsole(page, join(results, 'console.log'));
        await control.drive(page);
        return await Promise.race([
          control.exitCode,
          editor.ended.then(() => fail('The editor ended before the tests did')),
          new Promise<number>((_, reject) => {
            page.once('crash', () => reject(new Error('The page crashed')));
          }),
          giveUp(page, results, options.timeout ?? 900_000),
        ]);
      } finally {
        await browser.close();
      }
    } finally {
      await editor.close();
    }
  } finally {
    await control.close();
  }
}

/** A temporary folder for one run's workspace, removed together with its content. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function giveUp(page: Page, results: string, timeout: number): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => {
      void page
        .screenshot({ path: join(results, 'timeout.png') })
        .catch(() => undefined)
        .then(() =>
          reject(new Error(`The tests did not end within ${timeout} ms; see ${results}`)),
        );
    }, timeout);
    timer.unref();
  });
}

function keepConsole(page: Page, file: string): void {
  page.on('console', (message) => {
    appendFileSync(file, `[${message.type()}] ${message.text().replaceAll('%c', '')}\n`);
  });
}

function fail(message: string): never {
  throw new Error(message);
}
