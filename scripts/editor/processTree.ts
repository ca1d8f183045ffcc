import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Ends a process with all its descendants, also those in a process group of their own: asks first,
 * and insists after `patience` milliseconds.
 */
export async function endProcessTree(root: number, patience = 3000): Promise<void> {
  if (process.platform === 'win32') return killProcessTree(root);
  const family = listFamily(root);
  for (const member of family) signal(member, 'SIGTERM');
  const deadline = Date.now() + patience;
  while (family.some(isAlive) && Date.now() < deadline) await delay(50);
  for (const member of family) {
    // Whoever was started in the meantime is a descendant of a member that is still there.
    for (const late of listFamily(member)) signal(late, 'SIGKILL');
  }
  signal(-root, 'SIGKILL');
}

/** Ends a process with all its descendants at once; synchronous, for a process that is exiting. */
export function killProcessTree(root: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(root), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  for (const member of listFamily(root)) signal(member, 'SIGKILL');
  signal(-root, 'SIGKILL');
}

/** Makes Ctrl-C and a polite kill end this process through its `exit` handlers. */
export function exitOnSignals(codeOfInterrupt = 130): void {
  process.once('SIGINT', () => process.exit(codeOfInterrupt));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}

function listFamily(root: number): readonly number[] {
  const parents = process.platform === 'linux' ? readProcFolder() : askProcessList();
  const family = [root];
  addChildren(root, parents, family);
  return family;
}

function addChildren(parent: number, parents: ReadonlyMap<number, number>, family: number[]): void {
  for (const [child, itsParent] of parents) {
    if (itsParent !== parent || family.includes(child)) continue;
    family.push(child);
    addChildren(child, parents, family);
  }
}

function readProcFolder(): ReadonlyMap<number, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The name in parentheses may hold spaces; the fields after it are state and parent.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
      parents.set(Number(name), Number(fields?.[1]));
    } catch {
      // The process ended while the folder was read.
    }
  }
  return parents;
}

function askProcessList(): ReadonlyMap<number, number> {
  const parents = new Map<number, number>();
  const answer = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  for (const line of answer.stdout.split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    if (child && parent) parents.set(child, parent);
  }
  return parents;
}

function isAlive(processId: number): boolean {
  return signal(processId, 0);
}

function signal(processId: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(processId, name);
  } catch {
    return false;
  }
}
