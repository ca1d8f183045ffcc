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

/** True where an `Accept` header takes this media type, by name or by a wildcard. */
export function accepts(accept: string | undefined, type: string): boolean {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  return (accept ?? '').split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false;
    return name === type || name === family || name === '*/*';
  });
}

/** The media type of a body without its parameters, in lower case. */
export function mediaType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
