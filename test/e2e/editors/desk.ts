import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { test as base } from 'vitest';

import type { CommandLine } from '../../support/childProcess.ts';
import { fixtureCommand } from '../../support/fixture.ts';
import { CLI } from '../reports/support/cli.ts';

/** What a run of the program that ended by itself left. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An entry of another program's file that starts a command. */
export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The everything server of 2026-07-28, which no client of the legacy era can use by itself. */
export const MODERN: CommandLine = fixtureCommand('everythingModern', 'stdio');

/** Somebody's machine: a home folder, a project in it, and programs that keep their files there. */
export class Desk {
  readonly home = mkdtempSync(join(tmpdir(), 'rosetta-desk-'));
  readonly project = join(this.home, 'project');
  readonly env: Readonly<Record<string, string>> = {
    PATH: process.env['PATH'] ?? '',
    HOME: this.home,
    XDG_CONFIG_HOME: join(this.home, '.config'),
    XDG_STATE_HOME: join(this.home, 'state'),
    XDG_CACHE_HOME: join(this.home, 'cache'),
    CI: 'true',
    NODE_COMPILE_CACHE: join(tmpdir(), 'rosetta-compile-cache'),
  };

  constructor() {
    mkdirSync(this.project);
  }

  /** Writes a file below the home folder and gives its path. */
  write(path: string, content: string | object): string {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    return file;
  }

  read(path: string): string {
    return readFileSync(join(this.home, path), 'utf8');
  }

  /** Runs the program in the project's folder until it ends. */
  async run(args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Run> {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: this.project,
      env: { ...this.env, ...env },
    });
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [code, stdout, stderr] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, stdout, stderr };
  }

  /** Starts an entry as the editor would, after it has replaced its variables, and gives the names of the tools. */
  async toolsOf(
    { command, args, env = {} }: Started,
    replace: (text: string) => string,
  ): Promise<string[]> {
    const own = Object.entries(env).map(([name, value]) => [name, replace(value)]);
    const transport = new StdioClientTransport({
      command: replace(command),
      args: args.map(replace),
      env: { ...this.env, ...(Object.fromEntries(own) as Record<string, string>) },
      cwd: this.project,
      stderr: 'ignore',
    });
    const client = new Client({ name: 'editor', version: '1' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** A test with a machine of its own. */
export const test = base.extend<{ desk: Desk }>({
  desk: async ({}, use) => {
    const desk = new Desk();
    await use(desk);
    desk.remove();
  },
});
