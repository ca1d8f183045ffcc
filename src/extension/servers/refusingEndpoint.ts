import { ErrorCode } from '../../protocol/errorCodes.ts';
import { fail, type Frame } from '../../protocol/frame.ts';
import type { ServerChannel, ServerChannelListener } from '../../transports/transport.ts';

/** An endpoint, for clients of either era, that answers every request with the reason why there is no server behind it. */
export function refusingEndpoint(
  reason: () => string,
): (channel: ServerChannel) => ServerChannelListener {
  return (channel) => {
    const refuse = (frame: Frame) =>
      frame.kind === 'request' ? [fail(frame, ErrorCode.invalidRequest, reason())] : [];
    return {
      onFrame: (frame) => {
        for (const reply of refuse(frame)) channel.send(reply, reply.id);
      },
      onBatch: (frames, reply) => reply(frames.flatMap(refuse)),
      onAbandoned: () => undefined,
      onUndeliverable: () => undefined,
      onNoise: () => undefined,
      onClose: () => undefined,
    };
  };
}
