import { randomBytes } from 'node:crypto';

/** Which event of which stream an event id names; `sequence` is 0 before a stream's first event. */
export interface EventId {
  readonly kind: 'request' | 'standing';
  readonly stream: number;
  readonly sequence: number;
}

/**
 * The event ids of one session (2025-11-25, Transports, Resumability and Redelivery). They begin with a random word of
 * the session, so that none can be guessed and none means anything in another session.
 */
export class EventIds {
  readonly #word = randomBytes(12).toString('base64url');

  write({ kind, stream, sequence }: EventId): string {
    return `${this.#word}.${kind}.${stream}.${sequence}`;
  }

  /** Undefined for an id of another session, as for what is no id. */
  read(text: string): EventId | undefined {
    const parts = /^([\w-]+)\.(request|standing)\.(\d{1,15})\.(\d{1,15})$/.exec(text);
    if (parts?.[1] !== this.#word) return undefined;
    const kind = parts[2] === 'request' ? 'request' : 'standing';
    return { kind, stream: Number(parts[3]), sequence: Number(parts[4]) };
  }
}
