import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Script } from '../../../fixtures/raw/script.ts';
import type { Members, Message } from '../../../support/rawClient.ts';
import type { Cli } from '../../reports/support/cli.ts';
import { HttpClient } from '../../reports/support/httpClient.ts';
import { isAlive } from '../../reports/support/processes.ts';
import type { Run } from '../../reports/support/records.ts';
import { initializeLine, type Stage } from '../../reports/support/stage.ts';

/** Counts a start before anything else, and fails where the script is gone. */
const START = 'echo >> "$1"; [ -e "$2" ] || exit 3; shift 2; exec "$@"';

/** A stdio server that is another one at its next start, while its command line stays the same. */
export class ChangingServer {
  readonly command: readonly string[];
  readonly #stage: Stage;
  readonly #script: string;
  readonly #starts: string;

  constructor(stage: Stage, script: Script) {
    this.#stage = stage;
    this.#script = join(stage.folder, 'script.json');
    this.#starts = join(stage.folder, 'starts');
    const command = stage.command(this.#script, 'changing');
    this.command = ['sh', '-c', START, 'sh', this.#starts, this.#script, ...command];
    this.become(script);
  }

  /** What it is from its next start on. */
  become(script: Script): void {
    writeFileSync(this.#script, JSON.stringify(script));
  }

  /** From now on it cannot be started. */
  remove(): void {
    rmSync(this.#script);
  }

  /** How often it was started, whether it came up or not. */
  get starts(): number {
    return existsSync(this.#starts) ? readFileSync(this.#starts, 'utf8').length : 0;
  }

  /** What each start saw that came up. */
  get runs(): Run[] {
    return this.#stage.runs('changing');
  }

  get alive(): Run[] {
    return this.runs.filter(({ pid }) => isAlive(pid));
  }

  /** Starts `mcp-rosetta stdio` in front of it. */
  stdio(...flags: string[]): Cli {
    return this.#stage.cli('stdio', '--log-level', 'info', ...flags, '--', ...this.command);
  }

  /** Starts `mcp-rosetta serve` in front of it; each client has yet to open its session. */
  async serve(timeouts: Members = {}): Promise<{ cli: Cli; client: () => HttpClient }> {
    const [command, ...args] = this.command;
    const { cli, urls } = await this.#stage.serve({ changing: { command, args, timeouts } });
    return { cli, client: () => new HttpClient(urls['changing'] ?? '') };
  }

  /** Has its era found out and remembered by `mcp-rosetta stdio`. */
  async meetOverStdio(...flags: string[]): Promise<void> {
    const cli = this.stdio(...flags);
    cli.client.write(initializeLine());
    checked(await cli.client.response('open'));
    await cli.end();
  }

  /** The same by `mcp-rosetta serve`, which remembers it for itself: the folder it starts it in is another one. */
  async meetOverHttp(): Promise<void> {
    const { cli, client } = await this.serve();
    checked(await client().open());
    await cli.end();
  }
}

function checked({ error }: Message): void {
  if (error !== undefined) throw new Error(error.message);
}

/** The eras that are remembered of all servers of a stage. */
export function remembered({ folder }: Stage): unknown[] {
  const file = join(folder, 'cache', 'mcp-rosetta', 'eras.json');
  return Object.values(JSON.parse(readFileSync(file, 'utf8')) as Members);
}
