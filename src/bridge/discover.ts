import { isModernError } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { getAt, getMember } from '../protocol/rawJson.ts';
import { eraOf, isLegacyRevision, REVISIONS, type Revision } from '../protocol/revision.ts';
import type { TransportFailure } from '../transports/transport.ts';
import type { Connection } from './connection.ts';
import { initialize, type HandshakeOptions } from './initialize.ts';
import { askModern, failed, refusedWith, unanswered, type Attempt } from './openAttempt.ts';
import { readDiscoverResult, versionsIn } from './serverIdentity.ts';

/**
 * Asks a server with `server/discover` whether it is of the modern era. A server that is, but not of this revision, is
 * asked in one it names; it is never taken for a legacy one (2026-07-28, Versioning, Protocol Version Negotiation). One
 * that refuses the very revision it names is asked once more, as the list says.
 */
export async function discover(
  connection: Connection,
  revision: Revision,
  options: HandshakeOptions,
  tried: readonly Revision[] = [],
): Promise<Attempt> {
  const outcome = await askModern(connection, Method.discover, revision, options.client);
  if (outcome.kind !== 'response') return unanswered(outcome, 'the probe');
  const { error, result } = outcome.frame;
  if (error === undefined) {
    const supported = versionsIn(getMember(result, 'supportedVersions'));
    if (supported === undefined) {
      const evidence = 'it answered server/discover with something else';
      return { kind: 'other', evidence, unknown: false };
    }
    const agreed = supported.includes(revision) ? revision : supported.find(isModern);
    const server = agreed && readDiscoverResult(result, agreed, 'it answered server/discover');
    return server === undefined
      ? failed(noCommonRevision(supported))
      : { kind: 'open', connection, server };
  }
  if (!isModernError(error.code)) {
    return refusedWith(error.code, `it answered the probe with the error ${error.code}`);
  }
  const supported = versionsIn(getAt(error.raw, ['data', 'supported'])) ?? [];
  const spent = [...tried, revision];
  const next = nextRevision(supported, spent, options.pinned);
  if (next !== undefined) return discover(connection, next, options, spent);
  const legacy = supported.find(isLegacyRevision);
  if (legacy !== undefined) {
    return initialize(connection, `it supports ${supported.join(', ')}`, options, legacy);
  }
  return failed({
    kind: 'malformed',
    message: `The server refused server/discover with ${error.code}: ${error.message}`,
  });
}

/** The revision to ask in after a refusal: one of the list that was not asked in yet, else the last one a second time. */
function nextRevision(
  supported: readonly Revision[],
  spent: readonly Revision[],
  pinned: Revision | undefined,
): Revision | undefined {
  const left = supported.filter(
    (version) => isModern(version) && (pinned === undefined || version === pinned),
  );
  const fresh = left.find((version) => !spent.includes(version));
  const last = spent.at(-1);
  return (
    fresh ?? left.find((version) => version === last && spent.indexOf(version) === spent.length - 1)
  );
}

function isModern(version: Revision): boolean {
  return eraOf(version) === 'modern';
}

function noCommonRevision(supported: readonly Revision[]): TransportFailure {
  const theirs = supported.length > 0 ? supported.join(', ') : 'none that this bridge knows';
  return {
    kind: 'malformed',
    message: `The server supports ${theirs}; this bridge speaks ${REVISIONS.join(', ')}.`,
  };
}
