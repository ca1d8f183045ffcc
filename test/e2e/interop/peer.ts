import type { Stream } from 'node:stream';

import type { Wire, WireMessage } from './wire.ts';

export type Members = Readonly<Record<string, unknown>>;

/** What a client declares that it can be asked. */
export type Capabilities = Readonly<Record<string, object>>;

/** A command that a client starts, and who hears what it says on stderr. */
export interface StdioCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly onStderr: (stream: Stream) => void;
}

export interface ToolResult {
  readonly content: readonly Members[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: Members | undefined;
}

export interface CallOptions {
  readonly onprogress?: (progress: {
    readonly progress: number;
    readonly total?: number | undefined;
  }) => void;
  readonly signal?: AbortSignal;
  /** Sent as it is, past the tokens that the SDK gives itself. */
  readonly progressToken?: string;
}

/** An argument of a prompt to complete, and the arguments that are filled in already. */
export interface ToComplete {
  readonly prompt: string;
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: Readonly<Record<string, string>>;
}

// A type, for it to have the index that the SDKs' own types have.
export type Answer = {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string | number | boolean | string[]>;
};

/** Answers to forms, for the tests that care what was asked. */
export type OnElicit = (params: NonNullable<WireMessage['params']>) => Answer;

/** A connected client of a real SDK: what every revision's client does, by that SDK's own methods where it has them. */
export interface Peer {
  readonly wire: Wire;
  /** What the client itself complained of, beside what the wire found. */
  readonly complaints: string[];
  /** The process the client speaks with, where it started one. */
  readonly pid: number | undefined;
  /** Set to answer a form in a way of the test's own. */
  onElicit: OnElicit;
  /** How the server introduced itself, in the words of the client's revision. */
  introduction(): {
    info: unknown;
    instructions: unknown;
    capabilities: unknown;
    revision: unknown;
  };
  listTools(): Promise<readonly Members[]>;
  callTool(name: string, args?: Members, options?: CallOptions): Promise<ToolResult>;
  listPrompts(): Promise<readonly Members[]>;
  getPrompt(name: string, args?: Record<string, string>): Promise<readonly Members[]>;
  complete(what: ToComplete): Promise<readonly string[]>;
  listResources(): Promise<readonly Members[]>;
  listResourceTemplates(): Promise<readonly Members[]>;
  readResource(uri: string): Promise<readonly unknown[]>;
  /** Asks for log messages from a level on: once for the session, or with each call from here on. */
  setLogLevel(level: 'info' | 'error'): Promise<void>;
  /** Has lists' changes announced, where a client must ask for that; gives the end of it. */
  watchLists(): Promise<() => Promise<void>>;
  /** Has a resource's changes announced; gives the end of it. */
  watchResource(uri: string): Promise<() => Promise<void>>;
  ping(): Promise<unknown>;
  rootsChanged(): Promise<void>;
  request(method: string, params: Members): Promise<unknown>;
  close(): Promise<void>;
}

export const SAMPLED = { type: 'text' as const, text: 'Paris' };
export const SAMPLE = { role: 'assistant' as const, model: 'none', content: SAMPLED };
export const ROOT = { uri: 'file:///workspace', name: 'workspace' };

interface Field {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'array';
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string }[];
  readonly anyOf?: Field['oneOf'];
  readonly items?: Field;
}

const VALUES = { string: 'Ada', boolean: true, integer: 7, number: 1.5 };

function valueOf({ type, items, ...field }: Field): string | number | boolean | string[] {
  if (type === 'array') return items === undefined ? [] : [String(valueOf(items))];
  return field.enum?.[0] ?? (field.oneOf ?? field.anyOf)?.[0]?.const ?? VALUES[type ?? 'string'];
}

/** Fills in every field of a form, as a user in a hurry would; agrees to visit a page. */
export const fillIn: OnElicit = ({ requestedSchema }) => {
  if (requestedSchema === undefined) return { action: 'accept' };
  const { properties } = requestedSchema as { properties: Record<string, Field> };
  const content = Object.entries(properties).map(([name, field]) => [name, valueOf(field)]);
  return { action: 'accept', content: Object.fromEntries(content) as Answer['content'] & object };
};
