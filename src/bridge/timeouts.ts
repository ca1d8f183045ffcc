/** How long the bridge waits, in milliseconds; a server's entry in the configuration may set each of them. */
export interface Timeouts {
  /** Silence after the era probe before the handshake of the legacy era is tried beside it. */
  readonly probeMs: number;
  /** From spawning or reaching a server until it has answered; slow installers live inside this. */
  readonly startMs: number;
  /** Silence of one request; every progress notification starts it anew. */
  readonly requestMs: number;
  /** The longest one request may take, progress or not. */
  readonly maxRequestMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  probeMs: 3_000,
  startMs: 180_000,
  requestMs: 600_000,
  maxRequestMs: 3_600_000,
};
