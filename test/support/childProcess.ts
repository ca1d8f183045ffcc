import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import { LineLog } from './lineLog.ts';
import { until } from './until.ts';

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** A process under test; its stdin and stdout are the test's, its stderr is kept as lines. */
export interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly log: LineLog;
  /** Ends the process by its id and waits until it is gone. */
  readonly stop: () => Promise<void>;
}

export function startChild(
  { command, args }: CommandLine,
  environment: Readonly<Record<string, string>> = {},
  log = new LineLog(),
): Child {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  // A child that is gone already is no reason for a write to fail the test.
  child.stdin.on('error', () => undefined);
  log.attach(child.stderr);
  const exited = once(child, 'exit');
  return {
    process: child,
    log,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exited;
    },
  };
}

const ANNOUNCEMENT = 'listening on ';

/** A server that announced its address on stderr, and is ready. */
export interface Listening extends Child {
  readonly url: string;
}

/** Starts a server and waits for its address; one that announces none is ended. */
export async function startListening(
  command: CommandLine,
  environment?: Readonly<Record<string, string>>,
  log = new LineLog(),
): Promise<Listening> {
  const from = log.lines.length;
  const child = startChild(command, environment, log);
  const announced = (): string | undefined =>
    log.lines.slice(from).find((line) => line.includes(ANNOUNCEMENT));
  try {
    await until(() => announced() !== undefined || child.process.exitCode !== null);
    const line = announced();
    if (line === undefined)
      throw new Error(`It ended without an address:\n${log.lines.slice(from).join('\n')}`);
    return { ...child, url: line.slice(line.indexOf(ANNOUNCEMENT) + ANNOUNCEMENT.length) };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
