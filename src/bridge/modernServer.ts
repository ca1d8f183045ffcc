import type { ClientTransport } from '../transports/transport.ts';
import type { ClientIdentity } from './client.ts';
import type { Caller, ModernUpstream } from './modernUpstream.ts';

/** What came of opening it. */
export type OpenedUpstream = { readonly upstream: ModernUpstream } | { readonly failure: string };

/** The one connection to a modern server, which may have to be opened anew. */
export interface ModernServer {
  readonly current: ModernUpstream | undefined;
  readonly transport: ClientTransport['kind'];
  open(client: ClientIdentity): Promise<OpenedUpstream>;
  /** Negotiates anew, on the same connection, with a server that no longer takes the revision agreed on. */
  renegotiate(upstream: ModernUpstream, client: ClientIdentity): Promise<void>;
  /** Lists the tools once more, so that the arguments that travel in headers are known. */
  relearn(upstream: ModernUpstream, caller: Caller): Promise<void>;
}
