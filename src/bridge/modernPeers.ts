import { canonical } from '../protocol/canonical.ts';
import type { ParamHeader } from '../protocol/headerValue.ts';
import { profileOf } from '../protocol/profile.ts';
import type { RequestMeta } from '../protocol/requestMeta.ts';
import type { Revision } from '../protocol/revision.ts';
import type { ToolFacts } from '../translate/toolList/types.ts';
import { ModernPeer, type ModernPeerHost } from './modernPeer.ts';

/** How long a modern client may be silent before what the bridge holds for it is given up. */
export const PEER_IDLE_MS = 5 * 60_000;

/**
 * The distinct clients of the modern era. No request of that era belongs to a session, so that who sent it is told by
 * what it says of its client: two programs that say the same of themselves are one client here.
 */
export class ModernPeers {
  readonly #host: ModernPeerHost;
  readonly #idleMs: number;
  readonly #peers = new Map<string, ModernPeer>();
  readonly #paramHeaders = new Map<string, readonly ParamHeader[]>();
  #count = 0;

  constructor(host: ModernPeerHost, idleMs: number = PEER_IDLE_MS) {
    this.#host = host;
    this.#idleMs = idleMs;
  }

  get size(): number {
    return this.#peers.size;
  }

  /** The client that a request comes from. */
  of(meta: RequestMeta, revision: Revision): ModernPeer {
    const { clientInfo, clientCapabilities } = meta;
    const info = clientInfo === undefined ? '' : canonical(clientInfo);
    const key = `${revision} ${canonical(clientCapabilities)} ${info}`;
    const known = this.#peers.get(key);
    if (known !== undefined) return known;
    const peer = new ModernPeer(
      `${this.#host.name}-modern-${++this.#count}`,
      {
        profile: profileOf(revision, this.#host.reader),
        info: clientInfo,
        capabilities: clientCapabilities,
      },
      this.#host,
      this.#idleMs,
      () => this.#peers.delete(key),
    );
    this.#peers.set(key, peer);
    return peer;
  }

  /** Learns which arguments of the tools travel in headers too, whether or not the server wants to know. */
  learnTools(tools: readonly ToolFacts[]): void {
    for (const { name, paramHeaders } of tools) this.#paramHeaders.set(name, paramHeaders);
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
}
