import { createHash } from 'node:crypto';
import type { Reader } from '../../protocol/profile.ts';

/** The names a reader knows tools by: original name to the one it was shown, which may be the same. */
export type ToolAliases = ReadonlyMap<string, string>;

/** What VS Code and the models behind it take; other characters it replaces itself, and then tools collide. */
const LEGAL = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * VS Code puts a prefix of up to 18 characters before a name and cuts the whole at 64 (mcpServer.ts, `McpTool.id`), so
 * that only the first 46 are sure to tell two tools apart.
 */
const TOLD_APART = 46;

const HASH_LENGTH = 8;

const keyOf = (name: string): string => name.slice(0, TOLD_APART);

/**
 * The aliases a reader needs for these tools; a name that it can use has none. They depend on the set of names and on
 * what it was already shown, never on the order: a usable name is kept, an unusable one gets its characters replaced,
 * and a hash of the original where that would be taken, shared or too long.
 */
export function aliasesFor(
  names: readonly string[],
  reader: Reader,
  held: ToolAliases = new Map(),
): ToolAliases {
  const aliases = new Map<string, string>();
  if (reader === 'spec') return aliases;
  const unique = [...new Set(names)];
  const taken = new Set([...held.values()].map(keyOf));
  const open: string[] = [];
  for (const name of unique) {
    const alias = held.get(name);
    if (alias !== undefined) aliases.set(name, alias);
    else open.push(name);
  }

  const wanted = new Map(open.map((name) => [name, wantedName(name)]));
  const kept = new Set(open.filter((name) => LEGAL.test(name)));
  const claims = count([...kept].map(keyOf));
  for (const name of kept) {
    // Of names that differ only behind the cut, a whole one wins; where all are cut, none does.
    const shared = (claims.get(keyOf(name)) ?? 0) > 1 && name.length > TOLD_APART;
    if (shared || taken.has(keyOf(name))) kept.delete(name);
  }
  for (const name of kept) taken.add(keyOf(name));

  const rest = open.filter((name) => !kept.has(name));
  const rivals = count(rest.map((name) => keyOf(wanted.get(name) ?? name)));
  for (const name of rest.sort()) {
    const plain = wanted.get(name) ?? name;
    const free = plain.length <= TOLD_APART && plain !== name && !taken.has(plain);
    const alias = free && rivals.get(plain) === 1 ? plain : hashedName(name, plain, taken);
    taken.add(keyOf(alias));
    aliases.set(name, alias);
  }
  return aliases;
}

/** The way back: alias to original name. */
export function originalsOf(aliases: ToolAliases): ReadonlyMap<string, string> {
  return new Map([...aliases].map(([name, alias]) => [alias, name]));
}

function wantedName(name: string): string {
  return LEGAL.test(name) ? name : name.replace(/[^A-Za-z0-9_-]/gu, '_');
}

function hashedName(name: string, plain: string, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt++) {
    const text = attempt === 0 ? name : `${name} ${attempt}`;
    const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
    const alias = `${plain.slice(0, TOLD_APART - HASH_LENGTH - 1) || 'tool'}_${hash}`;
    if (!taken.has(alias)) return alias;
  }
}

function count(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
