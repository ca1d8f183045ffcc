import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import spawn from 'cross-spawn';
import type { Dispose } from '../../base/emitter.ts';
import type { TransportFailure } from '../transport.ts';
import { mergeEnvironment, type EnvironmentOverrides } from './environment.ts';
import { describeSpawnError, type ServerExit, type SpawnAttempt } from './failures.ts';
import { endProcessTree } from './processTree.ts';
import { StderrLog } from './stderrLog.ts';
import { guardTree } from './watchdog.ts';

/** How to start a server. No shell reads any of this. */
export interface ServerCommand {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: EnvironmentOverrides | undefined;
  readonly cwd?: string | undefined;
}

/** What a server's process tells its owner; never called before `spawnServer` has returned. */
export interface ServerProcessListener {
  onStdout(chunk: Buffer): void;
  onStderr(line: string): void;
  /** The process could not be started; nothing else is called. */
  onFailed(failure: TransportFailure): void;
  /** The process is gone and everything it wrote was delivered. */
  onExit(exit: ServerExit): void;
}

/** A server's process, running or not. */
export interface ServerProcess {
  readonly pid: number | undefined;
  /** Absent where the process could not be started. */
  readonly stdin: Writable | undefined;
  lastStderrLine(): string | undefined;
  /** Ends the process and all it started; resolves when they are gone. */
  end(): Promise<void>;
}

/** How long the pipes of an exited process are read; something it started may hold them open for ever. */
const DRAIN_MS = 200;
/** How long a process may live on without its output. */
const CLOSED_OUTPUT_MS = 500;

/** Starts a server, in a process group of its own on POSIX, and guards it against outliving this process. */
export function spawnServer(
  server: ServerCommand,
  listener: ServerProcessListener,
  graceMs?: number,
): ServerProcess {
  const env = mergeEnvironment(process.env, server.env ?? {});
  const attempt: SpawnAttempt = { command: server.command, cwd: server.cwd, env };
  const child = startProcess(server, env);
  if (!isStarted(child)) {
    // What could not be started says why in an event, or has thrown.
    if (child instanceof Error) setImmediate(() => fail(child));
    else child.once('error', fail);
    return notStarted;
  }
  return watchProcess(child, listener, graceMs);

  function fail(error: Error): void {
    listener.onFailed(describeSpawnError(error, attempt));
  }
}

type StartedProcess = ChildProcess & {
  readonly pid: number;
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly stdout: NonNullable<ChildProcess['stdout']>;
  readonly stderr: NonNullable<ChildProcess['stderr']>;
};

const notStarted: ServerProcess = {
  pid: undefined,
  stdin: undefined,
  lastStderrLine: () => undefined,
  end: async () => undefined,
};

function startProcess(server: ServerCommand, env: NodeJS.ProcessEnv): ChildProcess | Error {
  const isWindows = process.platform === 'win32';
  const args = server.args ?? [];
  if (
    isWindows &&
    !/\.(?:exe|com)$/i.test(server.command) &&
    args.some((arg) => /[\r\n]/.test(arg))
  )
    return new Error(
      'Windows cannot hand an argument with a line break to a .cmd file; make a program that ends with .exe the command.',
    );
  try {
    return spawn(server.command, args, {
      ...(server.cwd !== undefined && { cwd: server.cwd }),
      env,
      detached: !isWindows,
      stdio: 'pipe',
      windowsHide: true,
    });
  } catch (error) {
    // Thrown for what the system was not even asked: a null byte, an empty command, too long a list of arguments.
    return error instanceof Error ? error : new Error(String(error));
  }
}

function isStarted(child: ChildProcess | Error): child is StartedProcess {
  return !(child instanceof Error) && child.pid !== undefined;
}

function watchProcess(
  child: StartedProcess,
  listener: ServerProcessListener,
  graceMs: number | undefined,
): ServerProcess {
  const unguard: Dispose = guardTree(child.pid);
  const log = new StderrLog((line) => listener.onStderr(line));
  let ending: Promise<void> | undefined;
  let closedOutput = false;
  let closedOutputTimer: NodeJS.Timeout | undefined;

  const end = (): Promise<void> => {
    ending ??= endProcessTree(child, graceMs).then(unguard);
    return ending;
  };

  // Errors of the pipes (EPIPE, ECONNRESET) say no more than the exit that comes with them.
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  child.on('error', () => undefined);
  child.stdout.on('data', (chunk: Buffer) => listener.onStdout(chunk));
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk));
  child.stdout.once('end', () => {
    // An exiting process gets here just ahead of its exit; one that stays cannot answer any more.
    closedOutputTimer = setTimeout(() => {
      closedOutput = ending === undefined;
      void end();
    }, CLOSED_OUTPUT_MS);
  });

  child.once('exit', (code, signal) => {
    clearTimeout(closedOutputTimer);
    void end();
    let told = false;
    const tell = (): void => {
      if (told) return;
      told = true;
      clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
      log.end();
      listener.onExit({ code, signal, closedOutput, lastStderrLine: log.last });
    };
    // The immediate comes behind one more round of reading, should this process have been too busy to read.
    const timer = setTimeout(() => setImmediate(tell), DRAIN_MS);
    child.once('close', tell);
  });

  return { pid: child.pid, stdin: child.stdin, lastStderrLine: () => log.last, end };
}
