import { PassThrough } from 'node:stream';

import { Client as ModernClient, ReadBuffer, serializeMessage } from '@modelcontextprotocol/client';
import * as stdio4 from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as stdio1 from 'sdk-2024-11-05/shared/stdio.js';
import * as stdio2 from 'sdk-2025-03-26/shared/stdio.js';
import * as stdio3 from 'sdk-2025-06-18/shared/stdio.js';

import { REVISIONS, type Revision } from '../../../src/protocol/revision.ts';
import { LEGACY_SDKS, type LegacySdk } from '../interop/legacySdks.ts';

/** How an SDK takes messages from a stream of bytes, and puts them on one. */
interface Framing {
  readonly ReadBuffer: new () => {
    append(chunk: Buffer): void;
    readMessage(): unknown;
  };
  readonly serializeMessage: (message: never) => string;
}

/** What came of one request. */
export type Answer =
  | { readonly kind: 'result'; readonly result: Record<string, unknown> }
  | { readonly kind: 'error'; readonly error: Error & { code?: unknown; data?: unknown } };

/** A client of a real SDK at two streams. */
export interface Peer {
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** What the SDK did not take, or could not make sense of. */
  readonly complaints: string[];
  connect(): Promise<void>;
  ask(method: string, params: Record<string, unknown>, onProgress?: () => void): Promise<Answer>;
  close(): Promise<void>;
}

/** The revisions that have a client SDK of their own. */
export type PeerRevision = Exclude<Revision, 'draft'>;

export const PEERS = REVISIONS.filter((revision) => revision !== 'draft');

const FRAMINGS: Readonly<Record<PeerRevision, unknown>> = {
  '2024-11-05': stdio1,
  '2025-03-26': stdio2,
  '2025-06-18': stdio3,
  '2025-11-25': stdio4,
  '2026-07-28': { ReadBuffer, serializeMessage },
};

/** Nothing in these tests takes a moment: whoever waits for so long waits in vain. */
const TIMEOUT_MS = 10_000;

/** A client whose messages the SDK's own code reads from the bytes, as its stdio transport does. */
export function peerOf(revision: PeerRevision): Peer {
  const input = new PassThrough();
  const output = new PassThrough();
  const complaints: string[] = [];
  const transport = overStreams(input, output, FRAMINGS[revision] as Framing);
  const complain = (error: unknown): void => void complaints.push(String(error));
  const info = { name: 'facts', version: '1.0.0' };
  const sdk = LEGACY_SDKS.find((each) => each.revision === revision);
  const ask =
    sdk === undefined ? modern(info, transport, complain) : legacy(sdk, info, transport, complain);
  return { input, output, complaints, ...ask };
}

type Asking = Pick<Peer, 'connect' | 'ask' | 'close'>;
type Info = { name: string; version: string };

function legacy(
  { Client, types }: LegacySdk,
  info: Info,
  transport: Transport,
  complain: (error: unknown) => void,
): Asking {
  const client = new Client(info, { capabilities: {} });
  client.onerror = complain;
  const schemas = {
    'tools/list': types.ListToolsResultSchema,
    'tools/call': types.CallToolResultSchema,
    'prompts/list': types.ListPromptsResultSchema,
    'prompts/get': types.GetPromptResultSchema,
    'resources/list': types.ListResourcesResultSchema,
    'resources/templates/list': types.ListResourceTemplatesResultSchema,
    'resources/read': types.ReadResourceResultSchema,
    'completion/complete': types.CompleteResultSchema,
  };
  return {
    connect: () => client.connect(transport),
    ask: (method, params, onprogress) =>
      outcomeOf(
        client.request(
          { method, params },
          schemas[method as keyof typeof schemas] ?? types.EmptyResultSchema,
          options(onprogress),
        ),
      ),
    close: () => client.close(),
  };
}

function modern(info: Info, transport: Transport, complain: (error: unknown) => void): Asking {
  const client = new ModernClient(info, {
    capabilities: {},
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  client.onerror = complain;
  return {
    connect: () => client.connect(transport),
    ask: (method, params, onprogress) =>
      outcomeOf(client.request({ method: method as 'ping', params } as never, options(onprogress))),
    close: () => client.close(),
  };
}

function options(onprogress: (() => void) | undefined): object {
  return { timeout: TIMEOUT_MS, ...(onprogress !== undefined && { onprogress }) };
}

async function outcomeOf(answer: Promise<unknown>): Promise<Answer> {
  try {
    return { kind: 'result', result: (await answer) as Record<string, unknown> };
  } catch (error) {
    return { kind: 'error', error: error as Error };
  }
}

function overStreams(input: PassThrough, output: PassThrough, framing: Framing): Transport {
  const buffer = new framing.ReadBuffer();
  const read = (): boolean => {
    try {
      const message = buffer.readMessage();
      if (message === null) return false;
      transport.onmessage?.(message as never);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
    return true;
  };
  const transport: Transport = {
    start: () => {
      input.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        while (read());
      });
      return Promise.resolve();
    },
    send: (message) => {
      output.write(framing.serializeMessage(message as never));
      return Promise.resolve();
    },
    close: () => {
      output.end();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}
