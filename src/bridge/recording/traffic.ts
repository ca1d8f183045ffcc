import type { Frame } from '../../protocol/frame.ts';
import type {
  ClientTransport,
  ServerChannel,
  ServerChannelListener,
} from '../../transports/transport.ts';
import { transportProxy } from '../transportProxy.ts';

/** One message as it passed one of the two legs. */
export interface Traffic {
  readonly leg: 'downstream' | 'upstream';
  /** Which conversation of that leg, counted from 1: a channel of a client's, or a connection to the server. */
  readonly conversation: number;
  readonly from: 'client' | 'bridge' | 'server';
  readonly frame: Frame;
}

export type OnTraffic = (traffic: Traffic) => void;

/** Lets somebody watch the messages of both legs; while nobody does, it costs one look at each message. */
export class Tap {
  #onTraffic: OnTraffic | undefined;
  #channels = 0;
  #connections = 0;

  /** Sets who watches, from the next message on; undefined: nobody. */
  watch(onTraffic: OnTraffic | undefined): void {
    this.#onTraffic = onTraffic;
  }

  /** The client's leg: serves the channel with what `serve` makes of it. */
  channel<L extends ServerChannelListener>(
    channel: ServerChannel,
    serve: (channel: ServerChannel) => L,
  ): ServerChannelListener {
    const conversation = ++this.#channels;
    const told = (from: 'client' | 'bridge', frame: Frame): void =>
      this.#onTraffic?.({ leg: 'downstream', conversation, from, frame });
    const listener = serve({
      ...(channel.answersOnly && { answersOnly: true }),
      send: (frame, relatedTo) => {
        told('bridge', frame);
        channel.send(frame, relatedTo);
      },
      drop: (id) => channel.drop(id),
      close: () => channel.close(),
    });
    return {
      onFrame: (frame) => {
        told('client', frame);
        listener.onFrame(frame);
      },
      onBatch: (frames, reply) => {
        for (const frame of frames) told('client', frame);
        listener.onBatch(frames, (answers) => {
          for (const frame of answers) told('bridge', frame);
          reply(answers);
        });
      },
      onAbandoned: (id) => listener.onAbandoned(id),
      onUndeliverable: (id) => listener.onUndeliverable(id),
      onNoise: (noise) => listener.onNoise(noise),
      onClose: () => listener.onClose(),
    };
  }

  /** The server's leg. */
  transport(transport: ClientTransport): ClientTransport {
    const conversation = ++this.#connections;
    const told = (from: 'server' | 'bridge', frame: Frame): void =>
      this.#onTraffic?.({ leg: 'upstream', conversation, from, frame });
    return transportProxy(transport, {
      onSend: (frame) => told('bridge', frame),
      onReceive: (frame) => told('server', frame),
    });
  }
}
