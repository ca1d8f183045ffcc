import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { RawClient } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';

/** The built program. */
export const CLI = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url));

/** Longer than the bridge gives a stubborn server before it kills it. */
const END_MS = 15_000;

/** A running `mcp-rosetta`, as a client that starts it sees it. */
export class Cli {
  readonly client: RawClient;
  readonly #child: ChildProcess & { readonly pid: number };
  #stderr = '';

  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    if (!existsSync(CLI)) throw new Error(`${CLI} is missing; build it first.`);
    const child = spawn(process.execPath, [CLI, ...args], { env, stdio: 'pipe' });
    if (child.pid === undefined) throw new Error('The command line program did not start.');
    this.#child = Object.assign(child, { pid: child.pid });
    this.client = new RawClient(child.stdout, child.stdin);
    child.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString('utf8')));
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** All that it logged so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The lines of the log so far that hold this text. */
  logged(text: string): string[] {
    return this.#stderr.split('\n').filter((line) => line.includes(text));
  }

  /** Waits until the log holds this text. */
  async log(text: string, withinMs?: number): Promise<string> {
    await until(
      () => this.logged(text).length > 0,
      withinMs,
      () => `"${text}" in:\n${this.#stderr}`,
    );
    return this.logged(text)[0] ?? '';
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The exit code, once it has one; null where a signal ended it. */
  async exit(withinMs = END_MS): Promise<number | null> {
    await until(
      () => this.hasExited,
      withinMs,
      () => this.#stderr,
    );
    return this.#child.exitCode;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it as a client would, and fails where it does not go. */
  async end(): Promise<void> {
    if (!this.hasExited) {
      this.client.end();
      this.kill('SIGTERM');
    }
    try {
      await this.exit();
    } finally {
      this.kill('SIGKILL');
    }
  }
}
