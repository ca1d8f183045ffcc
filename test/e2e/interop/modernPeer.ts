import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';

import {
  fillIn,
  ROOT,
  SAMPLE,
  type Capabilities,
  type Members,
  type Peer,
  type StdioCommand,
} from './peer.ts';
import { modernSchemas } from './schemas.ts';
import { Wire } from './wire.ts';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const FRESH = { cacheMode: 'refresh' } as const;

export function spawnModern({ onStderr, ...command }: StdioCommand): StdioClientTransport {
  const transport = new StdioClientTransport({ ...command, stderr: 'pipe' });
  if (transport.stderr !== null) onStderr(transport.stderr);
  return transport;
}

/** Connects a client that speaks 2026-07-28 alone, and answers whatever it declares it can be asked. */
export async function openModernPeer(
  transport: Transport & { readonly pid?: number | null },
  capabilities: Capabilities,
): Promise<Peer> {
  const client = new Client(
    { name: 'interop-2026-07-28', version: '2.4.0' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const wire = new Wire(transport, modernSchemas);
  const complaints: string[] = [];
  let level: string | undefined;
  const metaOf = (progressToken: string | undefined): { _meta?: Members } => {
    const _meta = {
      ...(progressToken !== undefined && { progressToken }),
      ...(level !== undefined && { [LOG_LEVEL]: level }),
    };
    return Object.keys(_meta).length === 0 ? {} : { _meta };
  };
  const listen = async (filter: Parameters<Client['listen']>[0]): Promise<() => Promise<void>> => {
    const stream = await client.listen(filter);
    return () => stream.close();
  };
  const peer: Peer = {
    wire,
    complaints,
    get pid() {
      return transport.pid ?? undefined;
    },
    onElicit: fillIn,
    introduction: () => ({
      info: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
      revision: client.getNegotiatedProtocolVersion(),
    }),
    listTools: async () => (await client.listTools(undefined, FRESH)).tools,
    callTool: async (name, args = {}, { progressToken, ...options } = {}) =>
      client.callTool({ name, arguments: args, ...metaOf(progressToken) }, options),
    listPrompts: async () => (await client.listPrompts(undefined, FRESH)).prompts,
    getPrompt: async (name, args) =>
      (await client.getPrompt({ name, ...(args && { arguments: args }) })).messages,
    complete: async ({ prompt: name, argument, context }) => {
      const more = context === undefined ? {} : { context: { arguments: context } };
      const params = { ref: { type: 'ref/prompt' as const, name }, argument, ...more };
      return (await client.complete(params)).completion.values;
    },
    listResources: async () => (await client.listResources(undefined, FRESH)).resources,
    listResourceTemplates: async () =>
      (await client.listResourceTemplates(undefined, FRESH)).resourceTemplates,
    readResource: async (uri) => (await client.readResource({ uri }, FRESH)).contents,
    setLogLevel: async (wanted) => void (level = wanted),
    watchLists: () =>
      listen({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }),
    watchResource: (uri) => listen({ resourceSubscriptions: [uri] }),
    ping: () => client.ping(),
    rootsChanged: () => client.sendRootsListChanged(),
    request: (method, params) => client.request({ method, params }, z.looseObject({})),
    close: () => {
      wire.leave();
      return client.close();
    },
  };
  client.onerror = (error) => complaints.push(String(error));
  if (capabilities['elicitation'] !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => peer.onElicit({ ...params }));
  }
  if (capabilities['sampling'] !== undefined) {
    client.setRequestHandler('sampling/createMessage', () => SAMPLE);
  }
  if (capabilities['roots'] !== undefined) {
    client.setRequestHandler('roots/list', () => ({ roots: [ROOT] }));
  }
  await client.connect(transport);
  return peer;
}
