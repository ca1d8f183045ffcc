import { delay } from '../base/delay.ts';
import { eraOf, NEWEST_MODERN, type Era } from '../protocol/revision.ts';
import type { ClientTransport, TransportFailure } from '../transports/transport.ts';
import { Connection, type OnWarning } from './connection.ts';
import { discover } from './discover.ts';
import { initialize, type HandshakeOptions } from './initialize.ts';
import { failed, firstDecisive, settled, type Attempt, type Opened } from './openAttempt.ts';
import type { Timeouts } from './timeouts.ts';

/** How a server is opened. */
export interface OpenOptions extends HandshakeOptions {
  /** Starts a connection afresh: a new process, or a new HTTP client. */
  readonly connect: () => ClientTransport;
  readonly timeouts: Timeouts;
  /** The era found the last time; a legacy server is then spared the probe. */
  readonly remembered: Era | undefined;
  readonly onWarning: OnWarning;
  /** The last thing the server wrote to its log, for the message about a server that does not answer. */
  readonly lastLogLine: () => string | undefined;
  /** Gives up opening; what was started for it ends. */
  readonly signal: AbortSignal;
}

/**
 * Opens a server and finds out its era: `server/discover` first, then `initialize` (2026-07-28, stdio and Streamable
 * HTTP, Backward Compatibility). Whatever it answers but a modern result or a modern error means legacy; a failing
 * network means nothing.
 */
export async function openServer(options: OpenOptions): Promise<Opened> {
  const opening = new Opening(options);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Opened>((resolve) => {
    timer = setTimeout(() => resolve(failed(opening.tooLate())), options.timeouts.startMs);
  });
  const aborted = new Promise<Opened>((resolve) => {
    const closed = failed({ kind: 'closed', message: 'The bridge was closed.' });
    if (options.signal.aborted) resolve(closed);
    options.signal.addEventListener('abort', () => resolve(closed), { once: true });
  });
  const opened = await Promise.race([opening.run(), late, aborted]);
  clearTimeout(timer);
  opening.finish(opened);
  return opened;
}

class Opening {
  readonly #options: OpenOptions;
  readonly #connections: Connection[] = [];

  constructor(options: OpenOptions) {
    this.#options = options;
  }

  async run(): Promise<Opened> {
    const { pinned, remembered } = this.#options;
    if (pinned !== undefined && eraOf(pinned) === 'legacy') {
      return settled(await initialize(this.#connect(), 'the configuration pins it', this.#options));
    }
    if (pinned === undefined && remembered === 'legacy') {
      const attempt = await initialize(
        this.#connect(),
        'it was legacy the last time',
        this.#options,
      );
      if (attempt.kind === 'open') return attempt;
      this.#options.onNegotiation(
        'The era remembered for this server no longer holds; probing again.',
      );
    }
    return this.#detect();
  }

  tooLate(): TransportFailure {
    const line = this.#options.lastLogLine();
    const seconds = this.#options.timeouts.startMs / 1000;
    const said =
      line === undefined ? 'It wrote nothing to stderr.' : `Its last line on stderr: ${line}`;
    return {
      kind: 'closed',
      message: `The server did not answer within ${seconds} s of its start. ${said}`,
    };
  }

  /** Ends every connection that was tried and is not the one to be used. */
  finish(opened: Opened): void {
    const kept = opened.kind === 'open' ? opened.connection : undefined;
    for (const each of this.#connections) if (each !== kept) void each.close();
  }

  #connect(): Connection {
    const { connect, timeouts, onWarning } = this.#options;
    const connection = new Connection(connect(), timeouts, onWarning);
    this.#connections.push(connection);
    return connection;
  }

  async #detect(): Promise<Opened> {
    const connection = this.#connect();
    const wanted = this.#options.pinned ?? NEWEST_MODERN;
    const probing = discover(connection, wanted, this.#options);
    const silence = delay(this.#options.timeouts.probeMs);
    const probed = await Promise.race([probing, silence.promise.then(() => 'silent' as const)]);
    silence.cancel();
    if (probed !== 'silent' && probed.kind !== 'other') return probed;
    if (this.#options.pinned !== undefined) return settled(await probing);

    const evidence = probed === 'silent' ? 'it did not answer the probe' : probed.evidence;
    // A server that is merely slow may still answer the probe: whichever succeeds first tells the era.
    const shaking = connection.isOpen
      ? initialize(connection, evidence, this.#options)
      : Promise.resolve<Attempt>({ kind: 'other', evidence });
    const stuck = delay(this.#options.timeouts.startMs / 3);
    const refused = delay(this.#options.timeouts.probeMs, shaking);
    const shaken = await Promise.race([
      firstDecisive(probed === 'silent' ? [probing, shaking] : [shaking]),
      // A server that refused the handshake has read the probe too, and hardly answers it any more.
      refused.promise.then(() => shaking),
      stuck.promise.then((): Attempt => ({ kind: 'other', evidence: 'it went silent' })),
    ]);
    stuck.cancel();
    refused.cancel();
    if (shaken.kind !== 'other' || connection.transport.kind !== 'stdio') return settled(shaken);
    // Some servers end, or are confused for good, when anything comes before `initialize`.
    await connection.close();
    return settled(await initialize(this.#connect(), evidence, this.#options));
  }
}
