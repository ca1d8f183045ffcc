import { withoutMeta } from '../protocol/metaEdit.ts';
import { Meta } from '../protocol/meta.ts';
import { removeMember, setMember } from '../protocol/rawEdit.ts';
import { getMember, kindOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { isLegacyRevision, NEWEST_LEGACY, type Revision } from '../protocol/revision.ts';
import { Edition } from '../translate/edition.ts';
import { repairHandshake } from '../translate/handshake.ts';
import { PERMISSIVE } from '../translate/policy.ts';
import type { Step } from '../translate/report.ts';
import type { ServerIdentity } from './serverIdentity.ts';

/** What only a DiscoverResult says (2026-07-28, Discovery, DiscoverResult). */
const DISCOVERY = ['resultType', 'supportedVersions', 'ttlMs', 'cacheScope'] as const;

/** The revision in which a client that sends `initialize` is served: its own where the bridge knows it. */
export function revisionFor(initializeParams: RawJson | undefined): Revision {
  const asked = initializeParams && stringOf(getMember(initializeParams, 'protocolVersion'));
  return isLegacyRevision(asked) ? asked : NEWEST_LEGACY;
}

/** The answer to a client's `initialize`, made of what the server said of itself, and what it took to make it. */
export function initializeResult(
  server: ServerIdentity,
  revision: Revision,
  fallbackName: string,
): { result: RawJson; steps: readonly Step[] } {
  if (server.era === 'legacy' && server.raw !== undefined) {
    const result =
      server.revision === revision
        ? server.raw
        : setMember(server.raw, 'protocolVersion', toRaw(revision));
    return { result, steps: server.steps };
  }
  let result = setMember(server.raw ?? toRaw({}), 'protocolVersion', toRaw(revision));
  result = setMember(result, 'capabilities', server.capabilities);
  result = setMember(
    result,
    'serverInfo',
    server.serverInfo ?? toRaw({ name: fallbackName, version: 'unknown' }),
  );
  for (const key of DISCOVERY) result = removeMember(result, key);
  const edition = new Edition(withoutServerInfo(result), PERMISSIVE);
  repairHandshake(edition, revision);
  return { result: edition.raw, steps: edition.outcome().steps };
}

function withoutServerInfo(result: RawJson): RawJson {
  const meta = getMember(result, '_meta');
  // What is no object is for the repair to tell of.
  if (meta === undefined || kindOf(meta) !== 'object') return result;
  return withoutMeta(result, [Meta.serverInfo]);
}
