import { readCancellation } from '../protocol/cancellation.ts';
import {
  fail,
  makeError,
  withResult,
  type Frame,
  type IdToken,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { isRetired } from '../protocol/methodTable.ts';
import { readRequestMeta } from '../protocol/requestMeta.ts';
import { isModernRevision, MODERN_REVISIONS } from '../protocol/revision.ts';
import { answeringResult } from '../translate/capabilities.ts';
import type { Noise, ServerChannel, ServerChannelListener } from '../transports/transport.ts';
import type { ModernPeer, Underway } from './modernPeer.ts';
import type { ModernPeers } from './modernPeers.ts';
import type { SessionHost } from './sessionHost.ts';

/** What a server tells of itself to a client that reads nothing but answers. */
function answeringDiscovery(response: ResponseFrame): ResponseFrame {
  return response.error === undefined
    ? withResult(response, answeringResult(response.result).result)
    : response;
}

/**
 * What comes from clients of the modern era over one channel. There is no handshake: each request says who sends it, and
 * is answered once under its own id, whatever came before.
 */
export class ModernClient implements ServerChannelListener {
  readonly #host: SessionHost;
  readonly #peers: ModernPeers;
  readonly #channel: ServerChannel;
  readonly #underway = new Map<IdToken, Underway>();
  /** Who sent the last request: notifications do not say whose they are. */
  #latest: ModernPeer | undefined;
  #closed = false;

  constructor(host: SessionHost, peers: ModernPeers, channel: ServerChannel) {
    this.#host = host;
    this.#peers = peers;
    this.#channel = channel;
  }

  /** True while this id names a request that is not answered. */
  isUnderway(id: IdToken): boolean {
    return this.#underway.has(id);
  }

  onFrame(frame: Frame): void {
    switch (frame.kind) {
      case 'request':
        this.#onRequest(frame);
        return;
      case 'notify':
        this.#onNotify(frame);
        return;
      case 'response':
        // Nobody asked: in this era a server sends no requests.
        return;
    }
  }

  onBatch(_frames: readonly Frame[], reply: (frames: readonly Frame[]) => void): void {
    const message = `Revision ${MODERN_REVISIONS.join(', ')} has no batches.`;
    const error = makeError(ErrorCode.invalidRequest, message);
    reply([{ kind: 'response', id: undefined, error }]);
  }

  /** The closed response stream is how a request is cancelled over HTTP (2026-07-28, Cancellation). */
  onAbandoned(id: IdToken): void {
    this.#underway.get(id)?.cancel(undefined);
  }

  onUndeliverable(): void {
    // Nothing is asked of a client of this era but by the result of its request.
  }

  onNoise(noise: Noise): void {
    const message = `The client wrote what is no message (${noise.reason}): ${noise.sample}`;
    this.#host.warn('client', message);
  }

  onClose(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const underway of [...this.#underway.values()]) underway.cancel(undefined);
  }

  #onRequest(frame: RequestFrame): void {
    if (this.#underway.has(frame.id)) {
      const message = `The id ${frame.id} is that of a request still open.`;
      this.#send(fail(frame, ErrorCode.invalidRequest, message), frame.id);
      return;
    }
    const reading = readRequestMeta(frame.params);
    if (reading.kind === 'malformed') {
      this.#send(fail(frame, ErrorCode.invalidParams, reading.message), frame.id);
      return;
    }
    const { meta } = reading;
    if (!isModernRevision(meta.version)) {
      const data = { supported: MODERN_REVISIONS, requested: meta.version };
      const message = `Unsupported protocol version. Supported are ${MODERN_REVISIONS.join(', ')}.`;
      this.#send(fail(frame, ErrorCode.unsupportedProtocolVersion, message, data), frame.id);
      return;
    }
    if (isRetired(frame.method, meta.version)) {
      const message = `Revision ${meta.version} has no ${frame.method}.`;
      this.#send(fail(frame, ErrorCode.methodNotFound, message), frame.id);
      return;
    }
    const isReader = this.#channel.answersOnly === true;
    if (isReader && frame.method === Method.listen) {
      const message = 'Over ZAP a client is told nothing but answers, so that it cannot listen.';
      this.#send(fail(frame, ErrorCode.methodNotFound, message), frame.id);
      return;
    }
    const peer = this.#peers.of(meta, meta.version);
    this.#latest = peer;
    const underway = peer.request(frame, {
      notify: (notification) => this.#send(notification, frame.id),
      finish: (response) => {
        this.#underway.delete(frame.id);
        const isDiscovery = isReader && frame.method === Method.discover;
        const own = response && isDiscovery ? answeringDiscovery(response) : response;
        if (own !== undefined) this.#send(own, frame.id);
        else if (!this.#closed) this.#channel.drop(frame.id);
      },
    });
    this.#underway.set(frame.id, underway);
  }

  #onNotify(frame: NotifyFrame): void {
    if (frame.method !== Method.cancelled) {
      const sender = this.#latest ?? this.#peers.sender(frame);
      if (sender?.isConnected === true) sender.notify(frame);
      else this.#host.warn('undeliverable', lost(frame.method));
      return;
    }
    const cancelled = readCancellation(frame);
    if (cancelled !== undefined) this.#underway.get(cancelled.id)?.cancel(cancelled.reason);
  }

  #send(frame: Frame, relatedTo: IdToken): void {
    if (!this.#closed) this.#channel.send(frame, relatedTo);
  }
}

function lost(method: string): string {
  return `A client sent ${method} without a request before it that tells whose server it is for; it was dropped.`;
}
