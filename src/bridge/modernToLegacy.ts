import { readCancellation } from '../protocol/cancellation.ts';
import { withParams, type NotifyFrame } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { discoverResult } from '../translate/discoverResult.ts';
import { toLegacyParams } from '../translate/legacyRequest.ts';
import type { ToolFacts } from '../translate/toolList/types.ts';
import type { ClientTransport } from '../transports/transport.ts';
import type { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { LegacySubscriptions } from './legacySubscriptions.ts';
import { ModernCalls, type ModernSession } from './modernCalls.ts';
import type { ModernClientRoute } from './modernClientRoute.ts';
import type { ServerIdentity } from './serverIdentity.ts';
import { ExtensionTasks } from './tasks/extensionTasks.ts';

export interface ModernToLegacyOptions extends ModernSession {
  readonly onTools: (tools: readonly ToolFacts[]) => void;
}

/**
 * The way from one distinct client of the modern era to a server of the legacy one: a session of its own there, in which
 * the server's questions are held until the client comes back with their answers.
 */
export class ModernToLegacy implements ModernClientRoute {
  readonly server: ServerIdentity;
  readonly #options: ModernToLegacyOptions;
  readonly #connection: Connection;
  readonly #subscriptions: LegacySubscriptions;
  readonly #calls: ModernCalls;
  readonly #tasks: ExtensionTasks;

  constructor(options: ModernToLegacyOptions) {
    const { connection, server, client, policy } = options;
    this.server = server;
    this.#options = options;
    this.#connection = connection;
    this.#tasks = new ExtensionTasks({
      connection,
      server,
      client,
      policy,
      onChange: (taskId, detailed) => void this.#subscriptions.announceTask(taskId, detailed),
    });
    this.#subscriptions = new LegacySubscriptions(connection, server, this.#tasks);
    this.#calls = new ModernCalls({
      ...options,
      tasks: this.#tasks,
      onNotification: (frame, call) => this.#onNotification(frame, call),
    });
    connection.attach({
      onNotification: (frame, call) => this.#onNotification(frame, call),
      onRequest: (frame, stream, respond) => {
        if (this.#tasks.takesQuestion(frame, stream, respond)) return;
        this.#calls.onQuestion(frame, stream, respond);
      },
      onClose: () => {
        this.#subscriptions.endAll();
        this.#calls.end();
      },
    });
  }

  get transport(): ClientTransport['kind'] {
    return this.#connection.transport.kind;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  get isBusy(): boolean {
    return this.#calls.size > 0 || this.#tasks.isBusy;
  }

  request(exchange: Exchange): void {
    if (this.#tasks.takes(exchange)) return;
    switch (exchange.request.method) {
      case Method.discover:
        exchange.note(this.server.steps);
        exchange.answer(discoverResult(this.server));
        return;
      case Method.listen:
        void this.#subscriptions.open(exchange);
        return;
      default:
        void this.#calls.make(exchange);
    }
  }

  notify(frame: NotifyFrame): void {
    const params = frame.params && toLegacyParams(frame.params);
    this.#connection.notify(params === undefined ? frame : withParams(frame, params));
  }

  learnTools(tools: readonly ToolFacts[]): void {
    this.#options.onTools(tools);
    this.#tasks.learnTools(tools);
  }

  policyChanged(): void {
    this.#subscriptions.announce({ kind: 'notify', method: Method.toolsChanged });
  }

  close(): void {
    this.#subscriptions.endAll();
    this.#calls.cancelAll();
    this.#tasks.close();
    void this.#connection.close();
  }

  #onNotification(frame: NotifyFrame, call: number | undefined): void {
    if (frame.method === Method.cancelled) {
      const cancelled = readCancellation(frame);
      if (cancelled === undefined) return;
      this.#calls.withdraw(cancelled.id);
      this.#tasks.withdraw(cancelled.id);
    } else if (this.#tasks.takesNotification(frame)) {
      return;
    } else if (frame.method === Method.elicitationComplete) {
      // It names an id, which elicitations of this era do not have.
    } else if (this.#subscriptions.takes(frame)) {
      if (frame.method === Method.toolsChanged) this.#tasks.toolsChanged();
      this.#subscriptions.announce(frame);
    } else {
      this.#calls.notify(frame, call);
    }
  }
}
