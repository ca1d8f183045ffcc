import type { Rule, Step } from '../../../fixtures/raw/script.ts';
import type { Members } from '../../../support/rawClient.ts';

export const LISTEN = 'subscriptions/listen';
export const UPDATED = 'notifications/resources/updated';
export const TOOLS_CHANGED = 'notifications/tools/list_changed';

/** Says that it announces changes of its tools, or of its resources, or of both. */
export function discovers(capabilities: Members): Rule {
  const result = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities,
    ttlMs: 0,
    cacheScope: 'private',
  };
  return { on: 'server/discover', steps: [{ result }] };
}

export const watchesResources = discovers({ resources: { subscribe: true } });
export const announcesTools = discovers({ tools: { listChanged: true } });

/** What a server tells on the stream that the message in hand has opened. */
export function tells(method: string, params: Members = {}): Step {
  const _meta = { 'io.modelcontextprotocol/subscriptionId': '$ID' };
  return { send: { jsonrpc: '2.0', method, params: { ...params, _meta } } };
}

/** Agrees to tell of these resources, or of the tools where none is named. */
export function agrees(...uris: readonly string[]): Step {
  const notifications =
    uris.length > 0 ? { resourceSubscriptions: uris } : { toolsListChanged: true };
  return tells('notifications/subscriptions/acknowledged', { notifications });
}

/** A rule for the stream that is to be opened. */
export function listening(steps: readonly Step[], more: Partial<Rule> = {}): Rule {
  return { on: LISTEN, sse: true, ...more, steps: [...steps, { hang: true }] };
}

/** The request to be told of a resource. */
export function subscribeLine(id: number, uri: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri } });
}
