import { notify, type ErrorFrame, type Provenance } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, membersOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import {
  NEWEST_LEGACY,
  REVISIONS,
  isLegacyRevision,
  isModernRevision,
  type Revision,
} from '../protocol/revision.ts';
import { answersOnly } from '../transports/transport.ts';
import type { ClientIdentity } from './client.ts';
import type { Connection } from './connection.ts';
import { ask, failed, refusedWith, unanswered, type Attempt } from './openAttempt.ts';
import { readInitializeResult } from './serverIdentity.ts';

/** On whose behalf a server is opened, and what the user has to say about it. */
export interface HandshakeOptions {
  /** The one revision to speak, where the user pinned it. */
  readonly pinned: Revision | undefined;
  readonly client: ClientIdentity;
  /** The params of the client's own `initialize`, for a server of its era. */
  readonly initializeParams: RawJson;
  /** Where that `initialize` stands in the client's conversation. */
  readonly provenance?: Provenance | undefined;
  readonly onNegotiation: (message: string) => void;
}

/**
 * The handshake of the legacy era. A server is offered the client's own revision, so that two peers who would agree
 * without the bridge agree through it; one that refuses a version instead of negotiating is offered another.
 */
export async function initialize(
  connection: Connection,
  evidence: string,
  options: HandshakeOptions,
  offered: Revision | undefined = options.pinned,
): Promise<Attempt> {
  const own = options.client.profile.revision;
  let offer = offered ?? (isLegacyRevision(own) ? own : NEWEST_LEGACY);
  const refused = new Set<Revision>();
  const { provenance } = options;
  const introduction = introductionOf(connection, options);
  for (;;) {
    const params = setMember(introduction, 'protocolVersion', toRaw(offer));
    const outcome = await ask(connection, Method.initialize, params, {
      verbatim: true,
      provenance,
    });
    if (outcome.kind !== 'response') return unanswered(outcome, 'initialize');
    const { frame, status } = outcome;
    if (frame.error === undefined) {
      const server = readInitializeResult(frame.result, `initialize, since ${evidence}`, own);
      if ('unknownVersion' in server) return withoutSession(server.unknownVersion);
      connection.transport.negotiated(server.revision);
      connection.notify({ ...notify(Method.initialized), ...(provenance && { provenance }) });
      return { kind: 'open', connection, server };
    }
    refused.add(offer);
    const next = nextOffer(frame, refused);
    if (next === undefined) {
      const { code, message } = frame.error;
      return refusedWith(code, `it refused initialize with ${code}: ${message}`, status);
    }
    options.onNegotiation(
      `The server refused revision ${offer} instead of negotiating (a server must answer with a revision of its own); trying ${next}.`,
    );
    offer = next;
  }
}

/** What a server is told that can ask nothing: of a client that can be asked nothing. */
function introductionOf(connection: Connection, options: HandshakeOptions): RawJson {
  const { initializeParams } = options;
  if (!answersOnly(connection.transport.kind)) return initializeParams;
  const capabilities = getMember(initializeParams, 'capabilities');
  const names = capabilities === undefined ? [] : membersOf(capabilities).map(({ key }) => key);
  if (names.length > 0) {
    options.onNegotiation(
      `The server can ask nothing over ZAP, so that it is opened without the client's capabilities (${names.join(', ')}).`,
    );
  }
  return setMember(initializeParams, 'capabilities', toRaw({}));
}

/** The version to offer after a refusal that speaks of versions: one the error names, else the next older one. */
function nextOffer({ error }: ErrorFrame, refused: ReadonlySet<Revision>): Revision | undefined {
  const text = error.raw.toString('utf8');
  if (!/version/i.test(text)) return undefined;
  const left = REVISIONS.filter((each) => !refused.has(each));
  const named = left.filter((each) => text.includes(each));
  if (named.length > 0) return named.findLast(isLegacyRevision);
  return left.findLast(isLegacyRevision);
}

/** A server that chose a version in which no session can be opened. */
function withoutSession(version: string): Attempt {
  if (isModernRevision(version)) {
    const evidence = `it answered initialize with ${version}, which has none`;
    return { kind: 'other', evidence, unknown: true };
  }
  return failed({
    kind: 'malformed',
    message: `The server chose protocol version "${version}", which this bridge does not know. It knows ${REVISIONS.join(', ')}.`,
  });
}
