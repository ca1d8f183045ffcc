import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withLock } from '../../../src/base/lock.ts';
import { until } from '../../support/until.ts';

// The file system as it is, but for removals that take their time, so that others come in between.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>();
  const rm: typeof files.rm = async (...args) => {
    await sleep(Math.random() * 20);
    return real.rm(...args);
  };
  return { ...real, rm };
});

const never = new AbortController().signal;
/** No process has such a number. */
const GONE = 2 ** 30;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('of those who find a lock that was left, one has it at a time', async () => {
  const folder = newFolder();
  const rounds = Array.from({ length: 10 }, async (_, round) => {
    const file = join(folder, String(round));
    writeFileSync(file, `${GONE} ${hostname()} left\n`);
    let holders = 0;
    const seen: number[] = [];
    const one = async (): Promise<void> => {
      await sleep(Math.random() * 40);
      await withLock(
        file,
        async () => {
          seen.push(++holders);
          await sleep(10);
          holders--;
        },
        never,
      );
    };
    await Promise.all(Array.from({ length: 6 }, one));
    return seen;
  });
  expect(new Set((await Promise.all(rounds)).flat())).toEqual(new Set([1]));
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock from another machine is left alone while it shows that its owner lives', async () => {
  const file = join(newFolder(), 'lock');
  writeFileSync(file, `${GONE} elsewhere.${hostname()} theirs\n`);
  let isHad = false;
  const work = async (): Promise<void> => void (isHad = true);
  // Long enough to have looked more than once.
  await expect(withLock(file, work, AbortSignal.timeout(350))).rejects.toThrow();
  expect(isHad).toBe(false);
  utimesSync(file, 0, 0);
  await withLock(file, work, never);
  expect(isHad).toBe(true);
});

test('a lock that was taken over is not let go of by the one who had it before', async () => {
  const file = join(newFolder(), 'lock');
  await withLock(file, async () => writeFileSync(file, 'another one’s'), never);
  expect(readFileSync(file, 'utf8')).toBe('another one’s');
});

test('whoever waits for longer is told once', async () => {
  const file = join(newFolder(), 'lock');
  const onWaiting = vi.fn();
  let waiting: Promise<void> | undefined;
  await withLock(
    file,
    async () => {
      waiting = withLock(file, async () => undefined, never, onWaiting);
      await until(() => onWaiting.mock.calls.length > 0);
    },
    never,
  );
  await waiting;
  await withLock(file, async () => undefined, never, onWaiting);
  expect(onWaiting).toHaveBeenCalledTimes(1);
});
