import { Meta } from './meta.ts';
import { getMember, kindOf, stringOf, type RawJson } from './rawJson.ts';

/** What a request of the modern era says of its client (2026-07-28, Overview, `_meta`). */
export interface RequestMeta {
  readonly version: string;
  /** As the client wrote it; a client may leave it out. */
  readonly clientInfo: RawJson | undefined;
  readonly clientCapabilities: RawJson;
  readonly logLevel: RawJson | undefined;
}

export type MetaReading =
  | { readonly kind: 'meta'; readonly meta: RequestMeta }
  /** A required field is missing or of a wrong kind; the request has to be refused as malformed. */
  | { readonly kind: 'malformed'; readonly message: string };

/** Reads the per-request fields of a modern request. */
export function readRequestMeta(params: RawJson | undefined): MetaReading {
  const meta = params && getMember(params, '_meta');
  if (meta === undefined || kindOf(meta) !== 'object') return malformed('`_meta` in its params');
  const version = stringOf(getMember(meta, Meta.protocolVersion));
  if (version === undefined)
    return malformed(`the string \`${Meta.protocolVersion}\` in \`_meta\``);
  const clientCapabilities = getMember(meta, Meta.clientCapabilities);
  if (clientCapabilities === undefined || kindOf(clientCapabilities) !== 'object') {
    return malformed(`the object \`${Meta.clientCapabilities}\` in \`_meta\``);
  }
  const clientInfo = getMember(meta, Meta.clientInfo);
  if (clientInfo !== undefined && kindOf(clientInfo) !== 'object') {
    return malformed(`an object as \`${Meta.clientInfo}\` in \`_meta\``);
  }
  const logLevel = getMember(meta, Meta.logLevel);
  return { kind: 'meta', meta: { version, clientInfo, clientCapabilities, logLevel } };
}

/** The version that a message states in its `_meta`, which makes it one of the modern era. */
export function versionInMeta(params: RawJson | undefined): string | undefined {
  const meta = params && getMember(params, '_meta');
  return meta && stringOf(getMember(meta, Meta.protocolVersion));
}

function malformed(missing: string): MetaReading {
  return { kind: 'malformed', message: `A request of this revision needs ${missing}.` };
}
