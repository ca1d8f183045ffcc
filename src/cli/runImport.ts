import { basename, dirname, resolve } from 'node:path';
import { visible } from '../base/visibleText.ts';
import type { Members } from '../config/editors/converter.ts';
import { readForeignFile } from '../config/editors/foreignFile.ts';
import { mergeServers, type Merged } from '../config/editors/mergeServers.ts';
import { PROGRAM_TITLES } from '../config/editors/program.ts';
import type { TakenServer } from '../config/editors/takeOver.ts';
import { quote } from '../config/quote.ts';
import type { CliCommand } from './command.ts';
import { fileDiff } from './fileDiff.ts';
import { forTerminal } from './forTerminal.ts';
import { entriesFor, importServers, knownFiles, type Found } from './importServers.ts';
import type { Log } from './log.ts';
import { createText, readTextFile, replaceText, type TextFile } from './textFile.ts';

const FAILED = 1;

type ImportCommand = Extract<CliCommand, { kind: 'import' }>;
/** Makes a configuration of what other programs have, or lists it where no source is named; gives the exit code. */
export async function runImport(command: ImportCommand, log: Log): Promise<number> {
  const { sources, to, dryRun } = command;
  const folder = process.cwd();
  if (sources.length === 0) return listFiles(folder, log);
  const target = to === undefined ? folder : folderOf(to);
  const found = await importServers(sources, folder, target, log);
  if (found === undefined) return FAILED;
  if (found.servers.length === 0) {
    for (const { message } of found.remarks) log('warning', message);
    log('error', 'There is no server to import.');
    return FAILED;
  }
  return to === undefined ? print(found, log) : mergeInto(to, found, dryRun, log);
}

/** The folder that a configuration file belongs to. */
function folderOf(file: string): string {
  const folder = dirname(resolve(file));
  return basename(folder) === '.vscode' ? dirname(folder) : folder;
}

function print({ servers, remarks }: Found, log: Log): number {
  for (const { message } of remarks) log('warning', message);
  const merged = mergeServers(undefined, servers);
  tell('the output', merged, log);
  process.stdout.write(process.stdout.isTTY ? forTerminal(merged.text) : merged.text);
  return 0;
}

async function mergeInto(
  to: string,
  { servers, remarks }: Found,
  dryRun: boolean,
  log: Log,
): Promise<number> {
  const reading = await readTextFile(to);
  if (reading.kind === 'failed') {
    log('error', reading.message);
    return FAILED;
  }
  const file = reading.kind === 'file' ? reading.file : undefined;
  const obstacle = file && obstacleIn(file);
  if (obstacle !== undefined) {
    log('error', `${obstacle} Nothing was written.`);
    return FAILED;
  }
  const merged = mergeServers(file?.text, servers);
  const isNew = (name: string): boolean =>
    merged.outcomes.some((outcome) => outcome.name === name && outcome.kind === 'added');
  const addsSome = servers.some(({ name }) => isNew(name));
  // Where everything is there already, an earlier run has said all that.
  const told = remarks.filter(({ kind, server }) => (kind === 'left' ? addsSome : isNew(server)));
  for (const { message } of told) log('warning', message);
  tell(to, merged, log);
  if (dryRun) {
    const diff = fileDiff(to, file?.text, merged.text);
    process.stdout.write(process.stdout.isTTY ? forTerminal(diff) : diff);
    return 0;
  }
  const problem = await write(to, file, merged.text, servers);
  if (problem !== undefined) {
    log('error', problem);
    return FAILED;
  }
  const count = (kind: string): number =>
    merged.outcomes.filter((outcome) => outcome.kind === kind).length;
  const added = count('added') === 1 ? '1 server' : `${count('added')} servers`;
  const same = count('same') === 1 ? '1 was' : `${count('same')} were`;
  const already = count('same') === 0 ? '' : ` ${same} there already.`;
  const left = addsSome ? 0 : remarks.filter(({ kind }) => kind === 'left').length;
  const others = left === 0 ? '' : ` ${left} cannot be taken over; without --to, import says why.`;
  process.stdout.write(`Added ${added} to ${to}.${already}${others}\n`);
  return count('added') + count('same') > 0 ? 0 : FAILED;
}

/** Why nothing can be added to a file: it is broken, or another program's. */
function obstacleIn({ name, text }: TextFile): string | undefined {
  if (text.trim() === '') return undefined;
  const reading = readForeignFile(text, name);
  if (reading.kind === 'problem') return reading.message;
  const member = ['mcpServers', 'context_servers'].find((key) =>
    reading.file.rootMembers.includes(key),
  );
  return (
    member &&
    `${name} is another program's configuration, as its "${member}" shows. Name one of MCP Rosetta's own, such as .vscode/mcp-rosetta.json; or put the bridge into this one with wrap.`
  );
}

async function write(
  to: string,
  file: TextFile | undefined,
  text: string,
  servers: readonly TakenServer[],
): Promise<string | undefined> {
  if (file !== undefined) return file.text === text ? undefined : replaceText(file, text);
  return createText(to, text, servers.some(holdsSecret) ? 0o600 : 0o644);
}

/** Whether a value stands in the entry that may be for nobody else: anything written out where a variable could be. */
function holdsSecret({ entry }: TakenServer): boolean {
  const members = [entry['env'], entry['headers'], entry['oauth']] as (Members | undefined)[];
  const values = members.flatMap((each) => Object.values(each ?? {}));
  const isWritten = (value: unknown): boolean =>
    typeof value === 'string' && !/^[^$]*\$\{[^}]*\}$/.test(value);
  const { url } = entry;
  return values.some(isWritten) || (typeof url === 'string' && url.includes('?'));
}

function tell(to: string, { outcomes }: Merged, log: Log): void {
  for (const outcome of outcomes) {
    if (outcome.kind !== 'conflict') continue;
    log('warning', `${quote(outcome.name)} is left out of ${to}: ${outcome.reason}.`);
  }
}

async function listFiles(folder: string, log: Log): Promise<number> {
  let found = 0;
  for (const { program, path } of knownFiles(folder)) {
    const reading = await readTextFile(path);
    if (reading.kind === 'missing') continue;
    const parsed =
      reading.kind === 'file' ? readForeignFile(reading.file.text, path) : { ...reading };
    if (parsed.kind !== 'file') {
      log('warning', parsed.message);
      continue;
    }
    const entries = entriesFor(parsed.file, folder, path, log);
    const names = [...new Set(entries.map(({ name }) => quote(name)))];
    if (names.length === 0) continue;
    found += 1;
    process.stdout.write(`${program}  ${visible(path)}\n    ${names.join(', ')}\n`);
  }
  process.stdout.write(
    found === 0
      ? `Nothing was found of ${Object.values(PROGRAM_TITLES).join(', ')}.\n`
      : '\nImport with: mcp-rosetta import PROGRAM (or a FILE) --to .vscode/mcp-rosetta.json\n',
  );
  return 0;
}
