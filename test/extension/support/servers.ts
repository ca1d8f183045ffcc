import * as vscode from 'vscode';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '../../fixtures/raw/script.ts';
import { readRun } from '../../e2e/reports/support/records.ts';
import type { Message } from '../../support/rawClient.ts';
import { workspaceFolder, type Entry } from './configuration.ts';
import { page } from './page.ts';
import { answerDialog, waitUntil } from './workbench.ts';

/** A server of which one can tell whether it was started. */
export interface Marked {
  readonly entry: Entry & { readonly command: string; readonly args: readonly string[] };
  /** The ids of the processes it was started as. */
  starts(): readonly number[];
}

/** The path of a file below the folder of the tests. */
export function testFile(...path: readonly string[]): string {
  const runner = vscode.extensions.getExtension('mcp-rosetta.test-runner');
  if (runner === undefined) throw new Error('The test runner is not installed.');
  return join(realpathSync(runner.extensionPath), '..', '..', 'test', ...path);
}

/** The everything server that speaks 2026-07-28 and nothing older; `name` is that of its mark. */
export function everythingModern(name: string): Marked {
  return marked(name, testFile('fixtures', 'everythingModern', 'stdio.ts'));
}

/** A server that follows a script, and keeps what it was sent. */
export interface Scripted extends Marked {
  /** The messages of a method, of all its starts. */
  received(method: string): readonly Message[];
}

/** A server that follows a script. */
export function scripted(name: string, script: Script): Scripted {
  const own = join(workspaceFolder(), unique(name));
  const file = `${own}.script.json`;
  const record = `${own}.record.jsonl`;
  writeFileSync(file, JSON.stringify(script));
  const parameters = ['--script', file, '--record', record];
  return {
    ...marked(name, testFile('fixtures', 'raw', 'scripted.ts'), ...parameters),
    received: (method) => readRun(record).of(method),
  };
}

/** An entry that leaves a mark at every start. */
function marked(name: string, program: string, ...parameters: readonly string[]): Marked {
  const marker = join(workspaceFolder(), `${unique(name)}.starts`);
  const starter = testFile('extension', 'servers', 'marked.ts');
  return {
    entry: { command: process.execPath, args: [starter, marker, program, ...parameters] },
    starts: () =>
      existsSync(marker) ? readFileSync(marker, 'utf8').trim().split('\n').map(Number) : [],
  };
}

let used = 0;

/** A name that was not used before: the editor remembers what was agreed to, and does not ask again. */
export function unique(name: string): string {
  used += 1;
  return `${name}-${used}`;
}

/** True while a process exists. */
export function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

/** Waits until none of the processes exists any more. */
export async function waitForEnd(processIds: readonly number[]): Promise<void> {
  await waitUntil('the processes to end', () => !processIds.some(isAlive) || undefined);
}

/** Lets the editor's own client start a server, until the dialog that asks for consent is open. */
export async function startUntilAsked(name: string): Promise<void> {
  await waitUntil('the question whether the server may start', async () => {
    void askEditorToStart(name);
    await pause(500);
    const texts = await page.texts('.monaco-dialog-box .dialog-message-container');
    return texts.some((text) => text.includes(`"${name}"`)) || undefined;
  });
}

/** Lets the editor's own client start a server, and agrees to it. */
export async function startAndAgree(name: string): Promise<void> {
  await startUntilAsked(name);
  await answerDialog('Start');
}

/** Lets the editor's own client start a server. */
export async function askEditorToStart(name: string): Promise<void> {
  await vscode.commands.executeCommand(
    'workbench.mcp.startServer',
    `mcp-rosetta.mcp-rosetta/${name}`,
    { autoTrustChanges: true },
  );
}

export function pause(duration: number): Promise<void> {
  return new Promise((settle) => setTimeout(settle, duration));
}

/** A program of the tests that serves over HTTP, in a process of its own, once it listens. */
export interface HttpProgram {
  readonly url: string;
  readonly stop: () => void;
}

/** Starts one at a free port. */
export function startHttpProgram(
  ...[file, ...parameters]: [string, ...string[]]
): Promise<HttpProgram> {
  const child = spawn(process.execPath, [file, ...parameters, '--watch-stdin'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /listening on (\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve({ url, stop: () => void child.kill() });
    });
  });
}
