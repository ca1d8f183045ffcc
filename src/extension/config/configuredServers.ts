import { consentHash } from '../../config/consent.ts';
import type { TextRange } from '../../config/configProblem.ts';
import type { InputDefinition } from '../../config/schema.ts';
import type { ServerEntry } from '../../config/serverEntry.ts';
import type { ConfigSource } from './configSource.ts';
import type { LoadedConfig } from './readConfig.ts';

/** A valid server and the file it comes from. */
export interface ConfiguredEntry {
  readonly name: string;
  readonly source: ConfigSource;
  readonly entry: ServerEntry;
  readonly nameRange: TextRange;
  /** The questions its file defines. */
  readonly inputs: readonly InputDefinition[];
  /** What `${workspaceFolder}` stands for in it. */
  readonly workspaceFolder: string | undefined;
  /** The fingerprint of what the user agrees to. */
  readonly hash: string;
  /** One text for all entries that run alike: a change of anything else starts nothing anew. */
  readonly identity: string;
}

/** A server whose entry is wrong, and therefore only a node in the tree. */
export interface FaultyEntry {
  readonly name: string;
  readonly source: ConfigSource;
  readonly range: TextRange;
  readonly message: string;
}

/** What all configuration files together say. */
export interface ConfiguredServers {
  readonly entries: readonly ConfiguredEntry[];
  readonly faulty: readonly FaultyEntry[];
  /** Servers that are not used, because a file that counts more has one of the same name. */
  readonly shadowed: readonly { readonly entry: ConfiguredEntry; readonly by: ConfigSource }[];
}

/** Joins the files: of two servers with the same name the one of the earlier file counts. */
export function configuredServers(
  files: readonly LoadedConfig[],
  firstFolder: string | undefined,
): ConfiguredServers {
  const entries = new Map<string, ConfiguredEntry>();
  const faulty = new Map<string, FaultyEntry>();
  const shadowed: { entry: ConfiguredEntry; by: ConfigSource }[] = [];
  for (const file of files) {
    const { source } = file;
    for (const { server, message, offset, length } of file.problems) {
      if (server === undefined || entries.has(server) || faulty.has(server)) continue;
      faulty.set(server, { name: server, source, range: { offset, length }, message });
    }
    for (const { name, entry, nameRange } of file.servers) {
      const configured = configure(file, name, entry, nameRange, firstFolder);
      const by = entries.get(name)?.source ?? faulty.get(name)?.source;
      if (by !== undefined && by !== source) shadowed.push({ entry: configured, by });
      else if (!faulty.has(name)) entries.set(name, configured);
    }
  }
  return { entries: [...entries.values()], faulty: [...faulty.values()], shadowed };
}

function configure(
  { source, inputs }: LoadedConfig,
  name: string,
  entry: ServerEntry,
  nameRange: TextRange,
  firstFolder: string | undefined,
): ConfiguredEntry {
  const workspaceFolder =
    source.kind === 'workspace' ? source.folder : userFolder(entry, firstFolder);
  const hash = consentHash(entry, workspaceFolder);
  const { revision, reader, timeouts, disabled } = entry;
  const identity = JSON.stringify([hash, revision, reader, timeouts, disabled, inputs]);
  return { name, source, entry, nameRange, inputs, workspaceFolder, hash, identity };
}

/**
 * A user's server belongs to no folder, so that one consent holds in all of them; unless it names the folder, and is
 * therefore another one in each.
 */
function userFolder(entry: ServerEntry, firstFolder: string | undefined): string | undefined {
  return JSON.stringify(entry).includes('${workspaceFolder}') ? firstFolder : undefined;
}
