import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { withLock } from '../../base/lock.ts';
import { replaceFile } from '../../base/replaceFile.ts';
import { readGrants, type Grant } from '../../transports/authorization/grant.ts';
import type { GrantStore } from '../../transports/authorization/signIn.ts';

/** How long a window may take to hear of what another one has stored. */
const LAG_MS = 1_000;
const LOOK_MS = 25;

/** What nothing that is kept is stamped with. */
const NOTHING = 'nothing';

interface Kept {
  readonly stamp: string;
  readonly grants: readonly Grant[];
}

/**
 * Keeps what servers' authorization servers granted in the editor's secret storage. `folder` is the same for all windows:
 * there stand the locks that make them work one after the other, and for each server a mark of what was stored last. A
 * window hears a little later of what another one has stored, and old tokens, shown again, would cost the sign-in.
 */
export function createSecretGrants(
  secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>,
  folder: string,
): GrantStore {
  const look = async (server: string, key: string): Promise<Kept> => {
    // A storage that cannot be read, since the system's is locked for one, holds nothing.
    const text = await secrets.get(key).then(undefined, () => undefined);
    return keptFrom(text, server);
  };
  return {
    read: async (server) => {
      const key = keyOf(server);
      const stamp = await readStamp(folder, key);
      const deadline = Date.now() + LAG_MS;
      let kept = await look(server, key);
      while (stamp !== undefined && kept.stamp !== stamp && Date.now() < deadline) {
        await sleep(LOOK_MS);
        kept = await look(server, key);
      }
      // A secret storage can serve several machines, of which another one has stored it.
      if (stamp !== undefined && kept.stamp !== stamp) await writeStamp(folder, key, kept.stamp);
      return kept.grants;
    },
    write: async (server, grants) => {
      const key = keyOf(server);
      const stamp = grants.length === 0 ? NOTHING : randomUUID();
      if (stamp === NOTHING) await secrets.delete(key);
      else await secrets.store(key, JSON.stringify({ server, stamp, grants }));
      await writeStamp(folder, key, stamp);
    },
    alone: async (server, work, signal) => {
      const canLock = await mkdir(folder, { recursive: true }).then(
        () => true,
        () => false,
      );
      return canLock ? withLock(join(folder, `${keyOf(server)}.lock`), work, signal) : work();
    },
  };
}

/** The name under which what is kept for a server, by its address, stands in the secret storage. */
export function keyOf(server: string): string {
  return `sign-in-${createHash('sha256').update(server).digest('hex')}`;
}

function keptFrom(text: string | undefined, server: string): Kept {
  const nothing = { stamp: NOTHING, grants: [] };
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    const isOurs = typeof value === 'object' && value !== null && 'server' in value;
    if (!isOurs || value.server !== server || !('stamp' in value) || !('grants' in value)) {
      return nothing;
    }
    return { stamp: String(value.stamp), grants: readGrants(value.grants) };
  } catch {
    // Damaged: nothing is kept.
    return nothing;
  }
}

async function readStamp(folder: string, key: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, `${key}.stamp`), 'utf8');
  } catch {
    // Nothing was stored from this machine.
    return undefined;
  }
}

async function writeStamp(folder: string, key: string, stamp: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await replaceFile(join(folder, `${key}.stamp`), stamp, 0o600);
  } catch {
    // Without it windows may be a moment behind each other.
  }
}
