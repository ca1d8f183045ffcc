import { Bridge } from '../../../../src/bridge/bridge.ts';
import type { BridgeOptions } from '../../../../src/bridge/bridgeOptions.ts';
import type { BridgeEvent } from '../../../../src/bridge/events.ts';
import { messageBytes, readMessage } from '../../../../src/protocol/jsonRpc.ts';
import type { Frame, RequestFrame } from '../../../../src/protocol/frame.ts';
import { STRICT } from '../../../../src/translate/policy.ts';
import type {
  ClientTransport,
  ClientTransportListener,
  ServerChannel,
  ServerChannelListener,
} from '../../../../src/transports/transport.ts';
import type { Members, Message } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';

export const VERSION = 'io.modelcontextprotocol/protocolVersion';
export const INFO = 'io.modelcontextprotocol/clientInfo';
export const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
export const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** The `_meta` that every modern request needs. */
export function meta(capabilities: Members = {}, more: Members = {}): Members {
  return {
    [VERSION]: '2026-07-28',
    [INFO]: { name: 'ed', version: '1' },
    [CAPABILITIES]: capabilities,
    ...more,
  };
}

/** The frame that a message of this value makes. */
export function frameOf(message: Members): Frame {
  const reading = readMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
  if (reading.kind !== 'frame') throw new Error('That is no message.');
  return reading.frame;
}

function requestOf(message: Members): RequestFrame {
  const frame = frameOf(message);
  if (frame.kind !== 'request') throw new Error('That is no request.');
  return frame;
}

export function messageOf(frame: Frame): Message {
  return JSON.parse(messageBytes(frame).toString('utf8')) as Message;
}

/** What a scripted server does with a message; what it returns is its result. */
export type Script = (message: Message, server: FakeServer) => Members | undefined;

/** A server at the other end of a transport, without a wire between. */
export class FakeServer implements ClientTransport {
  readonly kind: ClientTransport['kind'];
  readonly received: Message[] = [];
  closed = false;
  readonly #script: Script;
  #listener: ClientTransportListener | undefined;

  constructor(script: Script, kind: ClientTransport['kind'] = 'stdio') {
    this.#script = script;
    this.kind = kind;
  }

  get cancelsByClosing(): boolean {
    return false;
  }

  start(listener: ClientTransportListener): void {
    this.#listener = listener;
  }

  send(frame: Frame): void {
    const message = messageOf(frame);
    this.received.push(message);
    queueMicrotask(() => {
      const result = this.#script(message, this);
      if (result === undefined || message.id === undefined) return;
      if ('code' in result) this.say({ id: message.id, error: result });
      else this.say({ id: message.id, result });
    });
  }

  /** Says something; `stream` is the call on whose response it comes over HTTP. */
  say(message: Members, stream?: number): void {
    this.#listener?.onFrame(frameOf(message), stream === undefined ? undefined : String(stream));
  }

  negotiated(): void {
    return;
  }

  abandon(): void {
    return;
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  /** The server is gone. */
  die(): void {
    this.closed = true;
    this.#listener?.onClose({ kind: 'exited', message: 'The server has exited.' });
  }

  /** The messages of a method so far. */
  of(method: string): Message[] {
    return this.received.filter((message) => message.method === method);
  }
}

/** A legacy server's part of the handshake; the rest is the script's. */
export function legacy(capabilities: Members, script: Script, revision = '2025-11-25'): Script {
  return (message, server) => {
    if (message.method === 'server/discover') return { code: -32601, message: 'Method not found' };
    if (message.method !== 'initialize') return script(message, server);
    const serverInfo = { name: 'old', version: '1' };
    return { protocolVersion: revision, capabilities, serverInfo, instructions: 'Be kind.' };
  };
}

/** A modern server's part of opening it; the rest is the script's. */
export function modern(script: Script): Script {
  return (message, server) =>
    message.method === 'server/discover'
      ? {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: 'private',
        }
      : script(message, server);
}

/** One end of a channel: what is sent on it, and what came back. */
export class Caller {
  readonly messages: Message[] = [];
  /** The requests that will have no answer, as the channel was told. */
  readonly dropped: string[] = [];
  readonly #listener: ServerChannelListener;

  constructor(accept: (channel: ServerChannel) => ServerChannelListener) {
    this.#listener = accept({
      send: (frame) => this.messages.push(messageOf(frame)),
      drop: (id) => this.dropped.push(id),
      close: () => undefined,
    });
  }

  send(message: Members): void {
    this.#listener.onFrame(frameOf(message));
  }

  /** The client goes away from a request, as by closing its connection. */
  abandon(id: number): void {
    this.#listener.onAbandoned(String(id));
  }

  async response(id: unknown): Promise<Message> {
    const find = (): Message | undefined =>
      this.messages.find((message) => message.method === undefined && message.id === id);
    await until(
      () => find() !== undefined,
      undefined,
      () => JSON.stringify(this.messages),
    );
    return find() ?? {};
  }

  async heard(method: string, count = 1): Promise<Message[]> {
    const find = (): Message[] => this.messages.filter((message) => message.method === method);
    await until(
      () => find().length >= count,
      undefined,
      () => JSON.stringify(this.messages),
    );
    return find();
  }

  request(id: number, method: string, params: Members = {}): Promise<Message> {
    this.send({ id, method, params: { _meta: meta(), ...params } });
    return this.response(id);
  }
}

/** A bridge in front of servers that follow a script, one for each connection it opens. */
export class Stage {
  readonly servers: FakeServer[] = [];
  readonly events: BridgeEvent[] = [];
  readonly bridge: Bridge;

  constructor(
    script: Script,
    options: Partial<BridgeOptions> & { readonly kind?: ClientTransport['kind'] } = {},
  ) {
    const { kind = 'stdio', ...rest } = options;
    this.bridge = new Bridge({
      name: 'fake',
      transport: kind,
      connect: () => {
        const server = new FakeServer(script, kind);
        this.servers.push(server);
        return server;
      },
      reader: 'spec',
      policy: STRICT,
      memory: { recall: () => undefined, remember: () => undefined },
      ...rest,
      modern: { quietMs: 5, collectMs: 50, graceMs: 50, ...rest.modern },
    });
    this.bridge.onEvent((event) => this.events.push(event));
  }

  /** The server that was opened last. */
  get server(): FakeServer {
    const server = this.servers.at(-1);
    if (server === undefined) throw new Error('No server was opened.');
    return server;
  }

  client(): Caller {
    return new Caller(this.bridge.acceptModern);
  }

  /** A client of the legacy era, its session open. */
  async legacyClient(revision: string, capabilities: Members): Promise<Caller> {
    const clientInfo = { name: 'ed', version: '1' };
    const params = { protocolVersion: revision, capabilities, clientInfo };
    const first = { id: 'open', method: 'initialize', params };
    const client = new Caller((channel) => this.bridge.accept(channel, requestOf(first)));
    client.send(first);
    await client.response('open');
    client.send({ method: 'notifications/initialized' });
    return client;
  }
}
