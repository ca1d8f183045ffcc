import type { NotifyFrame, RequestFrame, ResponseFrame } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { fail } from '../protocol/frame.ts';
import { getMember, stringOf } from '../protocol/rawJson.ts';
import type { ClientIdentity } from './client.ts';
import { ClientExchange } from './clientExchange.ts';
import type { ModernClientRoute } from './modernClientRoute.ts';
import { ResultTranslator } from './resultTranslator.ts';
import type { SessionHost } from './sessionHost.ts';

/** What a distinct client of the modern era needs of the bridge. */
export interface ModernPeerHost extends SessionHost {
  /** Finds the way to the server for a modern client, opening the server where need be. */
  connectModern(
    client: ClientIdentity,
  ): Promise<{ route: ModernClientRoute } | { failure: string }>;
}

interface Connected {
  readonly route: ModernClientRoute;
  readonly translator: ResultTranslator;
}

/** Where the messages of one request go. */
export interface Recipient {
  notify(frame: NotifyFrame): void;
  /** The one answer, or undefined where the client no longer wants any. */
  finish(response: ResponseFrame | undefined): void;
}

/** A request on its way, before it has reached the server and after. */
export interface Underway {
  cancel: ClientExchange['cancel'];
}

/**
 * One distinct client of the modern era, told from others by its identity and capabilities: what the bridge has learned
 * on its behalf, shared by all of its requests, and given up when it has been silent for long.
 */
export class ModernPeer {
  readonly id: string;
  readonly client: ClientIdentity;
  readonly #host: ModernPeerHost;
  readonly #idleMs: number;
  readonly #onEnd: () => void;
  /** Ends each request that is under way with an error. */
  readonly #underway = new Set<(message: string) => void>();
  #connected: Connected | undefined;
  #connecting: Promise<Connected | { failure: string }> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    id: string,
    client: ClientIdentity,
    host: ModernPeerHost,
    idleMs: number,
    onEnd: () => void,
  ) {
    this.id = id;
    this.client = client;
    this.#host = host;
    this.#idleMs = idleMs;
    this.#onEnd = onEnd;
    const name = (client.info && stringOf(getMember(client.info, 'name'))) ?? 'unnamed client';
    const info = { name, revision: client.profile.revision };
    host.emit({ kind: 'session', session: id, client: info });
  }

  /** True while nothing is open for this client, and nothing is held. */
  get isIdle(): boolean {
    return this.#underway.size === 0 && this.#connected?.route.isBusy !== true;
  }

  /** True while there is a way to the server. */
  get isConnected(): boolean {
    return this.#connected?.route.isOpen === true;
  }

  /** True where the server makes no difference between its clients. */
  get sharesServer(): boolean {
    return this.#connected?.route.server.era === 'modern';
  }

  /** Sends a request on its way to the server. */
  request(frame: RequestFrame, recipient: Recipient): Underway {
    clearTimeout(this.#idle);
    let exchange: ClientExchange | undefined;
    let over = false;
    const finish = (response: ResponseFrame | undefined): void => {
      if (over) return;
      over = true;
      this.#underway.delete(abort);
      if (this.#underway.size === 0) this.#waitIdle();
      recipient.finish(response);
    };
    const abort = (message: string): void => {
      finish(fail(frame, ErrorCode.internalError, message));
      exchange?.cancel(undefined);
    };
    this.#underway.add(abort);
    void this.#connect().then((connected) => {
      if (over) return;
      if ('failure' in connected) {
        finish(fail(frame, ErrorCode.internalError, connected.failure));
        return;
      }
      const { route, translator } = connected;
      const { request: lowered, refusal } = translator.toServer(frame);
      exchange = this.#exchange(lowered, translator, recipient, finish);
      if (refusal === undefined) route.request(exchange);
      else exchange.refuse(refusal);
    });
    return {
      cancel: (reason) => {
        if (exchange === undefined) finish(undefined);
        else exchange.cancel(reason);
      },
    };
  }

  /** Passes on a notification that nothing here can interpret. */
  notify(frame: NotifyFrame): void {
    this.#connected?.route.notify(frame);
  }

  /** The policy changed: what the client was shown of the tools may differ now. */
  policyChanged(): void {
    this.#connected?.route.policyChanged();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#connected?.route.close();
    // Streams have ended by now, as they should; nothing else can.
    for (const abort of [...this.#underway]) abort('The bridge was closed.');
    this.#onEnd();
    this.#host.onEnd(this.id);
  }

  #exchange(
    request: RequestFrame,
    translator: ResultTranslator,
    recipient: Recipient,
    finish: (response: ResponseFrame | undefined) => void,
  ): ClientExchange {
    return new ClientExchange(
      request,
      {
        translate: (own, result) => translator.toClient(own, result),
        onRefusal: (own, refusal) => translator.refused(own, refusal),
        onSteps: (own, steps) => translator.report(own, steps),
        refusalData: (refusal) => translator.refusalData(refusal),
        refusalCode: ErrorCode.refusedByBridge,
        ownResult: { resultType: 'complete' },
        notify: (frame) => recipient.notify(frame),
        // Nothing is asked of a modern client but by the result of its request.
        ask: (question) => ({
          answer: Promise.resolve(fail(question, ErrorCode.methodNotFound, 'Nobody can be asked.')),
          withdraw: () => undefined,
        }),
      },
      finish,
    );
  }

  async #connect(): Promise<Connected | { failure: string }> {
    if (this.#connected?.route.isOpen === true) return this.#connected;
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<Connected | { failure: string }> {
    this.#connected?.route.close();
    this.#connected = undefined;
    const opened = await this.#host.connectModern(this.client);
    if ('failure' in opened) return opened;
    const { route } = opened;
    if (this.#closed) {
      route.close();
      return { failure: 'The bridge was closed.' };
    }
    // A server that was started anew may have other tools.
    const translator = new ResultTranslator(
      this.id,
      this.#host,
      route,
      this.client.profile,
      () => undefined,
    );
    this.#connected = { route, translator };
    return this.#connected;
  }

  #waitIdle(): void {
    if (this.#closed) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.isIdle) this.close();
      else this.#waitIdle();
    }, this.#idleMs).unref();
  }
}
