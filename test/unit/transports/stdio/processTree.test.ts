import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WatchdogKind } from '../../../../src/transports/stdio/watchdog.ts';
import { fixture, isAlive, start, startScript, until } from './support.ts';

const stubborn = (role: string) => ({
  command: process.execPath,
  args: [fixture('stubborn.mjs'), role],
});

describe('closing', () => {
  test('a server that heeds the end of its input is gone at once', async () => {
    const { transport, heard } = startScript('console.error("up"); process.stdin.resume()', {
      endGraceMs: 10_000,
    });
    await until(() => heard.stderr.length > 0);
    const started = performance.now();
    await transport.close();
    expect(isAlive(transport.pid ?? 0)).toBe(false);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('a server that heeds SIGTERM only is asked', async () => {
    const { transport, heard } = startScript(`
      process.on('SIGTERM', () => { console.error('asked'); process.exit(0); });
      setInterval(() => undefined, 1000);
      console.error('up');`);
    await until(() => heard.stderr.includes('up'));
    await transport.close();
    expect(isAlive(transport.pid ?? 0)).toBe(false);
    await until(() => heard.stderr.includes('asked'));
  });

  test.each(['parent', 'leaver'])('nothing stubborn stays of a %s', async (role) => {
    const { transport, heard } = start(stubborn(role));
    await until(() => heard.pids.length === 2);
    await transport.close();
    expect(heard.pids.filter(isAlive)).toEqual([]);
  });

  test('what a server leaves behind when it exits is ended unasked', async () => {
    const { heard } = start(stubborn('leaver'));
    await until(() => heard.closed.length > 0);
    await until(() => heard.pids.length === 2 && !heard.pids.some(isAlive));
  });
});

describe.skipIf(process.platform === 'win32')('a killed owner', () => {
  test('leaves nothing behind for longer than ten seconds', async () => {
    const server = stubborn('parent');
    const owner = spawn(
      process.execPath,
      [fixture('guardingOwner.ts'), server.command, ...server.args],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void owner.kill('SIGKILL'));
    const pids = new Set<number>();
    createInterface(owner.stdout).on('line', (line) => pids.add(Number(line.replace('pid ', ''))));
    await until(() => pids.size === 2);
    owner.kill('SIGKILL');
    await until(() => ![...pids].some(isAlive), 10_000);
  });

  test.each<WatchdogKind>(['shell', 'node'])('is outlived by a %s watchdog', async (kind) => {
    const guarded = [0, 1, 2].map(() =>
      spawn(process.execPath, [fixture('stubborn.mjs')], { detached: true, stdio: 'pipe' }),
    );
    onTestFinished(() => guarded.forEach((child) => void child.kill('SIGKILL')));
    for (const child of guarded) {
      let told = false;
      child.stderr.on('data', () => (told = true));
      await until(() => told);
    }
    const pids = guarded.map((child) => String(child.pid));
    const owner = spawn(process.execPath, [fixture('watchdogOwner.ts'), kind, ...pids]);
    onTestFinished(() => void owner.kill('SIGKILL'));
    let guarding = false;
    owner.stdout.on('data', () => (guarding = true));
    await until(() => guarding);
    owner.kill('SIGKILL');
    await until(() => guarded[0]?.signalCode === 'SIGKILL' && guarded[2]?.signalCode === 'SIGKILL');
    expect(guarded[1]?.signalCode).toBeNull();
  });
});
