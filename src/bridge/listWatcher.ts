import { createHash } from 'node:crypto';
import { canonical } from '../protocol/canonical.ts';
import { Method } from '../protocol/methods.ts';
import type { RawJson } from '../protocol/rawJson.ts';

/** The list whose change each notification announces. Resources have two lists, so their change is not looked into. */
const LIST_OF: ReadonlyMap<string, string | undefined> = new Map([
  [Method.toolsChanged, Method.toolsList],
  [Method.promptsChanged, Method.promptsList],
  [Method.resourcesChanged, undefined],
]);

export function isListChange(method: string): boolean {
  return LIST_OF.has(method);
}

export interface ListWatcherOptions {
  /** Fetches a whole list; undefined where the server did not give it. */
  readonly fetch: (method: string) => Promise<readonly RawJson[] | undefined>;
  readonly announce: (notification: string) => void;
  readonly onLoop: (method: string) => void;
}

/** Long enough to take a burst of announcements for one. */
const QUIET_MS = 100;
const LONGEST_QUIET_MS = 60_000;
/** So many announcements of nothing in a row are a loop. */
const LOOP = 3;

interface Watched {
  timer?: NodeJS.Timeout | undefined;
  quietMs: number;
  idle: number;
}

/**
 * Stands between a server's list_changed notifications and one client: a burst becomes one, and a list that is what the
 * client already holds is not announced at all, so that neither side can drive the other in circles.
 */
export class ListWatcher {
  readonly #options: ListWatcherOptions;
  readonly #held = new Map<string, string>();
  readonly #watched = new Map<string, Watched>();
  #closed = false;

  constructor(options: ListWatcherOptions) {
    this.#options = options;
  }

  /** The client was given this whole list. */
  hold(method: string, entries: readonly RawJson[]): void {
    this.#held.set(method, fingerprint(entries));
  }

  /** The server says, or it is to be feared, that a list changed. */
  changed(notification: string): void {
    const watched = this.#watched.get(notification) ?? { quietMs: QUIET_MS, idle: 0 };
    this.#watched.set(notification, watched);
    if (watched.timer !== undefined || this.#closed) return;
    watched.timer = setTimeout(() => void this.#look(notification, watched), watched.quietMs);
    watched.timer.unref();
  }

  /** Changes may have been missed: looks at the lists that the client holds. */
  missed(): void {
    for (const [notification, list] of LIST_OF) {
      if (list !== undefined && this.#held.has(list)) this.changed(notification);
    }
  }

  close(): void {
    this.#closed = true;
    for (const { timer } of this.#watched.values()) clearTimeout(timer);
  }

  async #look(notification: string, watched: Watched): Promise<void> {
    // From here on another change is news again.
    watched.timer = undefined;
    const list = LIST_OF.get(notification);
    const held = list === undefined ? undefined : this.#held.get(list);
    if (list !== undefined && held !== undefined) {
      const entries = await this.#options.fetch(list);
      if (this.#closed) return;
      const print = entries === undefined ? undefined : fingerprint(entries);
      if (print === held) {
        watched.idle++;
        watched.quietMs = Math.min(watched.quietMs * 2, LONGEST_QUIET_MS);
        if (watched.idle === LOOP) this.#options.onLoop(list);
        return;
      }
      if (print !== undefined) this.#held.set(list, print);
    }
    watched.idle = 0;
    watched.quietMs = QUIET_MS;
    this.#options.announce(notification);
  }
}

function fingerprint(entries: readonly RawJson[]): string {
  const hash = createHash('sha256');
  for (const entry of entries.map(canonical).sort()) hash.update(entry).update('\n');
  return hash.digest('base64');
}
