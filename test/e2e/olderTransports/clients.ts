import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as sse4 from '@modelcontextprotocol/sdk/client/sse.js';
import * as sse1 from 'sdk-2024-11-05/client/sse.js';
import * as sse2 from 'sdk-2025-03-26/client/sse.js';
import * as sse3 from 'sdk-2025-06-18/client/sse.js';
import { EventSource } from 'undici';

import type { Revision } from '../../../src/protocol/revision.ts';
import { LEGACY_SDKS, type LegacySdk } from '../interop/legacySdks.ts';

// The oldest client takes the one of its surroundings, which was a browser.
Object.assign(globalThis, { EventSource });

type Transport = Parameters<Client['connect']>[0];

/** The HTTP+SSE transport of each SDK. */
const TRANSPORTS: ReadonlyMap<Revision, { SSEClientTransport: unknown }> = new Map<
  Revision,
  { SSEClientTransport: unknown }
>([
  ['2024-11-05', sse1],
  ['2025-03-26', sse2],
  ['2025-06-18', sse3],
  ['2025-11-25', sse4],
]);

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
  const { SSEClientTransport } = TRANSPORTS.get(revision) as {
    SSEClientTransport: new (url: URL) => Transport;
  };
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
  await client.connect(new SSEClientTransport(new URL(url)));
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
