import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Dispose } from '../../base/emitter.ts';
import { NODE_WATCHDOG, SHELL_WATCHDOG } from './watchdogScripts.ts';

/** Which program a watchdog is; both do the same. */
export type WatchdogKind = 'shell' | 'node';

const SHELL = '/bin/sh';

/**
 * A small process that outlives a killed owner by a few seconds, only to end what the owner had started. It exists
 * while there is something to guard, keeps nobody alive, and leaves by itself when its stdin ends, however that came
 * about.
 */
export class Watchdog {
  readonly #kind: WatchdogKind;
  readonly #guarded = new Set<number>();
  #process: ChildProcess | undefined;

  constructor(kind: WatchdogKind = defaultKind()) {
    this.#kind = kind;
  }

  /** Guards the process group (on Windows: the tree) of this process until the returned function is called. */
  guard(pid: number): Dispose {
    this.#guarded.add(pid);
    if (this.#process === undefined) this.#start();
    else this.#tell(`+${pid}`);
    return () => {
      if (!this.#guarded.delete(pid)) return;
      this.#tell(`-${pid}`);
      if (this.#guarded.size > 0) return;
      this.#process?.stdin?.end();
      this.#process = undefined;
    };
  }

  #start(): void {
    const child = startProcess(this.#kind);
    this.#process = child;
    const forget = (): void => {
      if (this.#process === child) this.#process = undefined;
    };
    child.on('error', forget);
    child.on('exit', forget);
    child.stdin?.on('error', forget);
    child.unref();
    // A pipe to a child is a socket, which its type does not say.
    (child.stdin as Socket | null)?.unref();
    for (const pid of this.#guarded) this.#tell(`+${pid}`);
  }

  #tell(line: string): void {
    const stdin = this.#process?.stdin;
    if (stdin?.writable === true) stdin.write(`${line}\n`);
  }
}

function defaultKind(): WatchdogKind {
  return process.platform !== 'win32' && existsSync(SHELL) ? 'shell' : 'node';
}

function startProcess(kind: WatchdogKind): ChildProcess {
  const env: NodeJS.ProcessEnv = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  // What is meant for the owner (an inspector, a hook) is not meant for its watchdog.
  delete env.NODE_OPTIONS;
  const [command, args] =
    kind === 'shell' ? [SHELL, ['-c', SHELL_WATCHDOG]] : [process.execPath, ['-e', NODE_WATCHDOG]];
  return spawn(command, args, {
    cwd: dirname(command),
    detached: true,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
}

let shared: Watchdog | undefined;

/** Makes sure that this server does not outlive this process by more than a few seconds, even if it is killed. */
export function guardTree(pid: number): Dispose {
  shared ??= new Watchdog();
  return shared.guard(pid);
}
