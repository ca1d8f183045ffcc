import { execFile, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isGroupRunning, signalGroup } from './processGroup.ts';

const GRACE_MS = 2000;
const FIRST_POLL_MS = 10;
const LAST_POLL_MS = 100;

const isWindows = process.platform === 'win32';

/**
 * Ends a server and all it started: closes its stdin, then asks, then forces, waiting `graceMs` after each. On POSIX
 * the child must lead a process group of its own; the group is ended even when the child itself is gone already.
 * Resolves when nothing is left, or nothing that could be ended.
 */
export async function endProcessTree(child: ChildProcess, graceMs = GRACE_MS): Promise<void> {
  child.stdin?.end();
  if (child.pid === undefined || (await isGone(child, graceMs))) return;
  // A server that reads nothing may have left bytes waiting, behind which it would never see the end.
  child.stdin?.destroy();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await signalTree(child.pid, signal);
    if (await isGone(child, graceMs)) return;
  }
}

async function isGone(child: ChildProcess, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  let pause = FIRST_POLL_MS;
  while (isRunning(child)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pause, left));
    pause = Math.min(pause * 2, LAST_POLL_MS);
  }
  return true;
}

function isRunning(child: ChildProcess): boolean {
  if (child.exitCode === null && child.signalCode === null) return true;
  // Of a tree on Windows nothing can be told once its root is gone.
  return child.pid !== undefined && !isWindows && isGroupRunning(child.pid);
}

async function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!isWindows) {
    signalGroup(pid, signal);
    return;
  }
  const taskkill = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const args = ['/pid', String(pid), '/T', ...(signal === 'SIGKILL' ? ['/F'] : [])];
  // Its failure means that the process is gone or refuses, and both are found out by waiting.
  await new Promise<void>((resolve) => {
    execFile(taskkill, args, { windowsHide: true }, () => resolve());
  });
}
