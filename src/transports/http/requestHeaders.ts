import type { IncomingHttpHeaders } from 'node:http';
import { eraOf, isRevision } from '../../protocol/revision.ts';

/** What the `MCP-Protocol-Version` header of a request says. */
export type StatedVersion =
  | { readonly kind: 'absent' }
  | { readonly kind: 'legacy'; readonly version: string }
  | { readonly kind: 'modern'; readonly version: string }
  | { readonly kind: 'unknown'; readonly version: string };

export function statedVersion(headers: IncomingHttpHeaders): StatedVersion {
  const version = headers['mcp-protocol-version'];
  if (typeof version !== 'string') return { kind: 'absent' };
  return isRevision(version) ? { kind: eraOf(version), version } : { kind: 'unknown', version };
}

/** How much a client wants a media type, and where in its `Accept` header it says so. */
export interface Wanted {
  /** From 0, which is not at all, to 1. */
  readonly quality: number;
  readonly place: number;
}

/** What an `Accept` header says of a media type; the entry that fits it most closely counts (RFC 9110, section 12.5.1). */
export function wanted(accept: string | undefined, type: string): Wanted {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  const entries = (accept ?? '').split(',').map((entry, place) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    return { name, place, quality: Number.isNaN(quality) ? 1 : quality };
  });
  for (const name of [type, family, '*/*']) {
    const entry = entries.find((each) => each.name === name);
    if (entry !== undefined) return entry;
  }
  return { quality: 0, place: entries.length };
}

/** True where an `Accept` header takes this media type, by name or by a wildcard. */
export function accepts(accept: string | undefined, type: string): boolean {
  return wanted(accept, type).quality > 0;
}

/** The media type of a body without its parameters, in lower case. */
export function mediaType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
