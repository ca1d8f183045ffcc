import {
  withResult,
  type FrameError,
  type RequestFrame,
  type ResponseFrame,
} from '../../protocol/frame.ts';
import { Method } from '../../protocol/methods.ts';
import { removeMember } from '../../protocol/rawEdit.ts';
import { getMember, kindOf, stringOf, type RawJson } from '../../protocol/rawJson.ts';
import { demandsTasks } from '../../translate/tasks/capability.ts';
import { extensionTask, mayBecomeTask } from '../../translate/tasks/task.ts';
import { withTaskSupport } from '../../translate/tasks/toolTasks.ts';
import type { ClientIdentity } from '../client.ts';
import type { Exchange } from '../exchange.ts';
import type { ModernUpstream } from '../modernUpstream.ts';
import { askClient } from '../questions.ts';
import { awaitForClient } from './awaitForClient.ts';
import { ExposedTasks } from './exposedTasks.ts';
import type { TaskClient } from './taskClient.ts';
import { taskServerOf, withTasks } from './taskServer.ts';

/**
 * The tasks of a modern server in front of one client of the legacy era: awaited, so that the client sees one slow call, or
 * handed over where the client was promised tasks and asked for one.
 */
export class ModernTasks {
  readonly #options: TaskClient;
  readonly #exposed: ExposedTasks | undefined;
  /** The tools that the server has refused to serve without a task. */
  readonly #demanding = new Set<string>();

  /** `isExposed`: the client is promised the tasks of its own revision. */
  constructor(options: TaskClient & { readonly isExposed: boolean }) {
    this.#options = options;
    this.#exposed = options.isExposed ? new ExposedTasks(options) : undefined;
  }

  /**
   * The client as the server is told of it in a request. A task takes what a plain answer has, progress above all, so that
   * the extension is declared only where the server demands it or the client has asked for a task.
   */
  clientFor(request: RequestFrame): ClientIdentity {
    const { client } = this.#options.session;
    const isDemanded = mayBecomeTask(request.method) && this.#demanding.has(nameOf(request) ?? '');
    return isDemanded || this.#wantsTask(request) ? withTasks(client) : client;
  }

  /** The params as a server of the extension takes them: it decides itself whether a call becomes a task. */
  paramsFor(request: RequestFrame): RawJson | undefined {
    const { params } = request;
    return params !== undefined && this.#wantsTask(request) ? removeMember(params, 'task') : params;
  }

  /** True where the server refused a call that it will serve as a task; the next call of the tool is made so. */
  isDemand(request: RequestFrame, error: FrameError): boolean {
    const name = nameOf(request);
    if (name === undefined || !mayBecomeTask(request.method) || !demandsTasks(error)) return false;
    if (this.#wantsTask(request)) return false;
    this.#demanding.add(name);
    return true;
  }

  /** True for a request that speaks of the tasks of this session, which is then answered. */
  takes(exchange: Exchange): boolean {
    return this.#exposed?.takes(exchange) === true;
  }

  /** Answers a request with what the server answered it, when that is there. */
  settle(upstream: ModernUpstream, exchange: Exchange, frame: ResponseFrame): void {
    const { request } = exchange;
    if (frame.error !== undefined) {
      exchange.respond(frame);
      return;
    }
    const raw = mayBecomeTask(request.method) ? extensionTask(frame.result) : undefined;
    const exposed = this.#wantsTask(request) ? this.#exposed : undefined;
    if (raw !== undefined && exposed !== undefined) exposed.handOver(upstream, exchange, raw);
    else if (raw !== undefined) void this.#await(upstream, exchange, raw);
    else if (exposed !== undefined) exposed.makeCompleted(exchange, frame);
    else exchange.respond(this.#offered(request, frame));
  }

  close(): void {
    this.#exposed?.close();
  }

  #offered(request: RequestFrame, frame: ResponseFrame): ResponseFrame {
    const isOffered = this.#exposed !== undefined && request.method === Method.toolsList;
    return isOffered && frame.error === undefined
      ? withResult(frame, withTaskSupport(frame.result))
      : frame;
  }

  #await(upstream: ModernUpstream, exchange: Exchange, raw: RawJson): Promise<void> {
    const { session, policy, caller, server } = this.#options;
    return awaitForClient(exchange, taskServerOf(upstream, caller), raw, (asked, params) =>
      askClient(asked, params, exchange, { server, client: session.client, policy: policy() }),
    );
  }

  #wantsTask({ method, params }: RequestFrame): boolean {
    if (this.#exposed === undefined || params === undefined || !mayBecomeTask(method)) return false;
    const task = getMember(params, 'task');
    return task !== undefined && kindOf(task) === 'object';
  }
}

function nameOf({ params }: RequestFrame): string | undefined {
  return params && stringOf(getMember(params, 'name'));
}
