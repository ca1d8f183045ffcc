import { Meta } from '../protocol/meta.ts';
import { removeMember, setMember } from '../protocol/rawEdit.ts';
import {
  getMember,
  kindOf,
  membersOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../protocol/rawJson.ts';
import { isLegacyRevision, NEWEST_LEGACY, type Revision } from '../protocol/revision.ts';
import { objectsOnly } from '../translate/capabilities.ts';
import type { ServerIdentity } from './serverIdentity.ts';

/** What only a DiscoverResult says (2026-07-28, Discovery, DiscoverResult). */
const DISCOVERY = ['resultType', 'supportedVersions', 'ttlMs', 'cacheScope'] as const;

/** The revision in which a client that sends `initialize` is served: its own where the bridge knows it. */
export function revisionFor(initializeParams: RawJson | undefined): Revision {
  const asked = initializeParams && stringOf(getMember(initializeParams, 'protocolVersion'));
  return isLegacyRevision(asked) ? asked : NEWEST_LEGACY;
}

/** The answer to a client's `initialize`, made of what the server said of itself. */
export function initializeResult(
  server: ServerIdentity,
  revision: Revision,
  fallbackName: string,
): RawJson {
  if (server.era === 'legacy' && server.raw !== undefined) {
    return server.revision === revision
      ? server.raw
      : setMember(server.raw, 'protocolVersion', toRaw(revision));
  }
  let result = setMember(server.raw ?? toRaw({}), 'protocolVersion', toRaw(revision));
  result = setMember(result, 'capabilities', objectsOnly(server.capabilities));
  result = setMember(
    result,
    'serverInfo',
    server.serverInfo ?? toRaw({ name: fallbackName, version: 'unknown' }),
  );
  for (const key of DISCOVERY) result = removeMember(result, key);
  return withoutServerInfo(result);
}

function withoutServerInfo(result: RawJson): RawJson {
  const meta = getMember(result, '_meta');
  if (meta === undefined) return result;
  const rest = kindOf(meta) === 'object' ? removeMember(meta, Meta.serverInfo) : toRaw({});
  return membersOf(rest).length === 0
    ? removeMember(result, '_meta')
    : setMember(result, '_meta', rest);
}
