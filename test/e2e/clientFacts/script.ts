import type { Rule, Script } from '../../fixtures/raw/script.ts';
import type { Era } from '../../support/everything.ts';
import type { Row } from './rows/row.ts';
import { ROWS } from './rows/rows.ts';

const CAPABILITIES = {
  tools: {},
  prompts: {},
  resources: { subscribe: true },
  completions: {},
  logging: {},
};
const serverInfo = { name: 'facts', version: '1.0.0' };
const OWED = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** How a row is named in its request: every method has a place for it. */
const tag = (row: Row): string => `row-${ROWS.indexOf(row)}`;

/** The params of the request that a row answers. */
export function paramsOf(row: Row): Record<string, unknown> {
  const name = tag(row);
  switch (row.method) {
    case 'tools/call':
    case 'prompts/get':
      return { name };
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { uri: name };
    case 'completion/complete':
      return { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: name } };
    case 'logging/setLevel':
      return { level: 'info', _meta: { row: name } };
    case 'ping':
      return { _meta: { row: name } };
    default:
      return { cursor: name };
  }
}

function ruleOf(row: Row, era: Era): Rule {
  const { method, lines, result } = row;
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  const whole = era === 'modern' && isObject ? { ...OWED, ...result } : result;
  const steps = lines?.map((line) => ({ line })) ?? [{ result: whole }];
  return { on: method, contains: `"${tag(row)}"`, steps };
}

/** A server of an era that answers each request with the row that it names. */
export function scriptOf(era: Era, rows: readonly Row[]): Script {
  const opened =
    era === 'modern'
      ? {
          ...OWED,
          supportedVersions: ['2026-07-28'],
          capabilities: CAPABILITIES,
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        }
      : { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, serverInfo };
  const on = era === 'modern' ? 'server/discover' : 'initialize';
  return { rules: [{ on, steps: [{ result: opened }] }, ...rows.map((row) => ruleOf(row, era))] };
}
