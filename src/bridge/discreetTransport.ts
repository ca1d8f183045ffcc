import type { Redact } from '../config/redactor.ts';
import type { ClientTransport, TransportFailure } from '../transports/transport.ts';

/**
 * A transport that tells of failures without the secrets of its server: the reason is often in the server's own words,
 * such as its last line on stderr, and it is told to the client.
 */
export function discreet(transport: ClientTransport, redact: Redact): ClientTransport {
  const told = (failure: TransportFailure): TransportFailure => ({
    ...failure,
    message: redact(failure.message),
  });
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
