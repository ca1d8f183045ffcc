import { parseConfig } from '../../../src/config/parseConfig.ts';
import type { ServerEntry } from '../../../src/config/serverEntry.ts';

/** The entry that these members of the file make; fails where they make none. */
export function entryOf(members: Record<string, unknown>): ServerEntry {
  const inputs = ['a', 'b', 'c', 'd', 'e', 'key'].map((id) => ({ id, type: 'promptString' }));
  const file = parseConfig(JSON.stringify({ servers: { x: members }, inputs }));
  const [server] = file.servers;
  if (server === undefined) throw new Error(JSON.stringify(file.problems));
  return server.entry;
}
