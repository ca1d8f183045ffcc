import { Meta } from '../protocol/meta.ts';
import {
  getAt,
  getMember,
  itemsOf,
  kindOf,
  stringOf,
  type RawJson,
  objectOrEmpty,
} from '../protocol/rawJson.ts';
import { Edition } from '../translate/edition.ts';
import { repairHandshake } from '../translate/handshake.ts';
import { PERMISSIVE } from '../translate/policy.ts';
import type { Step } from '../translate/report.ts';
import { eraOf, isRevision, type Era, type Revision } from '../protocol/revision.ts';
import { answeringResult } from '../translate/capabilities.ts';

/** Who a server says it is, and how the bridge found out what it speaks. */
export interface ServerIdentity {
  readonly revision: Revision;
  readonly era: Era;
  /** How the era was told, for a person: `answered server/discover`. */
  readonly evidence: string;
  readonly capabilities: RawJson;
  readonly serverInfo: RawJson | undefined;
  readonly instructions: RawJson | undefined;
  /**
   * The handshake's whole answer: a DiscoverResult as it came, an InitializeResult as its client can read it; undefined
   * where there was none.
   */
  readonly raw: RawJson | undefined;
  /** What it took to make the answer readable. */
  readonly steps: readonly Step[];
}

/** The modern revisions a list of versions names, newest first, or undefined where there is no list. */
export function versionsIn(raw: RawJson | undefined): Revision[] | undefined {
  if (raw === undefined || kindOf(raw) !== 'array') return undefined;
  return itemsOf(raw).map(stringOf).filter(isRevision).sort().reverse();
}

/** What a DiscoverResult says of a server, or undefined where it is none (2026-07-28, `server/discover`). */
export function readDiscoverResult(
  raw: RawJson,
  revision: Revision,
  evidence: string,
): ServerIdentity | undefined {
  if (versionsIn(getMember(raw, 'supportedVersions')) === undefined) return undefined;
  return {
    revision,
    era: 'modern',
    evidence,
    capabilities: objectOrEmpty(getMember(raw, 'capabilities')),
    serverInfo: getAt(raw, ['_meta', Meta.serverInfo]),
    instructions: getMember(raw, 'instructions'),
    raw,
    steps: [],
  };
}

/**
 * What an InitializeResult says of a server, made whole for the one client that it is for; or the version it named that
 * this build does not know.
 */
export function readInitializeResult(
  given: RawJson,
  evidence: string,
  reader: Revision,
): ServerIdentity | { readonly unknownVersion: string } {
  const version = stringOf(getMember(given, 'protocolVersion'));
  if (!isRevision(version) || eraOf(version) !== 'legacy') {
    return { unknownVersion: version ?? 'none' };
  }
  const edition = new Edition(given, PERMISSIVE);
  repairHandshake(edition, reader);
  const { raw } = edition;
  return {
    revision: version,
    era: 'legacy',
    evidence,
    capabilities: objectOrEmpty(getMember(raw, 'capabilities')),
    serverInfo: getMember(raw, 'serverInfo'),
    instructions: getMember(raw, 'instructions'),
    raw,
    steps: edition.outcome().steps,
  };
}

/** The same server where it can only answer, and the names of what it could do otherwise. */
export function answering(server: ServerIdentity): {
  readonly server: ServerIdentity;
  readonly left: readonly string[];
} {
  if (server.raw === undefined) return { server, left: [] };
  const { result: raw, left } = answeringResult(server.raw);
  const capabilities = objectOrEmpty(getMember(raw, 'capabilities'));
  return { server: { ...server, capabilities, raw }, left };
}

/** True where the server promises a capability, as `tools` or `tools/listChanged`. */
export function promises(server: ServerIdentity, ...path: string[]): boolean {
  const value = getAt(server.capabilities, path);
  return value !== undefined && !['false', 'null'].includes(value.toString('latin1'));
}
