import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientCapabilities, ElicitResult } from '@modelcontextprotocol/sdk/types.js';

import type { ClientSdk } from './sdks.ts';
import { Wire, type WireMessage } from './wire.ts';

/** Answers to forms, for the tests that care what was asked. */
export type OnElicit = (params: NonNullable<WireMessage['params']>) => ElicitResult;

/** A connected client of a real SDK. */
export interface Peer {
  readonly client: Client;
  readonly wire: Wire;
  /** What the client itself complained of, beside what the wire found. */
  readonly complaints: string[];
  /** Set to answer a form in a way of the test's own. */
  onElicit: OnElicit;
  close(): Promise<void>;
}

export const SAMPLED = { type: 'text' as const, text: 'Paris' };
export const ROOT = { uri: 'file:///workspace', name: 'workspace' };

interface Field {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'array';
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string }[];
  readonly anyOf?: Field['oneOf'];
  readonly items?: Field;
}

const VALUES = { string: 'Ada', boolean: true, integer: 7, number: 1.5 };

function valueOf({ type, items, ...field }: Field): unknown {
  if (type === 'array') return items === undefined ? [] : [valueOf(items)];
  return field.enum?.[0] ?? (field.oneOf ?? field.anyOf)?.[0]?.const ?? VALUES[type];
}

/** Fills in every field of a form, as a user in a hurry would. */
export const fillIn: OnElicit = ({ requestedSchema }) => {
  const { properties } = requestedSchema as { properties: Record<string, Field> };
  const content = Object.entries(properties).map(([name, field]) => [name, valueOf(field)]);
  return { action: 'accept', content: Object.fromEntries(content) as ElicitResult['content'] };
};

/** Connects a client that answers whatever it declares it can be asked. */
export async function connectPeer(
  sdk: ClientSdk,
  transport: Transport,
  capabilities: ClientCapabilities,
  sayGoodbye: () => Promise<void> = async () => undefined,
): Promise<Peer> {
  const client = new sdk.Client(
    { name: `interop-${sdk.revision}`, version: sdk.version },
    { capabilities },
  );
  const wire = new Wire(transport, sdk);
  const complaints: string[] = [];
  let open = true;
  const peer: Peer = {
    client,
    wire,
    complaints,
    onElicit: fillIn,
    close: async () => {
      if (!open) return;
      open = false;
      await sayGoodbye();
      await client.close();
    },
  };
  client.onerror = (error) => complaints.push(String(error));
  const { CreateMessageRequestSchema, ListRootsRequestSchema, ElicitRequestSchema } = sdk.types;
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant' as const,
      model: 'none',
      content: SAMPLED,
    }));
  }
  if (capabilities.roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [ROOT] }));
  }
  if (capabilities.elicitation !== undefined && ElicitRequestSchema !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => peer.onElicit({ ...params }));
  }
  await client.connect(wire);
  return peer;
}
