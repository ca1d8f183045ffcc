import { delay } from '../base/delay.ts';
import { eraOf, NEWEST_MODERN, type Era } from '../protocol/revision.ts';
import {
  answersOnly,
  type ClientTransport,
  type TransportFailure,
} from '../transports/transport.ts';
import { askLists } from './askLists.ts';
import { Connection, type OnWarning } from './connection.ts';
import { discover } from './discover.ts';
import { initialize, type HandshakeOptions } from './initialize.ts';
import { LEGACY_ONLY, mayBeOlder } from './olderTransport.ts';
import {
  failed,
  firstDecisive,
  reasonOf,
  settled,
  type Attempt,
  type Opened,
  type Other,
} from './openAttempt.ts';
import { answering } from './serverIdentity.ts';
import type { Timeouts } from './timeouts.ts';

/** How a server is opened. */
export interface OpenOptions extends HandshakeOptions {
  /** What `connect` makes. */
  readonly transport: ClientTransport['kind'];
  /** Starts a connection afresh: a new process, or a new HTTP client. */
  readonly connect: () => ClientTransport;
  /** The same server over the transport that a refusal of the other one may mean; absent where there is none. */
  readonly connectOlder?: (() => ClientTransport) | undefined;
  readonly timeouts: Timeouts;
  /** The era found the last time; a legacy server is then spared the probe. */
  readonly remembered: Era | undefined;
  readonly onWarning: OnWarning;
  /** True while a person is asked to sign in, whose time is not the server's. */
  readonly isAsking: () => boolean;
  /** The last thing the server wrote to its log, for the message about a server that does not answer. */
  readonly lastLogLine: () => string | undefined;
  /** Gives up opening; what was started for it ends. */
  readonly signal: AbortSignal;
}

/**
 * Opens a server and finds out its era: `server/discover` first, then `initialize` (2026-07-28, stdio and Streamable
 * HTTP, Backward Compatibility). Whatever it answers but a modern result or a modern error means legacy; a failing
 * network means nothing. A server that was legacy the last time is asked the other way round, and one that refuses both
 * is taken at its lists.
 */
export async function openServer(options: OpenOptions): Promise<Opened> {
  const opening = new Opening(options);
  const late = delay(options.timeouts.startMs, undefined, options.isAsking);
  let abort = (): void => undefined;
  const aborted = new Promise<Opened>((resolve) => {
    abort = () => resolve(failed({ kind: 'closed', message: 'The bridge was closed.' }));
  });
  options.signal.addEventListener('abort', abort);
  if (options.signal.aborted) abort();
  const opened = await Promise.race([
    aborted,
    opening.run(),
    late.promise.then(() => failed(opening.tooLate())),
  ]);
  late.cancel();
  options.signal.removeEventListener('abort', abort);
  opening.finish(opened);
  return opened.kind === 'open' ? asReached(opened, options) : opened;
}

/** A server promises no more than can reach the client over the transport between. */
function asReached(
  opened: Extract<Opened, { kind: 'open' }>,
  { onNegotiation }: OpenOptions,
): Opened {
  if (!answersOnly(opened.connection.transport.kind)) return opened;
  const { server, left } = answering(opened.server);
  if (left.length > 0) {
    onNegotiation(
      `The server can only answer over ZAP: progress and logs have no way, and of its capabilities these have none (${left.join(', ')}).`,
    );
  }
  return { ...opened, server };
}

const SILENT: Other = { kind: 'other', evidence: 'it went silent', unknown: false };

/** The transports over which one connection is one conversation, so that another one begins anew. */
const ONE_CONVERSATION: ReadonlySet<ClientTransport['kind']> = new Set(['stdio', 'unixSocket']);

class Opening {
  readonly #options: OpenOptions;
  readonly #connections: Connection[] = [];
  /** What the last `initialize` came to, where that was not a session. */
  #refused: Other | undefined;
  /** Nobody waits any more: nothing may be started. */
  #over = false;

  constructor(options: OpenOptions) {
    this.#options = options;
  }

