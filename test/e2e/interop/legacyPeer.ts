import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';

import type { LegacySdk } from './legacySdks.ts';
import { fillIn, ROOT, SAMPLE, type Capabilities, type Peer, type ToolResult } from './peer.ts';
import { legacySchemas } from './schemas.ts';
import { Wire } from './wire.ts';

/** Connects a client of the legacy era that answers whatever it declares it can be asked. */
export async function openLegacyPeer(
  sdk: LegacySdk,
  transport: Transport,
  capabilities: Capabilities,
  sayGoodbye: () => Promise<void> = async () => undefined,
): Promise<Peer> {
  const client = new sdk.Client(
    { name: `interop-${sdk.revision}`, version: sdk.version },
    { capabilities: { ...capabilities } },
  );
  const wire = new Wire(transport, legacySchemas(sdk.types));
  const complaints: string[] = [];
  let open = true;
  const peer: Peer = {
    wire,
    complaints,
    get pid() {
      return pidOf(transport);
    },
    onElicit: fillIn,
    introduction: () => {
      const { instructions, protocolVersion } = wire.resultOf('initialize') ?? {};
      return {
        info: client.getServerVersion(),
        capabilities: client.getServerCapabilities(),
        instructions,
        revision: protocolVersion,
      };
    },
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args = {}, { progressToken, ...options } = {}) => {
      if (progressToken === undefined) {
        return client.callTool(
          { name, arguments: args },
          undefined,
          options,
        ) as Promise<ToolResult>;
      }
      const params = { name, arguments: args, _meta: { progressToken } };
      return client.request({ method: 'tools/call', params }, sdk.types.CallToolResultSchema);
    },
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name, args) =>
      (await client.getPrompt({ name, ...(args && { arguments: args }) })).messages,
    complete: async ({ prompt: name, argument, context }) => {
      const more = context === undefined ? {} : { context: { arguments: context } };
      const params = { ref: { type: 'ref/prompt' as const, name }, argument, ...more };
      return (await client.complete(params)).completion.values;
    },
    listResources: async () => (await client.listResources()).resources,
    listResourceTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    setLogLevel: async (level) => void (await client.setLoggingLevel(level)),
    // A server of this era says it unasked.
    watchLists: async () => async () => undefined,
    watchResource: async (uri) => {
      await client.subscribeResource({ uri });
      return async () => void (await client.unsubscribeResource({ uri }));
    },
    ping: () => client.ping(),
    rootsChanged: () => client.sendRootsListChanged(),
    request: (method, params) => client.request({ method, params }, sdk.types.ResultSchema),
    close: async () => {
      if (!open) return;
      open = false;
      wire.leave();
      await sayGoodbye();
      await client.close();
    },
  };
  client.onerror = (error) => complaints.push(String(error));
  const { CreateMessageRequestSchema, ListRootsRequestSchema, ElicitRequestSchema } = sdk.types;
  if (capabilities['sampling'] !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLE);
  }
  if (capabilities['roots'] !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [ROOT] }));
  }
  if (capabilities['elicitation'] !== undefined && ElicitRequestSchema !== undefined) {
    client.setRequestHandler(
      ElicitRequestSchema,
      ({ params }) => peer.onElicit({ ...params }) as ElicitResult,
    );
  }
  await client.connect(transport);
  return peer;
}

/** The process that a transport has started; the older ones keep it to themselves. */
function pidOf(transport: Transport): number | undefined {
  return (transport as { _process?: { pid?: number } })._process?.pid;
}
