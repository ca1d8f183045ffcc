import { Meta } from '../protocol/meta.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, kindOf, objectOrEmpty, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';

/** What a modern request says in `_meta` (2026-07-28, Overview, `_meta`). */
export interface RequestMeta {
  readonly revision: Revision;
  readonly clientInfo: RawJson | undefined;
  readonly clientCapabilities: RawJson;
  readonly logLevel: RawJson | undefined;
}

/**
 * A request's params as a modern server demands them: the protocol's keys inserted into `_meta`, all else kept. Params
 * by position have no room for them and cross as they are, for the server to refuse.
 */
export function toModernParams(params: RawJson | undefined, says: RequestMeta): RawJson {
  const object = params ?? toRaw({});
  if (kindOf(object) !== 'object') return object;
  let meta = objectOrEmpty(getMember(object, '_meta'));
  meta = setMember(meta, Meta.protocolVersion, toRaw(says.revision));
  if (says.clientInfo !== undefined) meta = setMember(meta, Meta.clientInfo, says.clientInfo);
  meta = setMember(meta, Meta.clientCapabilities, says.clientCapabilities);
  if (says.logLevel !== undefined) meta = setMember(meta, Meta.logLevel, says.logLevel);
  return setMember(object, '_meta', meta);
}
