import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { visible } from '../base/visibleText.ts';
import { readForeignFile } from '../config/editors/foreignFile.ts';
import {
  unwrapFile,
  wrapFile,
  type EntryOutcome,
  type Rewritten,
} from '../config/editors/wrapFile.ts';
import { quote } from '../config/quote.ts';
import type { CliCommand } from './command.ts';
import { projectOf } from './editorFiles.ts';
import { fileDiff } from './fileDiff.ts';
import { forTerminal } from './forTerminal.ts';
import type { Log } from './log.ts';
import { readTextFile, replaceText } from './textFile.ts';
import { wrapRecords } from './wrapRecords.ts';

const FAILED = 1;

/** `wrap` or `unwrap`, as it was asked for. */
export type WrapCommand = Extract<CliCommand, { kind: 'wrap' | 'unwrap' }>;

/** Puts the bridge before the servers of another program's file, or takes it out; gives the exit code. */
export async function runWrap(command: WrapCommand, log: Log): Promise<number> {
  const { kind, file: name, dryRun } = command;
  const reading = await readTextFile(name);
  if (reading.kind !== 'file') {
    log('error', reading.message);
    return FAILED;
  }
  const { file } = reading;
  if (basename(file.path) === 'mcp-rosetta.json') {
    log('error', `${name} is MCP Rosetta's own; its servers are bridged already.`);
    return FAILED;
  }
  const parsed = readForeignFile(file.text, name);
  if (parsed.kind === 'problem') {
    log('error', `${parsed.message} Nothing was written.`);
    return FAILED;
  }
  if (parsed.file.entries.length === 0) {
    log('error', `${name} has no servers.`);
    return FAILED;
  }
  const records = wrapRecords(file.path, process.env);
  const earlier = await records.read();
  const rewritten =
    kind === 'wrap'
      ? wrapFile(file.text, parsed.file, wrapper(command.flags, parsed.file.program), earlier)
      : unwrapFile(file.text, parsed.file, earlier);
  tell(rewritten.outcomes, log);
  if (dryRun) {
    const diff = fileDiff(name, file.text, rewritten.text);
    process.stdout.write(process.stdout.isTTY ? forTerminal(diff) : diff);
    return 0;
  }
  const problem = await write(kind, rewritten);
  if (problem !== undefined) {
    log('error', problem);
    return FAILED;
  }
  const isWrapped = rewritten.outcomes.some((outcome) => outcome.kind === 'wrapped');
  if (isWrapped && isShared(file.path)) {
    log('warning', `${name} is in a repository: whoever shares it gets the paths of this machine.`);
  }
  process.stdout.write(`${summary(kind, name, rewritten.outcomes)}\n`);
  return 0;

  /** What is needed to go back is written before, and forgotten after, the file itself. */
  async function write(
    kindOf: 'wrap' | 'unwrap',
    { text, records: next }: Rewritten,
  ): Promise<string | undefined> {
    try {
      if (kindOf === 'wrap') await records.write(next);
      const failed = text === file.text ? undefined : await replaceText(file, text);
      if (failed !== undefined) return failed;
      if (kindOf === 'unwrap') await records.write(next);
      return undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `Cannot keep what is needed to unwrap ${name}: ${reason}`;
    }
  }
}

/** Whether a file is a project's own, and the project is in a repository. */
function isShared(path: string): boolean {
  const project = projectOf(path, homedir());
  if (project === undefined) return false;
  for (let folder = project; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** This very program, wherever the editor starts it. */
function wrapper(flags: readonly string[], program: string | undefined) {
  const script = realpathSync(process.argv[1] ?? '');
  // VS Code takes less than its revision's schema allows.
  const isKnown = program === 'vscode' && !flags.includes('--reader');
  const reader = isKnown ? ['--reader', 'vscode'] : [];
  return { command: process.execPath, args: [script, 'stdio', ...reader, ...flags] };
}

function tell(outcomes: readonly EntryOutcome[], log: Log): void {
  for (const outcome of outcomes) {
    const server = quote(outcome.name);
    if (outcome.kind === 'left') {
      log('warning', `${server} is left as it is: ${visible(outcome.reason)}.`);
    }
    if (outcome.kind === 'rebuilt') {
      log(
        'warning',
        `${server} is rebuilt from its arguments, as its text from before is not known; look it over.`,
      );
    }
  }
}

function summary(kind: 'wrap' | 'unwrap', name: string, outcomes: readonly EntryOutcome[]): string {
  const done = outcomes.filter((outcome) => outcome.kind !== 'left' && outcome.kind !== 'already');
  const servers = done.length === 1 ? '1 server' : `${done.length} servers`;
  if (kind === 'unwrap') {
    return done.length === 0
      ? `No server of ${name} runs behind MCP Rosetta.`
      : `Unwrapped ${servers} of ${name}. Restart the program that reads it.`;
  }
  const before = outcomes.filter((outcome) => outcome.kind === 'already').length;
  const already = before === 0 ? '' : ` ${before} ran behind MCP Rosetta before.`;
  return done.length === 0
    ? `Nothing to wrap in ${name}.${already}`
    : `Wrapped ${servers} of ${name}.${already} Restart the program that reads it; undo with: mcp-rosetta unwrap ${quote(name)}`;
}
