import { Meta } from '../protocol/meta.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { toRaw, type RawJson } from '../protocol/rawJson.ts';
import { MODERN_REVISIONS } from '../protocol/revision.ts';
import { objectsOnly } from './capabilities.ts';

/** What an InitializeResult says of a server. */
export interface Introduction {
  readonly capabilities: RawJson;
  readonly serverInfo: RawJson | undefined;
  readonly instructions: RawJson | undefined;
}

/** The answer to `server/discover` for a server of the legacy era (2026-07-28, Discovery, DiscoverResult). */
export function discoverResult(server: Introduction): RawJson {
  let result = toRaw({ resultType: 'complete', supportedVersions: MODERN_REVISIONS });
  result = setMember(result, 'capabilities', objectsOnly(server.capabilities));
  if (server.instructions !== undefined) {
    result = setMember(result, 'instructions', server.instructions);
  }
  result = setMember(result, 'ttlMs', toRaw(0));
  result = setMember(result, 'cacheScope', toRaw('private'));
  return withServerInfo(result, server.serverInfo);
}

/** A result of the bridge's own that says whose it is (2026-07-28, Overview, `_meta`, per-response fields). */
export function withServerInfo(result: RawJson, serverInfo: RawJson | undefined): RawJson {
  if (serverInfo === undefined) return result;
  return setMember(result, '_meta', setMember(toRaw({}), Meta.serverInfo, serverInfo));
}
