import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach } from 'vitest';
import type { Frame } from '../../../../src/protocol/frame.ts';
import {
  StdioClientTransport,
  type StdioClientOptions,
} from '../../../../src/transports/stdio/stdioClientTransport.ts';
import type {
  ClientTransportListener,
  Noise,
  TransportFailure,
} from '../../../../src/transports/transport.ts';

/** The path of a program in `test/fixtures/processes`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../../fixtures/processes/${name}`, import.meta.url));
}

/** Waits until a condition holds; fails after `withinMs`. */
export async function until(condition: () => boolean, withinMs = 20_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for: ${String(condition)}`);
    await delay(5);
  }
}

/** True while a process runs; one that is dead but was not collected yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return (
      process.platform !== 'linux' || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    );
  } catch {
    return false;
  }
}

/** Writes down everything a client transport tells. */
export class Recorder implements ClientTransportListener {
  readonly frames: Frame[] = [];
  readonly failed: { id: string; failure: TransportFailure }[] = [];
  readonly noise: Noise[] = [];
  readonly oversized: Buffer[] = [];
  readonly closed: TransportFailure[] = [];
  readonly stderr: string[] = [];

  onFrame(frame: Frame): void {
    this.frames.push(frame);
  }
  onRequestFailed(id: string, failure: TransportFailure): void {
    this.failed.push({ id, failure });
  }
  onNoise(noise: Noise): void {
    this.noise.push(noise);
  }
  onOversized(head: Buffer): void {
    this.oversized.push(head);
  }
  onClose(failure: TransportFailure): void {
    this.closed.push(failure);
  }

  /** The pids that a `stubborn.mjs` and its child told. */
  get pids(): number[] {
    return this.stderr.flatMap((line) => /^pid (\d+)$/.exec(line)?.slice(1).map(Number) ?? []);
  }
}

const open: StdioClientTransport[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

/** Starts a server, which is ended after the test at the latest. */
export function start(options: StdioClientOptions): {
  transport: StdioClientTransport;
  heard: Recorder;
} {
  const heard = new Recorder();
  const transport = new StdioClientTransport({
    endGraceMs: 300,
    onStderr: (line) => heard.stderr.push(line),
    ...options,
  });
  open.push(transport);
  transport.start(heard);
  return { transport, heard };
}

/** Starts a server whose program is given as text. */
export function startScript(
  code: string,
  options: Partial<StdioClientOptions> = {},
): ReturnType<typeof start> {
  const args = ['--input-type=module', '-e', code, ...(options.args ?? [])];
  return start({ command: process.execPath, ...options, args });
}
