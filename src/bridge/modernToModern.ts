import { withMeta } from '../protocol/metaEdit.ts';
import {
  answer,
  notify,
  withResult,
  type NotifyFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Meta } from '../protocol/meta.ts';
import { Method, SERVER_NOTIFICATIONS } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getAt, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { MODERN_REVISIONS } from '../protocol/revision.ts';
import { discoverResult } from '../translate/discoverResult.ts';
import { answeringResult } from '../translate/capabilities.ts';
import { listenResult, withSubscription } from '../translate/subscription.ts';
import type { ToolFacts } from '../translate/toolList/types.ts';
import { answersOnly, type ClientTransport } from '../transports/transport.ts';
import { answerOrFailure, type CallOutcome } from './callOutcome.ts';
import type { ClientIdentity } from './client.ts';
import type { Exchange } from './exchange.ts';
import type { ModernClientRoute } from './modernClientRoute.ts';
import type { ModernServer } from './modernServer.ts';
import {
  SUBSCRIPTION_ENDED,
  type Caller,
  type ModernUpstream,
  type SharedListener,
} from './modernUpstream.ts';
import { tellClient } from './progress.ts';
import { awaitUnwanted, unwantedTask } from './tasks/unwantedTask.ts';
import type { ServerIdentity } from './serverIdentity.ts';

/**
 * The way from a client of the modern era to a server of the same: requests and results cross as they are, but for the
 * ids and tokens that are the bridge's own on the other leg.
 */
export class ModernToModern implements ModernClientRoute {
  readonly server: ServerIdentity;
  readonly transport: ClientTransport['kind'];
  readonly #modern: ModernServer;
  readonly #client: ClientIdentity;
  readonly #streams = new Set<Exchange>();
  readonly #calls = new Set<Exchange>();
  readonly #leave: () => void;
  /** Stands for this client where the server does not say whose call a log message belongs to. */
  readonly #owner: SharedListener = { onNotification: () => undefined, onClose: () => undefined };
  #upstream: ModernUpstream;

