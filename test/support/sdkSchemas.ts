import * as of20251125 from '@modelcontextprotocol/sdk/types.js';
import { specTypeSchemas as modern } from '@modelcontextprotocol/server';
import * as of20241105 from 'sdk-2024-11-05/types.js';
import * as of20250326 from 'sdk-2025-03-26/types.js';
import * as of20250618 from 'sdk-2025-06-18/types.js';

import type { Revision } from '../../src/protocol/revision.ts';

export interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

/** What the SDK of a revision takes as the result of a request, and as the params of a question, by method. */
export interface SdkSchemas {
  /** Any message at all. */
  readonly message: Schema;
  /** A result without members of its own. */
  readonly empty: Schema;
  readonly results: ReadonlyMap<string, Schema>;
  readonly questions: ReadonlyMap<string, Schema>;
}

type Types = Omit<typeof of20251125, 'ElicitRequestSchema'> & {
  /** From 2025-06-18 on. */
  readonly ElicitRequestSchema?: (typeof of20251125)['ElicitRequestSchema'];
};

function legacy(types: object): SdkSchemas {
  const sdk = types as Types;
  const { ElicitRequestSchema } = sdk;
  return {
    message: sdk.JSONRPCMessageSchema,
    empty: sdk.EmptyResultSchema,
    results: new Map<string, Schema>([
      ['tools/list', sdk.ListToolsResultSchema],
      ['tools/call', sdk.CallToolResultSchema],
      ['prompts/list', sdk.ListPromptsResultSchema],
      ['prompts/get', sdk.GetPromptResultSchema],
      ['resources/list', sdk.ListResourcesResultSchema],
      ['resources/templates/list', sdk.ListResourceTemplatesResultSchema],
      ['resources/read', sdk.ReadResourceResultSchema],
      ['completion/complete', sdk.CompleteResultSchema],
    ]),
    questions: new Map<string, Schema>([
      ['sampling/createMessage', sdk.CreateMessageRequestSchema],
      ['roots/list', sdk.ListRootsRequestSchema],
      ...(ElicitRequestSchema === undefined
        ? []
        : [['elicitation/create', ElicitRequestSchema] as const]),
    ]),
  };
}

const MODERN: SdkSchemas = {
  message: modern.JSONRPCMessage as unknown as Schema,
  empty: modern.EmptyResult as unknown as Schema,
  results: new Map<string, Schema>([
    ['tools/list', modern.ListToolsResult as unknown as Schema],
    ['tools/call', modern.CallToolResult as unknown as Schema],
    ['prompts/list', modern.ListPromptsResult as unknown as Schema],
    ['prompts/get', modern.GetPromptResult as unknown as Schema],
    ['resources/list', modern.ListResourcesResult as unknown as Schema],
    ['resources/templates/list', modern.ListResourceTemplatesResult as unknown as Schema],
    ['resources/read', modern.ReadResourceResult as unknown as Schema],
    ['completion/complete', modern.CompleteResult as unknown as Schema],
  ]),
  questions: new Map<string, Schema>([
    ['sampling/createMessage', modern.CreateMessageRequest as unknown as Schema],
    ['roots/list', modern.ListRootsRequest as unknown as Schema],
    ['elicitation/create', modern.ElicitRequest as unknown as Schema],
  ]),
};

/** The schemas by which a real reader of each revision judges what it is sent. */
export const SDK_SCHEMAS: Readonly<Record<Revision, SdkSchemas>> = {
  '2024-11-05': legacy(of20241105),
  '2025-03-26': legacy(of20250326),
  '2025-06-18': legacy(of20250618),
  '2025-11-25': legacy(of20251125),
  '2026-07-28': MODERN,
  draft: MODERN,
};
