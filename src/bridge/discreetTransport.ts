import type { Redact } from '../config/redactor.ts';
import type { ClientTransport, TransportFailure } from '../transports/transport.ts';

/** A failure without the secrets of the server. */
export function withoutSecrets(failure: TransportFailure, redact: Redact): TransportFailure {
  return { ...failure, message: redact(failure.message) };
}

/**
 * A transport that tells of failures without the secrets of its server: the reason is often in the server's own words,
 * such as its last line on stderr, and it is told to the client.
 */
export function discreet(transport: ClientTransport, redact: Redact): ClientTransport {
  const told = (failure: TransportFailure): TransportFailure => withoutSecrets(failure, redact);
  return {
    kind: transport.kind,
    get cancelsByClosing() {
      return transport.cancelsByClosing;
    },
    start: (listener) =>
      transport.start({
        onFrame: (frame, stream, status) => listener.onFrame(frame, stream, status),
        onRequestFailed: (id, failure) => listener.onRequestFailed(id, told(failure)),
        onNoise: (noise) => listener.onNoise(noise),
        onOversized: (head) => listener.onOversized(head),
        onClose: (failure) => listener.onClose(told(failure)),
      }),
    send: (frame, options) => transport.send(frame, options),
    negotiated: (revision) => transport.negotiated(revision),
    abandon: (id) => transport.abandon(id),
    close: () => transport.close(),
  };
}
