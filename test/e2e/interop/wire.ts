import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

import { canElicit, type ClientSdk } from './sdks.ts';

type Members = Readonly<Record<string, unknown>>;

export interface WireMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Members;
  readonly result?: Members;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

/**
 * A transport of an SDK with a tap on it: keeps what passes, and holds every message of the bridge against the SDK's
 * own schemas, those of results too, which a client applies only to the results it asked for by a method of its own.
 */
export class Wire implements Transport {
  readonly sent: WireMessage[] = [];
  readonly received: WireMessage[] = [];
  readonly problems: string[] = [];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #inner: Transport;
  readonly #sdk: ClientSdk;
  readonly #resultSchemas: Readonly<Record<string, Schema>>;
  #closing = false;

  constructor(inner: Transport, sdk: ClientSdk) {
    this.#inner = inner;
    this.#sdk = sdk;
    this.#resultSchemas = resultSchemasOf(sdk);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => {
      // What a transport cannot parse it drops with an error; at the end its streams break, which is no one's fault.
      if (!this.#closing) this.problems.push(String(error));
      this.onerror?.(error);
    };
    this.#inner.onmessage = (message, extra) => {
      this.#check(message as WireMessage);
      this.received.push(message as WireMessage);
      this.onmessage?.(message, extra);
    };
    await this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: Parameters<Transport['send']>[1]): Promise<void> {
    this.sent.push(message as WireMessage);
    return this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#inner.close();
  }

  /** What the bridge has said by this method so far, from the message of the given number on. */
  heard(method: string, from = 0): WireMessage[] {
    return this.received.slice(from).filter((message) => message.method === method);
  }

  /** The result that answered the last request of this method. */
  resultOf(method: string): Members | undefined {
    const id = this.sent.findLast((message) => message.method === method)?.id;
    return this.received.find((message) => isResponse(message) && message.id === id)?.result;
  }

  #check(message: WireMessage): void {
    const { types } = this.#sdk;
    this.#expect('message', types.JSONRPCMessageSchema, message);
    if (message.method !== undefined) {
      const [what, schema] =
        message.id === undefined
          ? (['notification', types.ServerNotificationSchema] as const)
          : (['request', types.ServerRequestSchema] as const);
      const { method, params } = message;
      this.#expect(`${what} ${method}`, schema, { method, ...(params && { params }) });
      return;
    }
    if (message.result === undefined) return;
    const asked = this.sent.find(({ id, method }) => method !== undefined && id === message.id);
    if (asked?.method === undefined) {
      this.problems.push(`An answer to nothing: ${JSON.stringify(message)}`);
      return;
    }
    const schema = this.#resultSchemas[asked.method];
    if (schema !== undefined) this.#expect(`result of ${asked.method}`, schema, message.result);
  }

  #expect(what: string, schema: Schema, value: unknown): void {
    const { success, error } = schema.safeParse(value);
    if (success) return;
    this.problems.push(`${what}: ${String(error)}\n${JSON.stringify(value)}`);
  }
}

function isResponse(message: WireMessage): boolean {
  return message.method === undefined;
}

function resultSchemasOf(sdk: ClientSdk): Readonly<Record<string, Schema>> {
  const { types } = sdk;
  return {
    initialize: types.InitializeResultSchema,
    ping: types.EmptyResultSchema,
    'logging/setLevel': types.EmptyResultSchema,
    'resources/subscribe': types.EmptyResultSchema,
    'resources/unsubscribe': types.EmptyResultSchema,
    'tools/list': types.ListToolsResultSchema,
    'tools/call': types.CallToolResultSchema,
    'prompts/list': types.ListPromptsResultSchema,
    'prompts/get': types.GetPromptResultSchema,
    'resources/list': types.ListResourcesResultSchema,
    'resources/templates/list': types.ListResourceTemplatesResultSchema,
    'resources/read': types.ReadResourceResultSchema,
    'completion/complete': types.CompleteResultSchema,
  };
}

/** Everything that a client of this SDK can declare and answer. */
export function capabilitiesOf(sdk: ClientSdk): Record<string, object> {
  return {
    sampling: {},
    roots: { listChanged: true },
    ...(canElicit(sdk) && { elicitation: {} }),
  };
}
