import type { Frame } from '../protocol/frame.ts';
import type { ClientTransport, TransportFailure } from '../transports/transport.ts';

/** What somebody between a transport and its owner wants to know, or to tell otherwise. */
export interface Between {
  readonly onSend?: (frame: Frame) => void;
  readonly onReceive?: (frame: Frame) => void;
  /** What is told in the place of a failure. */
  readonly toTell?: (failure: TransportFailure) => TransportFailure;
}

/** The same transport with somebody in between; all else passes as it is. */
export function transportProxy(transport: ClientTransport, between: Between): ClientTransport {
  const { onSend, onReceive, toTell = (failure) => failure } = between;
  return {
    kind: transport.kind,
    // Known only once the revision is.
    get cancelsByClosing() {
      return transport.cancelsByClosing;
    },
    start: (listener) =>
      transport.start({
        onFrame: (frame, stream, status) => {
          onReceive?.(frame);
          listener.onFrame(frame, stream, status);
        },
        onRequestFailed: (id, failure) => listener.onRequestFailed(id, toTell(failure)),
        ...(listener.onSessionDoubt && {
          onSessionDoubt: (doubt) =>
            listener.onSessionDoubt?.({ ...doubt, failure: toTell(doubt.failure) }),
        }),
        onNoise: (noise) => listener.onNoise(noise),
        onOversized: (head) => listener.onOversized(head),
        onClose: (failure) => listener.onClose(toTell(failure)),
      }),
    send: (frame, options) => {
      onSend?.(frame);
      transport.send(frame, options);
    },
    negotiated: (revision) => transport.negotiated(revision),
    abandon: (id) => transport.abandon(id),
    close: () => transport.close(),
  };
}
