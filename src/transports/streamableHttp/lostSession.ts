import type { TransportFailure } from '../transport.ts';

/** What servers say of a session that they do not know beside the status that says so. */
const UNKNOWN_SESSION =
  /no (valid|such) session|(invalid|unknown|expired) session|session not found|server not initialized/i;

/**
 * A server that has forgotten a session answers with 404 (2025-11-25, Transports, Session Management); many that were
 * started again answer with 400 and words.
 */
export function isSessionLost({ status, message }: TransportFailure): boolean {
  return status === 404 || (status === 400 && UNKNOWN_SESSION.test(message));
}

/**
 * The same of what is left of a stream: many servers answer with 404, too, where they know no GET, or no such event id.
 */
export function isStreamLost({ status, message }: TransportFailure): boolean {
  return (status === 404 || status === 400) && UNKNOWN_SESSION.test(message);
}
