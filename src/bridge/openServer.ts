import { delay } from '../base/delay.ts';
import type { ResponseFrame } from '../protocol/frame.ts';
import { notify, request } from '../protocol/frame.ts';
import { isModernError } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getAt, getMember, toRaw, type RawJson } from '../protocol/rawJson.ts';
import {
  eraOf,
  isLegacyRevision,
  NEWEST_LEGACY,
  NEWEST_MODERN,
  REVISIONS,
  type Era,
  type Revision,
} from '../protocol/revision.ts';
import { toModernParams } from '../translate/modernRequest.ts';
import type { ClientTransport, TransportFailure } from '../transports/transport.ts';
import type { ClientIdentity } from './client.ts';
import type { CallOutcome } from './callOutcome.ts';
import { Connection, type OnWarning } from './connection.ts';
import {
  readDiscoverResult,
  readInitializeResult,
  versionsIn,
  type ServerIdentity,
} from './serverIdentity.ts';
import type { Timeouts } from './timeouts.ts';

export interface OpenOptions {
  /** Starts a connection afresh: a new process, or a new HTTP client. */
  readonly connect: () => ClientTransport;
  readonly timeouts: Timeouts;
  /** The one revision to speak, where the user pinned it. */
  readonly pinned: Revision | undefined;
  /** The era found the last time; a legacy server is then spared the probe. */
  readonly remembered: Era | undefined;
  readonly client: ClientIdentity;
  /** The params of the client's own `initialize`, for a server of its era. */
  readonly initializeParams: RawJson;
  readonly onWarning: OnWarning;
  readonly onNegotiation: (message: string) => void;
  /** The last thing the server wrote to its log, for the message about a server that does not answer. */
  readonly lastLogLine: () => string | undefined;
  /** Gives up opening; what was started for it ends. */
  readonly signal: AbortSignal;
}

export type Opened =
  | { readonly kind: 'open'; readonly connection: Connection; readonly server: ServerIdentity }
  | { readonly kind: 'failed'; readonly failure: TransportFailure };

type Attempt =
  | Opened
  /** Not a server of this era, or not in a way that says so; `evidence` is what it did instead. */
  | { readonly kind: 'other'; readonly evidence: string };

const failed = (failure: TransportFailure): Opened => ({ kind: 'failed', failure });

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
      return settled(await this.#initialize(this.#connect(), 'the configuration pins it'));
    }
    if (pinned === undefined && remembered === 'legacy') {
      const attempt = await this.#initialize(this.#connect(), 'it was legacy the last time');
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
    const probing = this.#discover(connection, wanted);
    const silence = delay(this.#options.timeouts.probeMs);
    const probed = await Promise.race([probing, silence.promise.then(() => 'silent' as const)]);
    silence.cancel();
    if (probed !== 'silent' && probed.kind !== 'other') return probed;
    if (this.#options.pinned !== undefined) return settled(await probing);

    const evidence = probed === 'silent' ? 'it did not answer the probe' : probed.evidence;
    // A server that is merely slow may still answer the probe: whichever succeeds first tells the era.
    const shaking = connection.isOpen
      ? this.#initialize(connection, evidence)
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
    return settled(await this.#initialize(this.#connect(), evidence));
  }

  async #discover(connection: Connection, revision: Revision): Promise<Attempt> {
    const params = toModernParams(undefined, {
      revision,
      clientInfo: this.#options.client.info,
      clientCapabilities: this.#options.client.capabilities,
      logLevel: undefined,
    });
    const headers = { 'MCP-Protocol-Version': revision, 'Mcp-Method': Method.discover };
    const outcome = await ask(connection, Method.discover, params, { headers });
    if (outcome.kind !== 'response') return unanswered(outcome, 'the probe');
    const { frame } = outcome;
    if (frame.error === undefined) {
      const supported = versionsIn(getMember(frame.result, 'supportedVersions'));
      const agreed = supported?.find((version) => version === revision) ?? modernOf(supported);
      if (supported === undefined) {
        return { kind: 'other', evidence: 'it answered server/discover with something else' };
      }
      const server =
        agreed && readDiscoverResult(frame.result, agreed, 'it answered server/discover');
      return server === undefined
        ? failed(noCommonRevision(supported))
        : { kind: 'open', connection, server };
    }
    if (!isModernError(frame.error.code)) {
      return {
        kind: 'other',
        evidence: `it answered the probe with the error ${frame.error.code}`,
      };
    }
    const supported = versionsIn(getAt(frame.error.raw, ['data', 'supported'])) ?? [];
    const modern = modernOf(supported);
    if (modern !== undefined && modern !== revision && this.#options.pinned === undefined) {
      return this.#discover(connection, modern);
    }
    const legacy = supported.find(isLegacyRevision);
    if (legacy !== undefined) {
      return this.#initialize(connection, `it supports ${supported.join(', ')}`, legacy);
    }
    return failed({
      kind: 'malformed',
      message: `The server refused server/discover with ${frame.error.code}: ${frame.error.message}`,
    });
  }

  /** The handshake of the legacy era. A server that refuses a version instead of negotiating is asked for another. */
  async #initialize(
    connection: Connection,
    evidence: string,
    offered: Revision | undefined = this.#options.pinned,
  ): Promise<Attempt> {
    const { initializeParams, client, onNegotiation } = this.#options;
    const own = client.profile.revision;
    let offer = offered ?? (isLegacyRevision(own) ? own : NEWEST_LEGACY);
    const refused = new Set<Revision>();
    for (;;) {
      const params = setMember(initializeParams, 'protocolVersion', toRaw(offer));
      const outcome = await ask(connection, Method.initialize, params, { verbatim: true });
      if (outcome.kind !== 'response') return unanswered(outcome, 'initialize');
      const { frame } = outcome;
      if (frame.error === undefined) {
        const server = readInitializeResult(frame.result, `initialize, since ${evidence}`);
        if ('unknownVersion' in server) return failed(unknownRevision(server.unknownVersion));
        connection.transport.negotiated(server.revision);
        connection.notify(notify(Method.initialized));
        return { kind: 'open', connection, server };
      }
      refused.add(offer);
      const next = nextOffer(frame, refused);
      if (next === undefined) {
        const { code, message } = frame.error;
        return { kind: 'other', evidence: `it refused initialize with ${code}: ${message}` };
      }
      onNegotiation(
        `The server refused revision ${offer} instead of negotiating (a server must answer with a revision of its own); trying ${next}.`,
      );
      offer = next;
    }
  }
}

