import { Emitter } from '../../base/emitter.ts';
import type { ModernService } from '../../transports/streamableHttp/modernEndpoint.ts';
import type { AcceptChannel } from '../../transports/transport.ts';
import type { ConfiguredServers } from '../config/configuredServers.ts';
import { ManagedServer } from './managedServer.ts';
import { refusingEndpoint } from './refusingEndpoint.ts';
import type { Surroundings } from './surroundings.ts';

/** Views need not hear of every line a server writes. */
const SETTLE_MS = 50;

/** All servers of the configuration files, each running or ready to run as its entry says. */
export class ServerRegistry {
  readonly #around: Surroundings;
  readonly #changed = new Emitter<void>();
  readonly #servers = new Map<string, ManagedServer>();
  readonly #ending = new Set<Promise<void>>();
  #configured: ConfiguredServers = { entries: [], faulty: [], shadowed: [] };
  #timer: NodeJS.Timeout | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Something that views show has changed; a burst of changes is told once. */
  readonly onDidChange = this.#changed.event;

  get configured(): ConfiguredServers {
    return this.#configured;
  }

  get servers(): readonly ManagedServer[] {
    return [...this.#servers.values()];
  }

  find(name: string): ManagedServer | undefined {
    return this.#servers.get(name);
  }

  /** Who serves the legacy clients of a path of the listener. */
  readonly endpoint = (path: string): AcceptChannel | undefined => {
    const name = nameAt(path);
    return name === undefined ? undefined : (this.find(name)?.accept ?? goneEndpoint(name));
  };

  /** Who serves the modern clients of the same path. */
  readonly modernEndpoint = (path: string): ModernService | undefined => {
    const name = nameAt(path);
    if (name === undefined) return undefined;
    return this.find(name)?.modern ?? { accept: goneEndpoint(name), paramHeaders: () => [] };
  };

  /** Follows the files: a server whose entry is gone or is another one ends; one that is the same goes on. */
  configure(configured: ConfiguredServers): void {
    this.#configured = configured;
    const before = new Map(this.#servers);
    this.#servers.clear();
    for (const entry of configured.entries) {
      const known = before.get(entry.name);
      if (known?.configured.identity === entry.identity) {
        known.update(entry);
        this.#servers.set(entry.name, known);
        before.delete(entry.name);
      } else {
        const server = new ManagedServer(entry, this.#around);
        server.onDidChange(() => this.changed());
        this.#servers.set(entry.name, server);
      }
    }
    for (const server of before.values()) this.#end(server);
    this.changed();
  }

  policyChanged(): void {
    for (const server of this.#servers.values()) server.policyChanged();
    this.changed();
  }

  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, SETTLE_MS);
  }

  /** Ends every server; resolves when their processes are gone. */
  async close(): Promise<void> {
    for (const server of this.#servers.values()) this.#end(server);
    this.#servers.clear();
    clearTimeout(this.#timer);
    await Promise.all(this.#ending);
  }

  #end(server: ManagedServer): void {
    const ending = server.end().catch((error: unknown) => {
      // Whatever goes wrong at the end of one server must not keep the others from ending.
      this.#around.log.error(`[${server.name}] could not be ended: ${String(error)}`);
    });
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }
}

/**
 * The path under which the listener serves a server. It is made of characters that no URL library encodes: the editor
 * decodes a percent sign on the way, and a slash in a name would come out as a path.
 */
export function endpointPath(name: string): string {
  const segment = encodeURIComponent(name).replaceAll('~', '%7E').replaceAll('%', '~');
  return `/${segment}/mcp`;
}

function goneEndpoint(name: string): ReturnType<typeof refusingEndpoint> {
  return refusingEndpoint(() => `There is no server "${name}" any more.`);
}

function nameAt(path: string): string | undefined {
  const segment = /^\/([^/]+)\/mcp$/.exec(path)?.[1];
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment.replaceAll('~', '%'));
  } catch {
    // Not a path that this extension has written.
    return undefined;
  }
}
