import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';

import type { Script } from '../../fixtures/raw/script.ts';
import { loudStderr } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import type { Cli } from './support/cli.ts';
import { legacy } from './support/rules.ts';
import { initializeLine, test, type Stage } from './support/stage.ts';

/** True while a process runs; one that is dead but was not collected yet does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const stubborn: Script = { ...legacy('2025-06-18'), ignore: ['SIGTERM', 'SIGINT', 'EOF'] };

/** Starts a server behind a shell that only waits for it, and calls it once. */
async function startBehindShell(stage: Stage): Promise<{ cli: Cli; pid: number }> {
  const wrapper = ['sh', '-c', 'exec 3<&0; "$@" <&3 & wait', 'sh'];
  const cli = stage.cli('stdio', '--', ...wrapper, ...stage.command(stubborn));
  cli.client.write(initializeLine());
  await cli.client.response('open');
  await cli.client.request(1, 'tools/call', { name: 'echo' });
  const { pid } = stage.run;
  expect(isAlive(pid)).toBe(true);
  return { cli, pid };
}

describe.concurrent('a server behind a shell that ignores every hint to end', () => {
  const WITHIN_MS = 10_000;

  test('is gone when the client closes the pipe; asked to end before it is forced', async ({
    stage,
  }) => {
    const { cli, pid } = await startBehindShell(stage);
    cli.client.end();
    await until(() => !isAlive(pid), WITHIN_MS);
    expect(await cli.exit()).toBe(0);
    const told = stage.run.entries.map(({ event }) => event).filter((event) => event !== 'line');
    expect(told).toEqual(['start', 'eof', 'SIGTERM']);
  });

  test('is gone when the program is told to end', async ({ stage }) => {
    const { cli, pid } = await startBehindShell(stage);
    cli.kill('SIGTERM');
    await until(() => !isAlive(pid), WITHIN_MS);
    expect(await cli.exit()).toBe(0);
  });

  test('is gone when the program is killed', async ({ stage }) => {
    const { cli, pid } = await startBehindShell(stage);
    cli.kill('SIGKILL');
    await until(() => !isAlive(pid), WITHIN_MS);
  });
});

describe('what a server writes to stderr', () => {
  const loud = legacy('2025-06-18', {
    on: 'tools/call',
    steps: [
      { stderr: 'all is well\n' },
      { ...loudStderr(1_000_000), chunk: 65_536 },
      { result: { content: [] } },
    ],
  });

  test('is read, so that a megabyte of it does not keep the answer back', async ({ stage }) => {
    const cli = await stage.stdio(loud);
    expect((await cli.client.request(1, 'tools/call', { name: 'w' })).error).toBeUndefined();
    expect(await cli.log('all is well')).toBe('mcp-rosetta: [sh] all is well');
    expect(stage.report).toEqual([]);
  });

  test('is no warning and no error', async ({ stage }) => {
    const cli = stage.cli('stdio', '--', ...stage.command(loud));
    cli.client.write(initializeLine());
    await cli.client.response('open');
    await cli.client.request(1, 'tools/call', { name: 'w' });
    await cli.end();
    expect(cli.stderr).toBe('');
  });
});