  async run(): Promise<Opened> {
    const attempt = await this.#handshake();
    if (attempt.kind !== 'other') return attempt;
    // Why a server refuses `initialize` says more of it than that it does not know the probe.
    const refused = attempt === SILENT ? attempt : (this.#refused ?? attempt);
    const connection = this.#connections.at(-1);
    const older = await this.#older();
    if (older?.kind === 'open') return older;
    // What it wants is plain, whatever else it has refused before.
    if (older?.kind === 'failed' && older.failure.kind === 'sign-in') return older;
    const opened = settled(await this.#withoutHandshake(refused, connection));
    if (opened.kind === 'open' || older === undefined) return opened;
    const { kind, message } = opened.failure;
    const also = `HTTP+SSE at the same address failed, too: ${reasonOf(older)}`;
    return failed({ kind, message: `${message.replace(/\.?$/, '.')} ${also}` });
  }

  async #handshake(): Promise<Attempt> {
    const { pinned, remembered } = this.#options;
    if (pinned !== undefined) {
      return this.#try(eraOf(pinned), this.#connect(), 'the configuration pins it');
    }
    if (LEGACY_ONLY.has(this.#options.transport)) {
      const evidence = 'HTTP+SSE is of no other era';
      return this.#try('legacy', this.#connect(), evidence);
    }
    return remembered === 'legacy'
      ? this.#detect('legacy', 'modern', 'it was legacy the last time')
      : this.#detect('modern', 'legacy', 'it did not answer the probe');
  }

  /** The server over HTTP+SSE, where its address refuses the handshake as one of that would; undefined elsewhere. */
  async #older(): Promise<Attempt | undefined> {
    const { connectOlder } = this.#options;
    if (connectOlder === undefined || this.#over || !mayBeOlder(this.#refused)) return undefined;
    const evidence = 'it takes no messages at its address but offers an event stream there';
    return initialize(this.#connect(connectOlder), evidence, this.#options);
  }

  tooLate(): TransportFailure {
    const seconds = this.#options.timeouts.startMs / 1000;
    if (this.#options.transport !== 'stdio') {
      return { kind: 'closed', message: `The server did not answer within ${seconds} s.` };
    }
    const line = this.#options.lastLogLine();
    const said =
      line === undefined ? 'It wrote nothing to stderr.' : `Its last line on stderr: ${line}`;
    return {
      kind: 'closed',
      message: `The server did not answer within ${seconds} s of its start. ${said}`,
    };
  }

  /** Ends every connection that was tried and is not the one to be used. */
  finish(opened: Opened): void {
    this.#over = true;
    const kept = opened.kind === 'open' ? opened.connection : undefined;
    for (const each of this.#connections) if (each !== kept) void each.close();
  }

  #connect(connect = this.#options.connect): Connection {
    const { timeouts, onWarning, isAsking } = this.#options;
    const connection = new Connection(connect(), timeouts, onWarning, isAsking);
    this.#connections.push(connection);
    return connection;
  }

  async #try(era: Era, connection: Connection, evidence: string): Promise<Attempt> {
    if (era === 'modern') {
      return discover(connection, this.#options.pinned ?? NEWEST_MODERN, this.#options);
    }
    const attempt = await initialize(connection, evidence, this.#options);
    if (attempt.kind === 'other') this.#refused = attempt;
    return attempt;
  }

  /** Asks a server for its lists that knows neither handshake, unless the configuration says it is a legacy one. */
  async #withoutHandshake(refused: Other, connection: Connection | undefined): Promise<Attempt> {
    const { client, timeouts, pinned = NEWEST_MODERN, transport } = this.#options;
    if (!refused.unknown || eraOf(pinned) === 'legacy' || LEGACY_ONLY.has(transport))
      return refused;
    if (connection?.isOpen !== true || this.#over) return refused;
    return (await askLists(connection, pinned, client, timeouts.probeMs)) ?? refused;
  }

  /** Tries one era and, where that says nothing, the other one beside it. */
  async #detect(first: Era, second: Era, silentEvidence: string): Promise<Attempt> {
    const connection = this.#connect();
    const trying = this.#try(first, connection, silentEvidence);
    const { isAsking } = this.#options;
    const silence = delay(this.#options.timeouts.probeMs, undefined, isAsking);
    const tried = await Promise.race([trying, silence.promise.then(() => 'silent' as const)]);
    silence.cancel();
    if (tried !== 'silent' && tried.kind !== 'other') return tried;

    const evidence = tried === 'silent' ? silentEvidence : tried.evidence;
    // A server that is merely slow may still answer the first request: whichever succeeds first tells the era.
    const also = connection.isOpen
      ? this.#try(second, connection, evidence)
      : Promise.resolve<Attempt>({ kind: 'other', evidence, unknown: false });
    const stuck = delay(this.#options.timeouts.startMs / 3, undefined, isAsking);
    const refused = delay(this.#options.timeouts.probeMs, also, isAsking);
    const outcome = await Promise.race([
      firstDecisive(tried === 'silent' ? [trying, also] : [also]),
      // A server that refused the second request has read the first one too, and hardly answers it any more.
      refused.promise.then(() => also),
      stuck.promise.then(() => SILENT),
    ]);
    stuck.cancel();
    refused.cancel();
    const { kind } = connection.transport;
    if (outcome.kind !== 'other' || !ONE_CONVERSATION.has(kind)) return outcome;
    // Some servers end, or are confused for good, by a request they do not expect first.
    await connection.close();
    if (this.#over) return outcome;
    return this.#try(second, this.#connect(), evidence);
  }
}
