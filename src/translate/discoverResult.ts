import { withMeta } from '../protocol/metaEdit.ts';
import { Meta } from '../protocol/meta.ts';
import { removeMember, setMember } from '../protocol/rawEdit.ts';
import { getAt, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { MODERN_REVISIONS } from '../protocol/revision.ts';
import { withExtensionInstead } from './tasks/capability.ts';

/** What an InitializeResult says of a server. */
export interface Introduction {
  readonly capabilities: RawJson;
  readonly serverInfo: RawJson | undefined;
  /** The whole of it, as it came; undefined where there was none. */
  readonly raw: RawJson | undefined;
}

/** The answer to `server/discover` for a server of the legacy era (2026-07-28, Discovery, DiscoverResult). */
export function discoverResult(server: Introduction): RawJson {
  let result = setMember(server.raw ?? toRaw({}), 'resultType', toRaw('complete'));
  result = setMember(result, 'supportedVersions', toRaw(MODERN_REVISIONS));
  const { capabilities } = server;
  const makesTasks = getAt(capabilities, ['tasks', 'requests', 'tools', 'call']) !== undefined;
  const modern = makesTasks ? withExtensionInstead(capabilities) : capabilities;
  result = setMember(result, 'capabilities', modern);
  result = setMember(result, 'ttlMs', toRaw(0));
  result = setMember(result, 'cacheScope', toRaw('private'));
  for (const key of ['protocolVersion', 'serverInfo']) result = removeMember(result, key);
  return withServerInfo(result, server.serverInfo);
}

/** A result of the bridge's own that says whose it is (2026-07-28, Overview, `_meta`, per-response fields). */
export function withServerInfo(result: RawJson, serverInfo: RawJson | undefined): RawJson {
  if (serverInfo === undefined) return result;
  return withMeta(result, Meta.serverInfo, serverInfo);
}
