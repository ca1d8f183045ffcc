import { fail, type NotifyFrame } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { withTasksPromise } from '../translate/tasks/capability.ts';
import type { ToolFacts } from '../translate/toolList/types.ts';
import { answersOnly, type ClientTransport } from '../transports/transport.ts';
import type { Exchange, SessionPort } from './exchange.ts';
import { LOG_LEVELS, rankOf } from './logLevels.ts';
import { filterFor, ListenStream } from './listenStream.ts';
import type { ModernServer, OpenedUpstream } from './modernServer.ts';
import type { Caller, ModernUpstream, SharedListener } from './modernUpstream.ts';
import { ModernTasks } from './tasks/modernTasks.ts';
import { noteReplacedMeta } from './replacedMeta.ts';
import { RoundTrips } from './roundTrips.ts';
import type { Route } from './route.ts';
import type { ServerIdentity } from './serverIdentity.ts';

export interface ModernRouteOptions {
  readonly server: ServerIdentity;
  /** True where the client is to see the extension's tasks as those of its own revision. */
  readonly exposesTasks: boolean;
  readonly modern: ModernServer;
  readonly session: SessionPort;
  readonly policy: () => DegradePolicy;
  /** How long a server may take to acknowledge a subscription. */
  readonly acknowledgeMs: number;
  /** A list may have changed without the server having said so. */
  readonly onMissedChanges: () => void;
}

/** The way from a client of the legacy era to a server of the modern one. */
export class ModernRoute implements Route {
  readonly server: ServerIdentity;
  readonly #options: ModernRouteOptions;
  readonly #session: SessionPort;
  readonly #shared: SharedListener;
  readonly #listen: ListenStream;
  readonly #tasks: ModernTasks;
  readonly #trips: RoundTrips;
  #leave: (() => void) | undefined;
  #joined: ModernUpstream | undefined;
  #logLevel: RawJson | undefined;
  #closed = false;

  constructor(options: ModernRouteOptions) {
    const { server, session, policy, exposesTasks } = options;
    this.server = exposesTasks
      ? { ...server, capabilities: withTasksPromise(server.capabilities) }
      : server;
    this.#options = options;
    this.#session = session;
    const caller = (): Caller => this.#caller();
    this.#tasks = new ModernTasks({
      session,
      policy,
      caller,
      server: server.revision,
      isExposed: exposesTasks,
    });
    this.#shared = {
      onNotification: (frame) => this.#session.notify(frame),
      onClose: () => {
        this.#joined = undefined;
      },
    };
    this.#trips = new RoundTrips({
      server: server.revision,
      modern: options.modern,
      session,
      tasks: this.#tasks,
      policy,
      caller,
      shared: this.#shared,
      current: () => this.#current(),
      open: () => this.#open(),
    });
    this.#listen = new ListenStream({
      caller,
      filter: filterFor(options.server),
      acknowledgeMs: options.acknowledgeMs,
      open: () =>
        this.#open().then((opened) => ('upstream' in opened ? opened.upstream : undefined)),
      onNotification: (frame) => this.#session.notify(frame),
      onEstablished: options.onMissedChanges,
    });
    // What the server tells all its clients is for this one too, even before its first request.
    const { current } = options.modern;
    if (current !== undefined) this.#join(current);
  }

  request(exchange: Exchange): void {
    const { request } = exchange;
    switch (request.method) {
      case Method.ping:
        exchange.answer(toRaw({}));
        return;
      case Method.setLevel:
        this.#setLevel(exchange);
        return;
      case Method.subscribe:
      case Method.unsubscribe:
        void this.#subscription(exchange);
        return;
      default:
        if (this.#tasks.takes(exchange)) return;
        noteReplacedMeta(exchange);
        this.#trips.start(exchange, this.#tasks.paramsFor(request));
    }
  }

  notify(frame: NotifyFrame): void {
    switch (frame.method) {
      case Method.initialized:
        void this.#listen.refresh();
        return;
      case Method.rootsChanged:
        // A modern server asks for the roots afresh whenever it needs them.
        return;
      case Method.progress:
        // It speaks of a question by its id, which a modern server never gave.
        return;
      default:
        this.#options.modern.current?.notify(frame);
    }
  }

  get transport(): ClientTransport['kind'] {
    return this.#options.modern.transport;
  }

  learnTools(tools: readonly ToolFacts[]): void {
    this.#options.modern.current?.learnTools(tools);
  }

  close(): void {
    this.#closed = true;
    this.#tasks.close();
    this.#listen.close();
    this.#leave?.();
  }

  #caller(): Caller {
    return { client: this.#session.client, logLevel: this.#logLevel };
  }

  #current(): ModernUpstream | undefined {
    const { current } = this.#options.modern;
    if (current?.isOpen !== true) return undefined;
    this.#join(current);
    return current;
  }

  async #open(): Promise<OpenedUpstream> {
    const opened = await this.#options.modern.open(this.#session.client);
    if ('upstream' in opened) this.#join(opened.upstream);
    return opened;
  }

  #join(upstream: ModernUpstream): void {
    if (this.#closed || this.#joined === upstream) return;
    this.#leave?.();
    this.#joined = upstream;
    this.#leave = upstream.join(this.#shared);
    this.#listen.resume();
  }

  #setLevel(exchange: Exchange): void {
    const level = exchange.request.params && getMember(exchange.request.params, 'level');
    // A modern server refuses every request that names another level.
    if (rankOf(level) === undefined) {
      const message = `logging/setLevel needs a \`level\`, one of ${LOG_LEVELS.join(', ')}.`;
      exchange.respond(fail(exchange.request, ErrorCode.invalidParams, message));
      return;
    }
    this.#logLevel = level;
    exchange.answer(toRaw({}));
  }

  async #subscription(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const uri = request.params && stringOf(getMember(request.params, 'uri'));
    if (uri === undefined) {
      exchange.respond(
        fail(request, ErrorCode.invalidParams, `${request.method} needs a \`uri\`.`),
      );
      return;
    }
    if (request.method === Method.unsubscribe) this.#listen.unwatch(uri);
    else if (answersOnly(this.transport) || !(await this.#listen.watch(uri))) {
      const message = `The server does not offer to watch the resource ${uri}.`;
      exchange.respond(fail(request, ErrorCode.invalidParams, message, { uri }));
      return;
    }
    exchange.answer(toRaw({}));
  }
}
