import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

import type { Revision } from '../../../src/protocol/revision.ts';
import { LEGACY_SDKS, type LegacySdk } from '../interop/legacySdks.ts';

export const OLD_REVISIONS = LEGACY_SDKS.map(({ revision }) => revision);

export function oldSdk(revision: Revision): LegacySdk {
  const sdk = LEGACY_SDKS.find((each) => each.revision === revision);
  if (sdk === undefined) throw new Error(`There is no legacy SDK of ${revision}.`);
  return sdk;
}

/** A client of a past SDK over HTTP+SSE, and what it was told and asked. */
export interface SseClientPeer {
  readonly client: Client;
  readonly heard: string[];
  readonly asked: string[];
}

export async function connectSse(revision: Revision, url: string): Promise<SseClientPeer> {
  const sdk = oldSdk(revision);
  const capabilities = { sampling: {}, roots: {} };
  const client = new sdk.Client({ name: 'old', version: '1.0.0' }, { capabilities });
  const heard: string[] = [];
  const asked: string[] = [];
  const { types } = sdk;
  client.setRequestHandler(types.CreateMessageRequestSchema, () => {
    asked.push('sampling');
    return { role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } };
  });
  client.setRequestHandler(types.ListRootsRequestSchema, () => {
    asked.push('roots');
    return { roots: [{ uri: 'file:///work' }] };
  });
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => {
    heard.push('tools');
  });
  client.setNotificationHandler(types.LoggingMessageNotificationSchema, () => {
    heard.push('log');
  });
  await client.connect(new sdk.Sse(new URL(url)));
  return { client, heard, asked };
}

const ATTEMPTS = 5;

/**
 * The steps that a call tells of. A client that is kept from running reads progress and answer in one and loses the
 * progress, as it nearly always does of a server that it talks to directly; one call of these few says enough.
 */
export async function progressOf(client: Client): Promise<readonly number[]> {
  let steps: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && steps.length < 3; attempt++) {
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }): number => seen.push(progress);
    await client.callTool({ name: 'test_tool_with_progress' }, undefined, { onprogress });
    steps = seen;
  }
  return steps;
}
