import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { visible } from '../base/visibleText.ts';
import type { Members } from '../config/editors/converter.ts';
import { readForeignFile, type ForeignEntry } from '../config/editors/foreignFile.ts';
import { mergeServers, type Merged } from '../config/editors/mergeServers.ts';
import { isProgram, PROGRAM_TITLES } from '../config/editors/program.ts';
import { inputsOf, takeOver, type TakenServer } from '../config/editors/takeOver.ts';
import { parseConfig } from '../config/parseConfig.ts';
import { quote } from '../config/quote.ts';
import type { CliCommand } from './command.ts';
import { editorFiles, projectOf, type EditorFile } from './editorFiles.ts';
import { fileDiff } from './fileDiff.ts';
import { forTerminal } from './forTerminal.ts';
import type { Log } from './log.ts';
import { createText, readTextFile, replaceText, type TextFile } from './textFile.ts';

const FAILED = 1;

type ImportCommand = Extract<CliCommand, { kind: 'import' }>;
type Source = Pick<EditorFile, 'path' | 'project'>;

/** Makes a configuration of what other programs have, or lists it where no source is named; gives the exit code. */
export async function runImport(command: ImportCommand, log: Log): Promise<number> {
  const machine = {
    platform: process.platform,
    home: homedir(),
    env: process.env,
    folder: process.cwd(),
  };
  const known = editorFiles(machine);
  if (command.sources.length === 0) return listFiles(known, machine.folder, log);
  const sources = command.sources.flatMap((source): readonly Source[] => {
    if (isProgram(source)) return known.filter(({ program }) => program === source);
    const path = resolve(source);
    return [{ path, project: projectOf(path, machine.home) }];
  });
  const collected = await collect(command, sources, machine.folder, log);
  if (collected === undefined) return FAILED;
  if (collected.length === 0) {
    log('error', 'There is no server to import.');
    return FAILED;
  }
  return command.to === undefined
    ? print(collected, log)
    : mergeInto(command.to, collected, command.dryRun, log);
}

/** The servers of the sources that can be taken over; what cannot is named. Undefined where a source cannot be read. */
async function collect(
  { sources: named, to }: ImportCommand,
  sources: readonly Source[],
  folder: string,
  log: Log,
): Promise<readonly TakenServer[] | undefined> {
  const target = to === undefined ? folder : folderOf(to);
  const servers: TakenServer[] = [];
  let found = 0;
  for (const { path, project } of sources) {
    const reading = await readTextFile(path);
    // Of a program, any of its files will do; a file that was named must be there.
    if (reading.kind === 'missing' && !named.some((name) => resolve(name) === path)) continue;
    if (reading.kind !== 'file') {
      log('error', reading.message);
      return undefined;
    }
    const parsed = readForeignFile(reading.file.text, path);
    if (parsed.kind === 'problem') {
      log('error', parsed.message);
      return undefined;
    }
    found += 1;
    const { program, inputs, rootMembers } = parsed.file;
    if (rootMembers.includes('sandbox')) {
      log('warning', `${path}: "sandbox" is left out; the bridge starts servers without one.`);
    }
    for (const entry of ranked(parsed.file.entries, folder, path, log)) {
      const context = { program, project: entry.project ?? project, target, env: process.env };
      const taken = takeOver(entry, inputsOf(inputs), context);
      const say = (what: string): void => {
        log('warning', `${path}: ${quote(entry.name)} ${visible(what)}.`);
      };
      if (taken.kind === 'left') say(`is left out: ${taken.reason}`);
      else if (servers.some(({ name }) => name === entry.name))
        say('is left out: there was one of this name before');
      else {
        servers.push(taken.server);
        for (const note of taken.notes) say(`is taken over, but ${note}`);
      }
    }
  }
  if (found > 0) return servers;
  log('error', `${named.map(titleOf).join(', ')}: no configuration was found.`);
  return undefined;
}

function titleOf(source: string): string {
  return isProgram(source) ? PROGRAM_TITLES[source] : source;
}

/** The servers that count in a folder: its own before those of all, and of one name the last. */
function ranked(
  entries: readonly ForeignEntry[],
  folder: string,
  path: string,
  log: Log,
): readonly ForeignEntry[] {
  const others = new Set(entries.map(({ project }) => project ?? folder));
  others.delete(folder);
  if (others.size > 0) {
    const projects = others.size === 1 ? '1 other folder' : `${others.size} other folders`;
    log('warning', `${path}: the servers of ${projects} are left out; run this there to get them.`);
  }
  const own = entries.filter(({ project }) => project === folder);
  const common = entries.filter(({ project }) => project === undefined);
  return [own, common].flatMap((group) =>
    group.filter((entry, i) => group.findLastIndex(({ name }) => name === entry.name) === i),
  );
}

/** The folder that a configuration file belongs to. */
function folderOf(file: string): string {
  const folder = dirname(resolve(file));
  return basename(folder) === '.vscode' ? dirname(folder) : folder;
}

function print(servers: readonly TakenServer[], log: Log): number {
  const merged = mergeServers(undefined, servers);
  tell('the output', merged, log);
  process.stdout.write(process.stdout.isTTY ? forTerminal(merged.text) : merged.text);
  return 0;
}

async function mergeInto(
  to: string,
  servers: readonly TakenServer[],
  dryRun: boolean,
  log: Log,
): Promise<number> {
  const reading = await readTextFile(to);
  if (reading.kind === 'failed') {
    log('error', reading.message);
    return FAILED;
  }
  const file = reading.kind === 'file' ? reading.file : undefined;
  const broken = file && !parseConfig(file.text).isComplete && file.text.trim() !== '';
  if (broken) {
    log('error', `${to} has mistakes in its syntax; mend it first. Nothing was written.`);
    return FAILED;
  }
  const merged = mergeServers(file?.text, servers);
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
  process.stdout.write(`Added ${added} to ${to}.${already}\n`);
  return count('added') + count('same') > 0 ? 0 : FAILED;
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
  return values.some((value) => typeof value === 'string' && !/^[^$]*\$\{[^}]*\}$/.test(value));
}

function tell(to: string, { outcomes }: Merged, log: Log): void {
  for (const outcome of outcomes) {
    if (outcome.kind !== 'conflict') continue;
    log('warning', `${quote(outcome.name)} is left out of ${to}: ${outcome.reason}.`);
  }
}

async function listFiles(files: readonly EditorFile[], folder: string, log: Log): Promise<number> {
  let found = 0;
  for (const { program, path } of files) {
    const reading = await readTextFile(path);
    if (reading.kind === 'missing') continue;
    const parsed =
      reading.kind === 'file' ? readForeignFile(reading.file.text, path) : { ...reading };
    if (parsed.kind !== 'file') {
      log('warning', parsed.message);
      continue;
    }
    const entries = ranked(parsed.file.entries, folder, path, log);
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
