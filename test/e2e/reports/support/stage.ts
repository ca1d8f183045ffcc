import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { test as base } from 'vitest';

import {
  scriptedCommand,
  scriptedHttpCommand,
  type Command,
} from '../../../fixtures/raw/command.ts';
import type { Script } from '../../../fixtures/raw/script.ts';
import type { Members, RawClient } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import { Cli } from './cli.ts';
import { readRun, readRuns, Run } from './records.ts';

/** One line of a `--report` file. */
export interface ReportLine {
  readonly kind: 'report' | 'refusal' | 'warning';
  readonly topic?: string;
  readonly feature: string;
  readonly path: string;
  readonly loss?: string;
  readonly tool?: string;
  readonly hint?: string;
  readonly after?: string;
  readonly method: string;
  readonly server: string;
}

/** How a test wants the bridge, and the client it is. */
export interface Setup {
  readonly flags?: readonly string[];
  readonly revision?: string;
  readonly capabilities?: Members;
}

/** Everything one test starts and writes: gone with it. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'rosetta-reports-'));
  readonly env: NodeJS.ProcessEnv = {
    ...process.env,
    XDG_CACHE_HOME: join(this.folder, 'cache'),
    XDG_STATE_HOME: join(this.folder, 'state'),
    // Every test starts several programs anew; Node may keep what it made of their text.
    NODE_COMPILE_CACHE: join(tmpdir(), 'rosetta-compile-cache'),
  };
  readonly #clis: Cli[] = [];
  readonly #ends: (() => Promise<void>)[] = [];
  readonly #http: string[] = [];
  readonly #records = join(this.folder, 'records');
  readonly #reportFile = join(this.folder, 'report.jsonl');

  /** Starts the program. */
  cli(...args: string[]): Cli {
    const cli = new Cli(args, this.env);
    this.#clis.push(cli);
    return cli;
  }

  /** The command line of a scripted server, or of the script in a file, of which every start leaves a record. */
  command(script: Script | string, name = 'server'): string[] {
    const records = join(this.#records, name);
    mkdirSync(records, { recursive: true });
    const { command, args } = scriptedCommand(script);
    const start = 'folder=$1; shift; exec "$@" --record "$folder/$(date +%s%N).jsonl"';
    return ['sh', '-c', start, 'sh', records, command, ...args];
  }

  /** Starts a scripted server over HTTP and gives its address. */
  async http(script: Script, name = 'http'): Promise<string> {
    const record = join(this.folder, `${name}.jsonl`);
    this.#http.push(record);
    const { command, args }: Command = scriptedHttpCommand(script, record);
    const child = spawn(command, args, { stdio: 'pipe', env: this.env });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    this.#ends.push(async () => {
      child.stdin.end();
      await until(() => child.exitCode !== null || child.signalCode !== null);
    });
    await until(() => stderr.includes('\n'));
    return /listening on (\S+)/.exec(stderr)?.[1] ?? '';
  }

  /** The starts of a scripted stdio server so far. */
  runs(name = 'server'): Run[] {
    return readRuns(join(this.#records, name));
  }

  /** The latest start of the scripted server of this test, over whichever transport. */
  get run(): Run {
    const [record] = this.#http;
    return (record === undefined ? this.runs().at(-1) : readRun(record)) ?? new Run([]);
  }

  /** What a scripted server over HTTP saw. */
  httpRun(name: string): Run {
    return readRun(join(this.folder, `${name}.jsonl`));
  }

  /** Starts `mcp-rosetta stdio` in front of a scripted server (or its address), and opens a session. */
  async stdio(server: Script | string, setup: Setup = {}): Promise<Cli> {
    const cli = this.unopened(server, setup);
    const opened = await open(cli.client, setup);
    if (opened.error !== undefined) throw new Error(`initialize failed: ${opened.error.message}`);
    return cli;
  }

  /** The same, before the client has said anything. */
  unopened(server: Script | string, { flags = [] }: Setup = {}): Cli {
    const target = typeof server === 'string' ? ['--url', server] : ['--', ...this.command(server)];
    const common = ['--report', this.#reportFile, '--log-level', 'info'];
    return this.cli('stdio', ...common, ...flags, ...target);
  }

  /** Starts `mcp-rosetta serve` over a configuration file; gives the address of each server by its name. */
  async serve(
    servers: Readonly<Record<string, Members>>,
    ...flags: string[]
  ): Promise<{ cli: Cli; urls: Readonly<Record<string, string>> }> {
    const file = join(this.folder, 'mcp-rosetta.json');
    writeFileSync(file, JSON.stringify({ servers }));
    const common = ['--report', this.#reportFile, '--log-level', 'info', '--config', file];
    const cli = this.cli('serve', ...common, ...flags);
    const names = Object.keys(servers);
    await until(
      () => cli.logged('listening on ').length === names.length,
      undefined,
      () => cli.stderr,
    );
    const lines = cli.logged('listening on ').map((line) => line.slice('listening on '.length));
    return { cli, urls: Object.fromEntries(names.map((name, i) => [name, lines[i] ?? ''])) };
  }

  /** A configuration entry for a scripted server. */
  entry(script: Script, name: string, more: Members = {}): Members {
    const [command, ...args] = this.command(script, name);
    return { command, args, ...more };
  }

  /** What the report file holds so far. */
  get report(): ReportLine[] {
    const text = existsSync(this.#reportFile) ? readFileSync(this.#reportFile, 'utf8') : '';
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as ReportLine);
  }

  async end(): Promise<void> {
    const ended = await Promise.allSettled([
      ...this.#clis.map((cli) => cli.end()),
      ...this.#ends.map((end) => end()),
    ]);
    rmSync(this.folder, { recursive: true, force: true });
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }
}

/** The line with which a client opens its session. */
export function initializeLine({ revision = '2025-11-25', capabilities = {} }: Setup = {}): string {
  const params = {
    protocolVersion: revision,
    capabilities,
    clientInfo: { name: 'ed', version: '1' },
  };
  return JSON.stringify({ jsonrpc: '2.0', id: 'open', method: 'initialize', params });
}

async function open(client: RawClient, setup: Setup): ReturnType<RawClient['response']> {
  client.write(initializeLine(setup));
  const opened = await client.response('open');
  client.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return opened;
}

/** A test with a stage of its own. */
export const test = base.extend<{ stage: Stage }>({
  stage: async ({}, use) => {
    const stage = new Stage();
    await use(stage);
    await stage.end();
  },
});