function modernOf(versions: readonly Revision[] | undefined): Revision | undefined {
  return versions?.find((version) => eraOf(version) === 'modern');
}

/** The version to offer after a refusal that speaks of versions: one the error names, else the next older one. */
function nextOffer(frame: ResponseFrame, refused: ReadonlySet<Revision>): Revision | undefined {
  const text = frame.error?.raw.toString('utf8') ?? '';
  if (!/version/i.test(text)) return undefined;
  const candidates = REVISIONS.filter((each) => eraOf(each) === 'legacy' && !refused.has(each));
  return candidates.findLast((each) => text.includes(each)) ?? candidates.at(-1);
}

function noCommonRevision(supported: readonly Revision[]): TransportFailure {
  const theirs = supported.length > 0 ? supported.join(', ') : 'none that this bridge knows';
  return {
    kind: 'malformed',
    message: `The server supports ${theirs}; this bridge speaks ${REVISIONS.join(', ')}.`,
  };
}

function unknownRevision(version: string): TransportFailure {
  return {
    kind: 'malformed',
    message: `The server chose protocol version "${version}", which this bridge does not know. It knows ${REVISIONS.join(', ')}.`,
  };
}

/** A request that ended without an answer: of another era, or beyond the question of eras. */
function unanswered(outcome: Exclude<CallOutcome, { kind: 'response' }>, to: string): Attempt {
  if (outcome.kind === 'timeout') return { kind: 'other', evidence: `it did not answer ${to}` };
  const { failure } = outcome;
  if (failure.kind === 'exited') return { kind: 'other', evidence: failure.message };
  if (failure.kind === 'http-status') {
    return { kind: 'other', evidence: `it answered ${to} with HTTP ${failure.status ?? ''}` };
  }
  return failed(failure);
}

function settled(attempt: Attempt): Opened {
  if (attempt.kind !== 'other') return attempt;
  return failed({
    kind: 'malformed',
    message: `The server could not be opened: ${attempt.evidence}`,
  });
}

function ask(
  connection: Connection,
  method: string,
  params: RawJson,
  options: { headers?: Readonly<Record<string, string>>; verbatim?: boolean },
): Promise<CallOutcome> {
  return new Promise((resolve) => {
    connection.call(request('0', method, params), { ...options, timed: false, onOutcome: resolve });
  });
}

/** The first attempt that opened the server or told why it cannot be, else what the last one came to. */
function firstDecisive(attempts: readonly Promise<Attempt>[]): Promise<Attempt> {
  return new Promise((resolve) => {
    let left = attempts.length;
    for (const attempt of attempts) {
      void attempt.then((result) => {
        left--;
        if (result.kind !== 'other' || left === 0) resolve(result);
      });
    }
  });
}