  constructor(upstream: ModernUpstream, modern: ModernServer, client: ClientIdentity) {
    this.server = upstream.server;
    this.transport = modern.transport;
    this.#upstream = upstream;
    this.#modern = modern;
    this.#client = client;
    this.#leave = upstream.join({
      onNotification: (frame) => {
        // On stdio what an extension says does not tell whose request it relates to, and it must relate to one.
        const [oldest] = this.#calls;
        if (!SERVER_NOTIFICATIONS.has(frame.method)) oldest?.notify(frame);
      },
      onClose: () => undefined,
    });
  }

  get isOpen(): boolean {
    return this.#upstream.isOpen;
  }

  get isBusy(): boolean {
    return false;
  }

  request(exchange: Exchange): void {
    const { method } = exchange.request;
    if (method === Method.listen) this.#listen(exchange);
    // A server that was opened without its word does not know the method.
    else if (method === Method.discover && this.server.raw === undefined)
      exchange.answer(discoverResult(this.server));
    else this.#call(exchange, this.#upstream, false);
  }

  notify(frame: NotifyFrame): void {
    this.#upstream.notify(frame);
  }

  learnTools(tools: readonly ToolFacts[]): void {
    this.#upstream.learnTools(tools);
  }

  policyChanged(): void {
    for (const exchange of this.#streams) {
      const { id, params } = exchange.request;
      const wanted = params && getAt(params, ['notifications', 'toolsListChanged']);
      if (wanted?.toString('latin1') !== 'true') continue;
      exchange.notify(withSubscription({ kind: 'notify', method: Method.toolsChanged }, id));
    }
  }

  close(): void {
    this.#leave();
    for (const exchange of [...this.#streams]) exchange.answer(listenResult(exchange.request.id));
  }

  #caller(exchange: Exchange): Caller {
    const { params } = exchange.request;
    return { client: this.#client, logLevel: params && getAt(params, ['_meta', Meta.logLevel]) };
  }

  #call(exchange: Exchange, upstream: ModernUpstream, repaired: boolean): void {
    if (exchange.isOver) return;
    const { request } = exchange;
    this.#calls.add(exchange);
    const call = upstream.call(
      request,
      this.#caller(exchange),
      {
        onNotification: (frame) => tellClient(exchange, frame),
        onOutcome: (outcome) => {
          const repair = repaired ? undefined : this.#repair(upstream, exchange, outcome);
          this.#calls.delete(exchange);
          if (repair === undefined) this.#settle(upstream, exchange, outcome);
          else void repair.then((next) => this.#call(exchange, next, true));
        },
      },
      this.#owner,
    );
    exchange.onCancel((reason) => {
      this.#calls.delete(exchange);
      call.cancel(reason);
    });
  }

  #settle(upstream: ModernUpstream, exchange: Exchange, outcome: CallOutcome): void {
    const frame = this.#answerOf(exchange, outcome);
    const task = unwantedTask(exchange.request, this.#client, frame);
    if (task === undefined) exchange.respond(frame);
    else void awaitUnwanted(exchange, upstream, this.#caller(exchange), task);
  }

  #answerOf({ request }: Exchange, outcome: CallOutcome): ResponseFrame {
    const frame = answerOrFailure(request, outcome);
    if (frame.error !== undefined || request.method !== Method.discover) return frame;
    // What is served here is what the bridge serves, whichever of them the server took.
    const versions = toRaw(MODERN_REVISIONS);
    const own = answersOnly(this.transport) ? answeringResult(frame.result).result : frame.result;
    return withResult(frame, setMember(own, 'supportedVersions', versions));
  }

  /** What can be put right before a request is sent once more; undefined where nothing can. */
  #repair(
    upstream: ModernUpstream,
    exchange: Exchange,
    outcome: CallOutcome,
  ): Promise<ModernUpstream> | undefined {
    if (outcome.kind !== 'response') return undefined;
    switch (outcome.frame.error?.code) {
      case ErrorCode.headerMismatch:
        return this.#modern.relearn(upstream, this.#caller(exchange)).then(() => upstream);
      case ErrorCode.unsupportedProtocolVersion:
        return this.#modern.renegotiate(upstream, this.#client).then(() => upstream);
      default:
        return undefined;
    }
  }

  /** The stream's messages name it by the id of the request that opened it, which is the client's own here. */
  #listen(exchange: Exchange): void {
    const { request } = exchange;
    this.#streams.add(exchange);
    if (answersOnly(this.transport)) {
      // Agreed to nothing: the server has no way to tell, and the stream has an end all the same.
      const agreed = notify(Method.acknowledged, toRaw({ notifications: {} }));
      exchange.onCancel(() => this.#streams.delete(exchange));
      exchange.notify(withSubscription(agreed, request.id));
      return;
    }
    const call = this.#upstream.passListen(
      request,
      this.#caller(exchange),
      (frame) => {
        exchange.notify(withSubscription(frame, request.id));
      },
      (outcome) => {
        this.#streams.delete(exchange);
        if (outcome.kind === 'failed' && outcome.failure === SUBSCRIPTION_ENDED) {
          // The server has torn the stream down; the client is told in the way that ends a request.
          exchange.answer(listenResult(request.id));
          return;
        }
        const frame = answerOrFailure(request, outcome);
        const own =
          frame.error === undefined ? answer(request, named(frame.result, request.id)) : frame;
        exchange.respond(own);
      },
    );
    exchange.onCancel((reason) => {
      this.#streams.delete(exchange);
      call.cancel(reason);
    });
  }
}

function named(result: RawJson, id: string): RawJson {
  const given = getAt(result, ['_meta', Meta.subscriptionId]);
  return given === undefined ? result : withMeta(result, Meta.subscriptionId, Buffer.from(id));
}
