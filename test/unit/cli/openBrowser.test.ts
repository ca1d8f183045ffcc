import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../../../src/cli/openBrowser.ts';

function program(body: string): { path: string; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta browser '));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'browser; exit 1');
  const output = join(folder, 'arguments');
  writeFileSync(path, `#!/bin/sh\n${body.replaceAll('OUTPUT', `"${output}"`)}\n`);
  chmodSync(path, 0o755);
  return { path, output };
}

test('the program of BROWSER gets the address as its only argument, and no shell reads either', async () => {
  const { path, output } = program('printf "%s\\n" "$#" "$@" > OUTPUT');
  const page = new URL('https://auth.example.com/a?x=$(touch /tmp/x)&y=`id`;z|w#"\'');
  expect(await openBrowser(page, { BROWSER: path, PATH: process.env['PATH'] })).toBe(true);
  expect(readFileSync(output, 'utf8')).toBe(`1\n${page.href}\n`);
});

test('a browser that fails or is not there is told of', async () => {
  const page = new URL('https://auth.example.com/');
  expect(await openBrowser(page, { BROWSER: program('exit 3').path })).toBe(false);
  expect(await openBrowser(page, { BROWSER: '/nowhere/browser' })).toBe(false);
});
