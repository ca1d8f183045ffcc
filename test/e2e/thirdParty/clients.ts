import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

import type { CommandLine } from '../../support/childProcess.ts';
import { LEGACY_SDKS, type LegacySdk } from '../interop/legacySdks.ts';

export type ClientName = '2024-11-05' | '2025-11-25' | '2026-07-28';

/** A client of any era, as far as these tests need one; whatever reaches it is checked by its SDK. */
export interface Peer {
  tools(): Promise<readonly string[]>;
  /** The result's texts, joined; a tool's own error throws. */
  call(name: string, input?: Readonly<Record<string, unknown>>): Promise<string>;
  /** What the client was asked, in order. */
  readonly asked: readonly string[];
  /** Messages that the SDK could not read or place. */
  readonly faults: readonly Error[];
  close(): Promise<void>;
}

const info = { name: 'third-party-test', version: '1.0.0' };

/** What every client of the tests can be asked; the oldest revision has no more than the first two. */
const OLDEST = { sampling: {}, roots: { listChanged: true } };
const CAPABILITIES: Readonly<Record<ClientName, object>> = {
  '2024-11-05': OLDEST,
  '2025-11-25': { ...OLDEST, elicitation: { form: {}, url: {} } },
  '2026-07-28': { ...OLDEST, elicitation: { form: {}, url: {} } },
};

/** Starts a command and connects a client to it; `roots` is the folder the client offers. */
export async function connect(
  revision: ClientName,
  { command, args }: CommandLine,
  environment: Readonly<Record<string, string>>,
  roots: string,
): Promise<Peer> {
  const env = { ...process.env, ...environment } as Record<string, string>;
  const server = { command, args: [...args], env, stderr: 'ignore' as const };
  const asked: string[] = [];
  const faults: Error[] = [];
  const answers = {
    sample: () => {
      asked.push('sampling');
      const content = { type: 'text' as const, text: 'Paris' };
      return { role: 'assistant' as const, model: 'none', content };
    },
    roots: () => {
      asked.push('roots');
      return { roots: [{ uri: `file://${roots}`, name: 'offered' }] };
    },
    elicit: (params: { readonly message: string; readonly url?: string }) => {
      asked.push(params.url ?? params.message);
      const content = { name: 'Ada' };
      return params.url === undefined
        ? { action: 'accept' as const, content }
        : { action: 'accept' as const };
    },
  };
  const client =
    revision === '2026-07-28'
      ? modernClient(CAPABILITIES[revision], answers)
      : legacyClient(revision, CAPABILITIES[revision], answers);
  client.onerror = (error) => void faults.push(error);
  const transport =
    revision === '2026-07-28' ? new ModernTransport(server) : new (sdkOf(revision).Stdio)(server);
  await client.connect(transport);
  return {
    asked,
    faults,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input = {}) => {
      const request = { name, arguments: input };
      return textOf((await client.callTool(request)) as CallToolResult);
    },
    close: () => client.close(),
  };
}

interface Answers {
  readonly sample: () => {
    readonly role: 'assistant';
    readonly model: string;
    readonly content: { readonly type: 'text'; readonly text: string };
  };
  readonly roots: () => { readonly roots: { readonly uri: string; readonly name: string }[] };
  readonly elicit: (params: { readonly message: string; readonly url?: string }) => {
    readonly action: 'accept';
    readonly content?: { readonly name: string };
  };
}

function sdkOf(revision: ClientName): LegacySdk {
  const sdk = LEGACY_SDKS.find((each) => each.revision === revision);
  if (sdk === undefined) throw new Error(`There is no legacy SDK of ${revision}.`);
  return sdk;
}

function legacyClient(
  revision: ClientName,
  capabilities: object,
  { sample, roots, elicit }: Answers,
) {
  const { Client, types } = sdkOf(revision);
  const client = new Client(info, { capabilities });
  client.setRequestHandler(types.CreateMessageRequestSchema, sample);
  client.setRequestHandler(types.ListRootsRequestSchema, roots);
  if (types.ElicitRequestSchema !== undefined) {
    client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => elicit(params));
  }
  return client;
}

function modernClient(capabilities: object, { sample, roots, elicit }: Answers) {
  const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;
  const client = new ModernClient(info, { capabilities, versionNegotiation });
  client.setRequestHandler('sampling/createMessage', sample);
  client.setRequestHandler('roots/list', roots);
  client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
  return client;
}

function textOf({ content, isError }: CallToolResult): string {
  const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
  if (isError === true) throw new Error(text);
  return text;
}
