import { specTypeSchemas } from '@modelcontextprotocol/client';

import type { LegacySdk } from './legacySdks.ts';
import type { Members } from './peer.ts';

/** Says what is wrong with a value; nothing where nothing is. */
type Check = (value: unknown) => string | undefined;

/** What an SDK takes for well-formed. */
export interface Schemas {
  readonly message: Check;
  readonly request: Check;
  readonly notification: Check;
  /** By the method that was asked. */
  readonly results: ReadonlyMap<string, Check>;
}

interface ZodSchema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

/** The schemas of a client SDK of the legacy era: of results, too, which it applies only to those it asked for itself. */
export function legacySchemas(types: LegacySdk['types']): Schemas {
  const check =
    (schema: ZodSchema): Check =>
    (value) => {
      const { success, error } = schema.safeParse(value);
      return success ? undefined : String(error);
    };
  return {
    message: check(types.JSONRPCMessageSchema),
    request: check(types.ServerRequestSchema),
    notification: check(types.ServerNotificationSchema),
    results: new Map([
      ['initialize', check(types.InitializeResultSchema)],
      ['ping', check(types.EmptyResultSchema)],
      ['logging/setLevel', check(types.EmptyResultSchema)],
      ['resources/subscribe', check(types.EmptyResultSchema)],
      ['resources/unsubscribe', check(types.EmptyResultSchema)],
      ['tools/list', check(types.ListToolsResultSchema)],
      ['tools/call', check(types.CallToolResultSchema)],
      ['prompts/list', check(types.ListPromptsResultSchema)],
      ['prompts/get', check(types.GetPromptResultSchema)],
      ['resources/list', check(types.ListResourcesResultSchema)],
      ['resources/templates/list', check(types.ListResourceTemplatesResultSchema)],
      ['resources/read', check(types.ReadResourceResultSchema)],
      ['completion/complete', check(types.CompleteResultSchema)],
    ]),
  };
}

type SpecType = keyof typeof specTypeSchemas;

function spec(name: SpecType): Check {
  return (value) => {
    const outcome = specTypeSchemas[name]['~standard'].validate(value);
    if (outcome instanceof Promise) return 'The SDK checks it in its own time.';
    return outcome.issues === undefined ? undefined : JSON.stringify(outcome.issues);
  };
}

const QUESTIONS: ReadonlyMap<unknown, Check> = new Map([
  ['elicitation/create', spec('ElicitRequest')],
  ['sampling/createMessage', spec('CreateMessageRequest')],
  ['roots/list', spec('ListRootsRequest')],
]);

/** The v2 package checks values of every revision with one set; what only 2026-07-28 demands is checked here beside it. */
function result(name: SpecType, cacheable = false): Check {
  const complete = spec(name);
  return (value) => {
    const { resultType, ttlMs, cacheScope, ...rest } = value as Members;
    if (resultType === 'input_required') return unfinished(rest);
    if (resultType !== 'complete') return `resultType is ${String(resultType)}`;
    if (cacheable && !(Number.isInteger(ttlMs) && Number(ttlMs) >= 0)) {
      return `ttlMs is ${String(ttlMs)}`;
    }
    if (cacheable && cacheScope !== 'public' && cacheScope !== 'private') {
      return `cacheScope is ${String(cacheScope)}`;
    }
    return complete(value);
  };
}

function unfinished({ inputRequests, requestState }: Members): string | undefined {
  if (requestState !== undefined && typeof requestState !== 'string') return 'requestState';
  for (const [key, question] of Object.entries((inputRequests ?? {}) as Members)) {
    const { method, params } = question as Members;
    // The package's one schema demands the id that 2025-11-25 demands and 2026-07-28 does not know.
    const whole =
      (params as Members | undefined)?.['mode'] === 'url'
        ? { method, params: { ...(params as Members), elicitationId: key } }
        : question;
    const problem = QUESTIONS.get(method)?.(whole);
    if (problem !== undefined) return `${key}: ${problem}`;
  }
  return undefined;
}

/** The schemas of the v2 package, for what 2026-07-28 sends to its clients. */
export const modernSchemas: Schemas = {
  message: spec('JSONRPCMessage'),
  request: () => 'A server of 2026-07-28 sends no requests.',
  notification: (value) =>
    (value as Members)['method'] === 'notifications/subscriptions/acknowledged'
      ? spec('SubscriptionsAcknowledgedNotification')(value)
      : spec('ServerNotification')(value),
  results: new Map([
    ['server/discover', result('DiscoverResult', true)],
    ['tools/list', result('ListToolsResult', true)],
    ['tools/call', result('CallToolResult')],
    ['prompts/list', result('ListPromptsResult', true)],
    ['prompts/get', result('GetPromptResult')],
    ['resources/list', result('ListResourcesResult', true)],
    ['resources/templates/list', result('ListResourceTemplatesResult', true)],
    ['resources/read', result('ReadResourceResult', true)],
    ['completion/complete', result('CompleteResult')],
    ['subscriptions/listen', result('SubscriptionsListenResult')],
  ]),
};
