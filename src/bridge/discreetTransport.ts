import type { Redact } from '../config/redactor.ts';
import type { ClientTransport, TransportFailure } from '../transports/transport.ts';
import { transportProxy } from './transportProxy.ts';

/** A failure without the secrets of the server. */
export function withoutSecrets(failure: TransportFailure, redact: Redact): TransportFailure {
  return { ...failure, message: redact(failure.message) };
}

/**
 * A transport that tells of failures without the secrets of its server: the reason is often in the server's own words,
 * such as its last line on stderr, and it is told to the client.
 */
export function discreet(transport: ClientTransport, redact: Redact): ClientTransport {
  return transportProxy(transport, { toTell: (failure) => withoutSecrets(failure, redact) });
}
