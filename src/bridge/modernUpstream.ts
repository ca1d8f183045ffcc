import {
  fail,
  request as makeRequest,
  type NotifyFrame,
  type RequestFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { encodeHeaderValue, headersFor, type ParamHeader } from '../protocol/headerValue.ts';
import { Meta } from '../protocol/meta.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getAt, getMember, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { NAMED_BY } from '../protocol/standardHeaders.ts';
import { toModernParams } from '../translate/modernRequest.ts';
import type { ToolFacts } from '../translate/toolList/types.ts';
import type { TransportFailure } from '../transports/transport.ts';
import type { ClientIdentity } from './client.ts';
import type { Call, CallOptions, Connection } from './connection.ts';
import type { ServerIdentity } from './serverIdentity.ts';
import type { Timeouts } from './timeouts.ts';

/** On whose behalf a request is made; a modern server is told with each of them. */
export interface Caller {
  readonly client: ClientIdentity;
  readonly logLevel: RawJson | undefined;
}

/** What a session hears from a server it shares with others. */
export interface SharedListener {
  /** Something no request and no subscription explains: told to every session. */
  onNotification(frame: NotifyFrame): void;
  onClose(failure: TransportFailure): void;
}

interface Subscription {
  readonly tell: (frame: NotifyFrame) => void;
  readonly end: () => void;
}

interface Logging {
  readonly owner: SharedListener | undefined;
  readonly tell: (frame: NotifyFrame) => void;
}

/** How a stream ends that the server has torn down. */
export const SUBSCRIPTION_ENDED: TransportFailure = {
  kind: 'network',
  message: 'The server ended the subscription.',
};

/** A server of the modern era: stateless, so that one connection serves every session. */
export class ModernUpstream {
  #server: ServerIdentity;
  readonly #connection: Connection;
  readonly #listeners = new Set<SharedListener>();
  readonly #subscriptions = new Map<number, Subscription>();
  readonly #logging = new Map<number, Logging>();
  readonly #paramHeaders = new Map<string, readonly ParamHeader[]>();

  constructor(connection: Connection, server: ServerIdentity) {
    this.#server = server;
    this.#connection = connection;
    connection.attach({
      onNotification: (frame) => this.#onNotification(frame),
      onRequest: (frame, _call, respond) =>
        respond(
          fail(
            frame,
            ErrorCode.methodNotFound,
            `A server of ${server.revision} asks by a result of type input_required, not by ${frame.method}.`,
          ),
        ),
      onClose: (failure) => {
        for (const listener of [...this.#listeners]) listener.onClose(failure);
      },
    });
  }

  get server(): ServerIdentity {
    return this.#server;
  }

  /** The server has told anew what it speaks. */
  renegotiated(server: ServerIdentity): void {
    this.#server = server;
  }

  get timeouts(): Timeouts {
    return this.#connection.timeouts;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  /** What opening it came to, for one more session. */
  get opened(): { connection: Connection; server: ServerIdentity } {
    return { connection: this.#connection, server: this.server };
  }

  /** Joins a session; the returned function lets it leave. */
  join(listener: SharedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Learns which arguments of its tools travel in headers too. */
  learnTools(tools: readonly ToolFacts[]): void {
    for (const { name, paramHeaders } of tools) this.#paramHeaders.set(name, paramHeaders);
  }

  /** The arguments of a tool that a call repeats in headers, as far as they are known. */
  paramHeadersOf(tool: string): readonly ParamHeader[] {
    return this.#paramHeaders.get(tool) ?? [];
  }

  /** Sends a client's request with all that the modern era wants to be told in it. */
  call(request: RequestFrame, caller: Caller, options: CallOptions, owner?: SharedListener): Call {
    const { revision } = this.server;
    const params = toModernParams(request.params, {
      revision,
      clientInfo: caller.client.info,
      clientCapabilities: caller.client.capabilities,
      logLevel: caller.logLevel,
    });
    const call = this.#connection.call(
      { ...request, params },
      {
        ...options,
        headers: this.#headersOf(request, params),
        onOutcome: (outcome) => {
          this.#logging.delete(call.id);
          options.onOutcome(outcome);
        },
      },
    );
    if (caller.logLevel !== undefined && options.onNotification !== undefined) {
      this.#logging.set(call.id, { owner, tell: options.onNotification });
    }
    return {
      id: call.id,
      forget: () => {
        this.#logging.delete(call.id);
        call.forget();
      },
      cancel: (reason) => {
        this.#logging.delete(call.id);
        call.cancel(reason);
      },
    };
  }

  /** Passes on a notification that nothing here can interpret. */
  notify(frame: NotifyFrame): void {
    const headers = { 'MCP-Protocol-Version': this.server.revision, 'Mcp-Method': frame.method };
    this.#connection.notify(frame, { headers });
  }

  /** Opens a `subscriptions/listen` stream; it ends by the outcome or by being cancelled. */
  listen(
    filter: RawJson,
    caller: Caller,
    onNotification: (frame: NotifyFrame) => void,
    onOutcome: CallOptions['onOutcome'],
  ): Call {
    const params = setMember(toRaw({}), 'notifications', filter);
    const request = makeRequest('0', Method.listen, params);
    return this.passListen(request, caller, onNotification, onOutcome);
  }

  /** Opens the stream that a client's own `subscriptions/listen` asks for. */
  passListen(
    request: RequestFrame,
    caller: Caller,
    onNotification: (frame: NotifyFrame) => void,
    onOutcome: CallOptions['onOutcome'],
  ): Call {
    const call = this.call(request, caller, {
      timed: false,
      onNotification,
      onOutcome: (outcome) => {
        this.#subscriptions.delete(call.id);
        onOutcome(outcome);
      },
    });
    this.#subscriptions.set(call.id, {
      tell: onNotification,
      end: () => {
        this.#subscriptions.delete(call.id);
        call.forget();
        onOutcome({ kind: 'failed', failure: SUBSCRIPTION_ENDED });
      },
    });
    return {
      ...call,
      cancel: (reason) => {
        this.#subscriptions.delete(call.id);
        call.cancel(reason);
      },
    };
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  #headersOf(request: RequestFrame, params: RawJson): Record<string, string> {
    const headers: Record<string, string> = {
      'MCP-Protocol-Version': this.server.revision,
      'Mcp-Method': request.method,
    };
    if (!this.#connection.transport.cancelsByClosing) return headers;
    const named = NAMED_BY.get(request.method);
    const name = named === undefined ? undefined : stringOf(getMember(params, named));
    if (name !== undefined) headers['Mcp-Name'] = encodeHeaderValue(name);
    if (request.method !== Method.toolsCall || name === undefined) return headers;
    const given = getMember(params, 'arguments');
    const wanted = this.#paramHeaders.get(name);
    return given === undefined || wanted === undefined
      ? headers
      : { ...headers, ...headersFor(wanted, given) };
  }

  #onNotification(frame: NotifyFrame): void {
    const subscription = frame.params && getAt(frame.params, ['_meta', Meta.subscriptionId]);
    if (subscription !== undefined) {
      const id = Number(subscription.toString('latin1').replaceAll('"', ''));
      this.#subscriptions.get(id)?.tell(frame);
      return;
    }
    if (frame.method === Method.cancelled) {
      // On stdio a server ends a subscription so, and it may end nothing else (2026-07-28, Cancellation).
      const ended = frame.params && getMember(frame.params, 'requestId');
      this.#subscriptions.get(Number(ended?.toString('latin1').replaceAll('"', '')))?.end();
      return;
    }
    if (frame.method === Method.message && this.#logging.size > 0) {
      this.#tellLog(frame);
      return;
    }
    for (const listener of [...this.#listeners]) listener.onNotification(frame);
  }

  /** On stdio a log message does not say whose call it belongs to: each session that asked for logs hears it once. */
  #tellLog(frame: NotifyFrame): void {
    const told = new Set<SharedListener | undefined>();
    for (const { owner, tell } of [...this.#logging.values()]) {
      if (told.has(owner)) continue;
      told.add(owner);
      tell(frame);
    }
  }
}
