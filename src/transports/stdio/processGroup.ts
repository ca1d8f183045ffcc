import { readdirSync, readFileSync } from 'node:fs';

/** Signals a process group (POSIX). False where there is no such group, or none of it may be signalled. */
export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pgid, signal);
  } catch {
    // ESRCH: the group is gone. EPERM: what is left of it is not ours to end.
    return false;
  }
}

/**
 * True while something of a process group still runs. Where nobody collects orphans, as in a container without an init
 * process, the dead stay in their group; Linux tells them apart.
 */
export function isGroupRunning(pgid: number): boolean {
  if (!signalGroup(pgid, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isRunningIn(pgid, name));
}

function isRunningIn(pgid: number, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // proc_pid_stat(5): pid (name) state ppid pgrp …, and a name may hold anything.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(group) === pgid && state !== 'Z' && state !== 'X';
  } catch {
    // It went away between the listing and the reading.
    return false;
  }
}
