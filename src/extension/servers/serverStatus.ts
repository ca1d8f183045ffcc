import type { ServerState } from '../../bridge/events.ts';

/** How a server fares, for all who show it. */
export type ServerStatus =
  | { readonly kind: 'restricted' }
  | { readonly kind: 'disabled' }
  /** `declined`: the user has said no in this window. */
  | { readonly kind: 'needsConsent'; readonly declined: boolean }
  | { readonly kind: 'starting'; readonly lastLine: string | undefined }
  | Exclude<ServerState, { kind: 'starting' }>;

/** Why a client is not served, in words that say what to do. */
export function reasonNotToServe(name: string, status: ServerStatus): string {
  switch (status.kind) {
    case 'disabled':
      return `The server "${name}" is disabled in its configuration.`;
    case 'restricted':
      return `The server "${name}" does not run in Restricted Mode; trust the workspace first.`;
    case 'needsConsent':
      return `The server "${name}" has not been allowed to run; review it in the view MCP Rosetta.`;
    case 'failed':
    case 'needsSignIn':
      return status.message;
    case 'stopped':
    case 'starting':
    case 'signingIn':
    case 'running':
      return `The server "${name}" was stopped; start it in the view MCP Rosetta.`;
  }
}
