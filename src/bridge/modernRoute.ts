import { fail, reply, withParams, type NotifyFrame } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { removeMember } from '../protocol/rawEdit.ts';
import { getMember, membersOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { withTasksPromise } from '../translate/tasks/capability.ts';
import type { ToolFacts } from '../translate/toolList/types.ts';
import { answersOnly, type ClientTransport } from '../transports/transport.ts';
import type { ClientIdentity } from './client.ts';
import { mayAsk, resultTypeOf } from '../translate/results/completion.ts';
import { failureFrame, type CallOutcome } from './callOutcome.ts';
import type { Call } from './connection.ts';
import type { Exchange, SessionPort } from './exchange.ts';
import { LOG_LEVELS, rankOf } from './logLevels.ts';
import { filterFor, ListenStream } from './listenStream.ts';
import type { Caller, ModernUpstream, SharedListener } from './modernUpstream.ts';
import { tellClient } from './progress.ts';
import { askClient } from './questions.ts';
import { ModernTasks } from './tasks/modernTasks.ts';
import { noteReplacedMeta } from './replacedMeta.ts';
import type { Route } from './route.ts';
import type { ServerIdentity } from './serverIdentity.ts';

/** The one connection to a modern server, which may have to be opened anew. */
export interface ModernServer {
  readonly current: ModernUpstream | undefined;
  readonly transport: ClientTransport['kind'];
  open(client: ClientIdentity): Promise<{ upstream: ModernUpstream } | { failure: string }>;
  /** Negotiates anew, on the same connection, with a server that no longer takes the revision agreed on. */
  renegotiate(upstream: ModernUpstream, client: ClientIdentity): Promise<void>;
  /** Lists the tools once more, so that the arguments that travel in headers are known. */
  relearn(upstream: ModernUpstream, caller: Caller): Promise<void>;
}

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

/** How often a server may ask in the course of one request. */
const MAX_ROUNDS = 10;
/** Before a request is repeated for a server that asked for nothing but time. */
const PAUSE_MS = 250;

/** The way from a client of the legacy era to a server of the modern one. */
export class ModernRoute implements Route {
  readonly server: ServerIdentity;
  readonly #options: ModernRouteOptions;
  readonly #session: SessionPort;
  readonly #shared: SharedListener;
  readonly #listen: ListenStream;
  readonly #tasks: ModernTasks;
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
    this.#listen = new ListenStream({
      caller: () => this.#caller(),
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
        this.#forward(exchange, this.#tasks.paramsFor(request), 1);
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

  async #open(): Promise<{ upstream: ModernUpstream } | { failure: string }> {
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

  #forward(exchange: Exchange, params: RawJson | undefined, round: number): void {
    const { current } = this.#options.modern;
    if (current?.isOpen === true) {
      this.#join(current);
      this.#call(current, exchange, params, round);
      return;
    }
    void this.#open().then((opened) => {
      if ('upstream' in opened) this.#call(opened.upstream, exchange, params, round);
      else exchange.respond(fail(exchange.request, ErrorCode.internalError, opened.failure));
    });
  }

  #call(
    upstream: ModernUpstream,
    exchange: Exchange,
    params: RawJson | undefined,
    round: number,
    repaired = false,
  ): void {
    if (exchange.isOver) return;
    const request = params === undefined ? exchange.request : withParams(exchange.request, params);
    const call: Call = upstream.call(
      request,
      { ...this.#caller(), client: this.#tasks.clientFor(exchange.request) },
      {
        onNotification: (frame) => tellClient(exchange, frame),
        onOutcome: (outcome) => {
          const repair = repaired ? undefined : this.#repair(upstream, exchange, outcome);
          if (repair !== undefined) {
            void repair.then((next) => this.#call(next, exchange, params, round, true));
            return;
          }
          this.#settle(upstream, exchange, params, round, outcome);
        },
      },
      this.#shared,
    );
    exchange.onCancel((reason) => call.cancel(reason));
  }

  /** What can be put right before a request is sent once more; undefined where nothing can. */
  #repair(
    upstream: ModernUpstream,
    { request }: Exchange,
    outcome: CallOutcome,
  ): Promise<ModernUpstream> | undefined {
    if (outcome.kind !== 'response' || outcome.frame.error === undefined) return undefined;
    const { error } = outcome.frame;
    switch (error.code) {
      case ErrorCode.missingRequiredClientCapability:
        return this.#tasks.isDemand(request, error) ? Promise.resolve(upstream) : undefined;
      case ErrorCode.headerMismatch:
        return this.#options.modern.relearn(upstream, this.#caller()).then(() => upstream);
      case ErrorCode.unsupportedProtocolVersion:
        return this.#options.modern
          .renegotiate(upstream, this.#session.client)
          .then(() => upstream);
      default:
        return undefined;
    }
  }

  #settle(
    upstream: ModernUpstream,
    exchange: Exchange,
    params: RawJson | undefined,
    round: number,
    outcome: CallOutcome,
  ): void {
    if (outcome.kind !== 'response') {
      exchange.respond(failureFrame(exchange.request, outcome));
      return;
    }
    const { frame } = outcome;
    if (frame.error?.code === ErrorCode.missingRequiredClientCapability) {
      const hint = `The server needs a capability this client does not have: ${frame.error.message}`;
      exchange.raise({ feature: 'client-capability', path: '', hint });
    }
    const asks =
      frame.error === undefined &&
      mayAsk(exchange.request.method) &&
      resultTypeOf(frame.result) === 'input_required';
    if (asks) void this.#ask(exchange, params, round, frame.result);
    else this.#tasks.settle(upstream, exchange, frame);
  }

  async #ask(
    exchange: Exchange,
    params: RawJson | undefined,
    round: number,
    inputRequired: RawJson,
  ): Promise<void> {
    const { request } = exchange;
    if (round > MAX_ROUNDS) {
      const message = `The server asked for input more than ${MAX_ROUNDS} times without finishing ${request.method}; the bridge gave up.`;
      exchange.respond(fail(request, ErrorCode.internalError, message));
      return;
    }
    const asked = getMember(inputRequired, 'inputRequests');
    if (asked === undefined || membersOf(asked).length === 0) await pause(PAUSE_MS);
    const base = params && removeMember(removeMember(params, 'inputResponses'), 'requestState');
    const answers = await askClient(inputRequired, base, exchange, {
      server: this.server.revision,
      client: this.#session.client,
      policy: this.#options.policy(),
    });
    if (exchange.isOver) return;
    switch (answers.kind) {
      case 'answered':
        this.#forward(exchange, answers.params, round + 1);
        return;
      case 'refused':
        exchange.refuse(answers.refusal);
        return;
      case 'failed':
        exchange.respond(reply(request, answers.frame));
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
