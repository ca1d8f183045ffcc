import type { NotifyFrame } from '../protocol/frame.ts';
import type { ToolFacts } from '../translate/toolList/types.ts';
import type { ClientTransport } from '../transports/transport.ts';
import type { Exchange } from './exchange.ts';
import type { ServerIdentity } from './serverIdentity.ts';

/**
 * The way from one client session to the server: one implementation for each pair of eras, and each is one column of
 * the table of requests.
 */
export interface Route {
  readonly server: ServerIdentity;
  /** How the server is reached; some rules bind over HTTP alone. */
  readonly transport: ClientTransport['kind'];
  request(exchange: Exchange): void;
  notify(frame: NotifyFrame): void;
  /** What the client was just shown of the server's tools. */
  learnTools(tools: readonly ToolFacts[]): void;
  /** The session is over: ends what the route holds open for it. */
  close(): void;
}
