import { setMember } from '../protocol/rawEdit.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { isLegacyRevision, NEWEST_LEGACY, type Revision } from '../protocol/revision.ts';
import { objectsOnly } from '../translate/capabilities.ts';
import type { ServerIdentity } from './serverIdentity.ts';

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
  let result = toRaw({ protocolVersion: revision });
  result = setMember(result, 'capabilities', objectsOnly(server.capabilities));
  result = setMember(
    result,
    'serverInfo',
    server.serverInfo ?? toRaw({ name: fallbackName, version: 'unknown' }),
  );
  return server.instructions === undefined
    ? result
    : setMember(result, 'instructions', server.instructions);
}
