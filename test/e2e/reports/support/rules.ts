import type { Rule, Script } from '../../../fixtures/raw/script.ts';
import { legacyServer, refuseProbe } from '../../../fixtures/raw/scripts.ts';

/** What a server of the legacy era says to the probe of the modern one. */
export const unprobed = refuseProbe(-32601, 'Method not found');

/** A server of an older revision that says so at once. */
export function legacy(revision: string, ...rules: readonly Rule[]): Script {
  return legacyServer(revision, unprobed, ...rules);
}

/** A rule that answers a method with this result, written as it stands here. */
export function answers(on: string, result: string, more: Partial<Rule> = {}): Rule {
  return { on, ...more, steps: [{ line: `{"jsonrpc":"2.0","id":$ID,"result":${result}}` }] };
}

/** Agrees to a subscription and keeps it open; `later` is what it tells then. */
export function listens(...later: Rule['steps']): Rule {
  const params = {
    _meta: { 'io.modelcontextprotocol/subscriptionId': '$ID' },
    notifications: { toolsListChanged: true },
  };
  const method = 'notifications/subscriptions/acknowledged';
  const acknowledged = { jsonrpc: '2.0', method, params };
  return {
    on: 'subscriptions/listen',
    sse: true,
    steps: [{ send: acknowledged }, ...later, { hang: true }],
  };
}

/** What a modern server says of itself that announces changes of its tools. */
export const discoversChanges: Rule = {
  on: 'server/discover',
  steps: [
    {
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'sum', version: '2.0' } },
      },
    },
  ],
};
