import type { IncomingHttpHeaders } from 'node:http';
import { statedVersion, wanted } from '../http/requestHeaders.ts';

/** How a legacy client takes the event streams that it asks for. */
export interface StreamTerms {
  /**
   * It can be told how to come back for the rest of a stream. Clients of older revisions take the empty event that tells
   * them for a broken message, and so do some that speak 2025-11-25 but do not say so in the header it demands.
   */
  readonly primes: boolean;
  /** It would rather have a stream than a plain body. */
  readonly prefersStream: boolean;
}

/** What the headers of a request say of that. */
export function streamTerms(headers: IncomingHttpHeaders): StreamTerms {
  const stated = statedVersion(headers);
  const stream = wanted(headers.accept, 'text/event-stream');
  const body = wanted(headers.accept, 'application/json');
  return {
    primes: stated.kind === 'legacy' && stated.version === '2025-11-25',
    prefersStream:
      stream.quality === body.quality ? stream.place < body.place : stream.quality > body.quality,
  };
}
