import { readCancellation } from '../protocol/cancellation.ts';
import type { Frame, IdToken } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { versionInMeta } from '../protocol/requestMeta.ts';
import type { Noise, ServerChannelListener } from '../transports/transport.ts';
import type { ModernClient } from './modernClient.ts';

/** Requests that only the modern era has, with or without the `_meta` it demands. */
const MODERN_ONLY: ReadonlySet<string> = new Set([Method.discover, Method.listen]);

/**
 * One channel on which clients of both eras may speak. Each message decides by its own bytes: a version in `_meta` makes
 * it modern, `initialize` opens a session of the legacy era (2026-07-28, Versioning, Compatibility Matrix). What shows
 * neither belongs to the era that the channel has seen.
 */
export class DualEraClient implements ServerChannelListener {
  readonly #openLegacy: () => ServerChannelListener;
  readonly #openModern: () => ModernClient;
  #legacy: ServerChannelListener | undefined;
  #modern: ModernClient | undefined;

  constructor(openLegacy: () => ServerChannelListener, openModern: () => ModernClient) {
    this.#openLegacy = openLegacy;
    this.#openModern = openModern;
  }

  onFrame(frame: Frame): void {
    this.#of(frame).onFrame(frame);
  }

  onBatch(frames: readonly Frame[], reply: (frames: readonly Frame[]) => void): void {
    const showsModern = frames.some((frame) => this.#isModern(frame));
    const listener = showsModern ? this.#modernClient() : this.#undecided();
    listener.onBatch(frames, reply);
  }

  onAbandoned(id: IdToken): void {
    if (this.#modern?.isUnderway(id) === true) this.#modern.onAbandoned(id);
    else this.#legacy?.onAbandoned(id);
  }

  /** Only a client of the legacy era is ever sent a request. */
  onUndeliverable(id: IdToken): void {
    this.#legacy?.onUndeliverable(id);
  }

  onNoise(noise: Noise): void {
    this.#undecided().onNoise(noise);
  }

  onClose(): void {
    this.#modern?.onClose();
    this.#legacy?.onClose();
  }

  #of(frame: Frame): ServerChannelListener {
    if (this.#isModern(frame)) return this.#modernClient();
    if (frame.kind === 'request' && frame.method === Method.initialize) return this.#legacyClient();
    return this.#undecided();
  }

  #isModern(frame: Frame): boolean {
    if (frame.kind === 'response') return false;
    if (frame.kind === 'notify' && frame.method === Method.cancelled) {
      const cancelled = readCancellation(frame);
      return cancelled !== undefined && this.#modern?.isUnderway(cancelled.id) === true;
    }
    return versionInMeta(frame.params) !== undefined || MODERN_ONLY.has(frame.method);
  }

  #undecided(): ServerChannelListener {
    if (this.#legacy === undefined && this.#modern !== undefined) return this.#modern;
    return this.#legacyClient();
  }

  #legacyClient(): ServerChannelListener {
    this.#legacy ??= this.#openLegacy();
    return this.#legacy;
  }

  #modernClient(): ModernClient {
    this.#modern ??= this.#openModern();
    return this.#modern;
  }
}
