import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { visible } from '../base/visibleText.ts';
import {
  readForeignFile,
  type ForeignEntry,
  type ForeignFile,
} from '../config/editors/foreignFile.ts';
import { isProgram, PROGRAM_TITLES } from '../config/editors/program.ts';
import { inputsOf, takeOver, type TakenServer } from '../config/editors/takeOver.ts';
import { quote } from '../config/quote.ts';
import { editorFiles, projectOf, type EditorFile } from './editorFiles.ts';
import type { Log } from './log.ts';
import { readTextFile } from './textFile.ts';

/** A file with servers, and the folder that they are for; undefined for all folders. */
type Place = Pick<EditorFile, 'path' | 'project'>;

/** A file that was read. */
interface Source extends Place {
  readonly file: ForeignFile;
}

/** The files of all programs on this machine, and those of a folder. */
export function knownFiles(folder: string): EditorFile[] {
  const { platform, env } = process;
  return editorFiles({ platform, home: homedir(), env, folder });
}

/** What there is to say of one server. `left`: it cannot be taken over; `note`: it is, and not as it was. */
export interface Remark {
  readonly kind: 'left' | 'note';
  readonly server: string;
  readonly message: string;
}

/** What was found in the sources. */
export interface Found {
  readonly servers: readonly TakenServer[];
  readonly remarks: readonly Remark[];
}

/**
 * The servers of programs and files that can be taken over for a folder, with what cannot and what of it is lost.
 * Undefined where a source cannot be read, which is logged.
 */
export async function importServers(
  sources: readonly string[],
  folder: string,
  target: string,
  log: Log,
): Promise<Found | undefined> {
  const servers: TakenServer[] = [];
  const remarks: Remark[] = [];
  for (const source of sources) {
    const read = await readSource(source, folder, log);
    if (read === undefined) return undefined;
    for (const { entry, path, project, file } of candidates(read, folder, log)) {
      const say = (kind: Remark['kind'], what: string): void => {
        const message = `${path}: ${quote(entry.name)} ${visible(what)}.`;
        remarks.push({ kind, server: entry.name, message });
      };
      const context = { program: file.program, project, target, env: process.env };
      const taken = takeOver(entry, inputsOf(file.inputs), context);
      if (taken.kind === 'left') say('left', `is left out: ${taken.reason}`);
      else if (servers.some(({ name }) => name === entry.name))
        say('left', 'is left out: there was one of this name before');
      else {
        servers.push(taken.server);
        for (const note of taken.notes) say('note', `is taken over, but ${note}`);
      }
    }
  }
  return { servers, remarks };
}

async function readSource(
  source: string,
  folder: string,
  log: Log,
): Promise<readonly Source[] | undefined> {
  const path = resolve(source);
  const places: readonly Place[] = isProgram(source)
    ? knownFiles(folder).filter(({ program }) => program === source)
    : [{ path, project: projectOf(path, homedir()) }];
  const read: Source[] = [];
  for (const place of places) {
    const reading = await readTextFile(place.path);
    // Of a program any of its files will do; a file that was named must be there.
    if (reading.kind === 'missing' && isProgram(source)) continue;
    if (reading.kind !== 'file') {
      log('error', reading.message);
      return undefined;
    }
    const parsed = readForeignFile(reading.file.text, place.path);
    if (parsed.kind === 'problem') {
      log('error', parsed.message);
      return undefined;
    }
    read.push({ ...place, file: parsed.file });
  }
  if (read.length > 0) return read;
  const title = isProgram(source) ? PROGRAM_TITLES[source] : source;
  log('error', `${title}: no configuration was found.`);
  return undefined;
}

interface Candidate extends Source {
  readonly entry: ForeignEntry;
}

/** The servers that count in a folder, in the order in which a program ranks them. */
function candidates(sources: readonly Source[], folder: string, log: Log): readonly Candidate[] {
  const all = sources.flatMap(({ path, project, file }) => {
    if (file.rootMembers.includes('sandbox')) {
      log('warning', `${path}: "sandbox" is left out; the bridge starts servers without one.`);
    }
    return entriesFor(file, folder, path, log).map((entry): Candidate => {
      return { entry, path, project: entry.project ?? project, file };
    });
  });
  // What a user has for one folder, what the folder has for everybody, what the user has for all.
  const rank = ({ entry, project }: Candidate): number =>
    entry.project !== undefined ? 0 : project !== undefined ? 1 : 2;
  return all.toSorted((a, b) => rank(a) - rank(b));
}

/** The servers of a file that count in a folder: of one name and one rank the last. */
export function entriesFor(
  { entries }: ForeignFile,
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
