import type { ClientTransport } from '../transports/transport.ts';
import type { Other } from './openAttempt.ts';

/** The statuses of a POST that say something of the client or of the moment, not of what the address serves. */
const TELLS_NOTHING: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/** The transports that no revision of the modern era has. */
export const LEGACY_ONLY: ReadonlySet<ClientTransport['kind']> = new Set(['sse']);

/**
 * True where a server refused the handshake in a way in which one of HTTP+SSE would, so that its stream may be asked
 * for (2025-11-25, Transports, Backwards Compatibility; servers use more statuses than the three that are named there).
 * An error of the modern era shows that the address speaks Streamable HTTP (2026-07-28, Streamable HTTP, HTTP+SSE
 * Transport).
 */
export function mayBeOlder(refused: Other | undefined): boolean {
  const { status = 0, isModern = false } = refused ?? {};
  return !isModern && status >= 400 && status < 500 && !TELLS_NOTHING.has(status);
}
