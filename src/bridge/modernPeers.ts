import { canonical } from '../protocol/canonical.ts';
import type { NotifyFrame } from '../protocol/frame.ts';
import type { ParamHeader } from '../protocol/headerValue.ts';
import { profileOf } from '../protocol/profile.ts';
import { readRequestMeta, type RequestMeta } from '../protocol/requestMeta.ts';
import type { Revision } from '../protocol/revision.ts';
import type { ToolFacts } from '../translate/toolList/types.ts';
import type { ClientIdentity } from './client.ts';
import { HELD_LIMITS, type HeldLimits } from './heldCall.ts';
import type { ModernClientRoute } from './modernClientRoute.ts';
import { ModernPeer, type ModernPeerHost } from './modernPeer.ts';
import type { ModernServer } from './modernServer.ts';
import { ModernToLegacy } from './modernToLegacy.ts';
import { ModernToModern } from './modernToModern.ts';
import type { Opened } from './openAttempt.ts';
import { StateSeal } from './stateSeal.ts';

type OpenServer = Extract<Opened, { kind: 'open' }>;

/** How long what belongs to modern clients lasts, in milliseconds. */
export interface ModernLimits extends HeldLimits {
  /** How long a client may be silent before what the bridge holds for it is given up. */
  readonly idleMs: number;
}

/** More distinct clients than work with one server at a time. */
const MAX_PEERS = 32;

const LIMITS: ModernLimits = { ...HELD_LIMITS, idleMs: 5 * 60_000 };

/**
 * The distinct clients of the modern era. No request of that era belongs to a session, so that who sent it is told by
 * what it says of its client: two programs that say the same of themselves are one client here.
 */
export class ModernPeers {
  readonly #host: ModernPeerHost;
  readonly #limits: ModernLimits;
  readonly #seal: StateSeal;
  readonly #peers = new Map<string, ModernPeer>();
  readonly #paramHeaders = new Map<string, readonly ParamHeader[]>();
  #count = 0;

  constructor(host: ModernPeerHost, limits: Partial<ModernLimits> = {}) {
    this.#host = host;
    this.#limits = { ...LIMITS, ...limits };
    this.#seal = new StateSeal(this.#limits.lifeMs);
  }

  get size(): number {
    return this.#peers.size;
  }

  /**
   * Who a notification comes from that no channel tells, as each POST is a channel of its own: the client it names, else
   * the only one there is. A modern server is not told who, so that any client's way to it will do.
   */
  sender({ params }: NotifyFrame): ModernPeer | undefined {
    const reading = readRequestMeta(params);
    const named =
      reading.kind === 'meta'
        ? this.#peers.get(keyOf(reading.meta, reading.meta.version))
        : undefined;
    if (named?.isConnected === true) return named;
    const connected = [...this.#peers.values()].filter(({ isConnected }) => isConnected);
    const [first, ...others] = connected;
    return others.length === 0 || first?.sharesServer === true ? first : undefined;
  }

  /** The client that a request comes from. */
  of(meta: RequestMeta, revision: Revision): ModernPeer {
    const { clientInfo, clientCapabilities } = meta;
    const key = keyOf(meta, revision);
    const known = this.#peers.get(key);
    if (known !== undefined) {
      // The map is in order of use.
      this.#peers.delete(key);
      this.#peers.set(key, known);
      return known;
    }
    this.#makeRoom();
    const peer = new ModernPeer(
      `${this.#host.name}-modern-${++this.#count}`,
      {
        profile: profileOf(revision, this.#host.reader),
        info: clientInfo,
        capabilities: clientCapabilities,
      },
      this.#host,
      this.#limits.idleMs,
      () => this.#peers.delete(key),
    );
    this.#peers.set(key, peer);
    return peer;
  }

  /** The way from a client to a server that was opened for it. */
  route(
    client: ClientIdentity,
    { connection, server }: OpenServer,
    modern: ModernServer,
  ): ModernClientRoute {
    if (server.era === 'modern' && modern.current !== undefined) {
      return new ModernToModern(modern.current, modern, client);
    }
    return new ModernToLegacy({
      connection,
      server,
      client,
      policy: () => this.#host.policy,
      seal: this.#seal,
      limits: this.#limits,
      onTools: (tools) => this.#learnTools(tools),
      onLost: (message) => this.#host.warn('undeliverable', message),
    });
  }

  paramHeadersOf(tool: string): readonly ParamHeader[] {
    return this.#paramHeaders.get(tool) ?? [];
  }

  policyChanged(): void {
    for (const peer of this.#peers.values()) peer.policyChanged();
  }

  closeAll(): void {
    for (const peer of [...this.#peers.values()]) peer.close();
  }

  /** A client that says something else of itself with each request must not start a server for each. */
  #makeRoom(): void {
    if (this.#peers.size < MAX_PEERS) return;
    for (const peer of this.#peers.values()) {
      if (!peer.isIdle) continue;
      peer.close();
      return;
    }
  }

  /** Learns which arguments of the tools travel in headers too, whether or not the server wants to know. */
  #learnTools(tools: readonly ToolFacts[]): void {
    for (const { name, paramHeaders } of tools) this.#paramHeaders.set(name, paramHeaders);
  }
}

function keyOf({ clientInfo, clientCapabilities }: RequestMeta, revision: string): string {
  const info = clientInfo === undefined ? '' : canonical(clientInfo);
  return `${revision} ${canonical(clientCapabilities)} ${info}`;
}
