import { fail, notify, request, type NotifyFrame } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, itemsOf, kindOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { listenResult, withSubscription } from '../translate/subscription.ts';
import { TASKS_REQUIRED } from '../translate/tasks/capability.ts';
import type { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { promises, type ServerIdentity } from './serverIdentity.ts';

/** What announces a change of each list that a stream may ask to hear of, and who promises to announce it. */
const LISTS = [
  { wish: 'toolsListChanged', list: 'tools', method: Method.toolsChanged },
  { wish: 'promptsListChanged', list: 'prompts', method: Method.promptsChanged },
  { wish: 'resourcesListChanged', list: 'resources', method: Method.resourcesChanged },
] as const;

interface Stream {
  readonly exchange: Exchange;
  readonly methods: ReadonlySet<string>;
  readonly uris: Set<string>;
  readonly taskIds: ReadonlySet<string>;
}

/** Whether this client may listen for tasks. */
interface TaskGate {
  /** The server makes tasks, and the client has declared the extension. */
  readonly areHandedOver: boolean;
  readonly isDeclared: boolean;
}

/**
 * `subscriptions/listen` in front of a server that announces changes to its session and watches resources one by one:
 * each stream hears what it asked for and nothing else (2026-07-28, Subscriptions).
 */
export class LegacySubscriptions {
  readonly #connection: Connection;
  readonly #server: ServerIdentity;
  readonly #tasks: TaskGate;
  readonly #streams = new Set<Stream>();

  constructor(connection: Connection, server: ServerIdentity, tasks: TaskGate) {
    this.#connection = connection;
    this.#server = server;
    this.#tasks = tasks;
  }

  async open(exchange: Exchange): Promise<void> {
    const { params } = exchange.request;
    const filter = params && getMember(params, 'notifications');
    if (filter === undefined || kindOf(filter) !== 'object') {
      const message = 'subscriptions/listen needs the object `notifications`.';
      exchange.respond(fail(exchange.request, ErrorCode.invalidParams, message));
      return;
    }
    const taskIds = textsIn(filter, 'taskIds');
    if (taskIds !== undefined && !this.#tasks.isDeclared) {
      const code = ErrorCode.missingRequiredClientCapability;
      const message = 'Only a client that declares tasks can listen for them.';
      exchange.respond(fail(exchange.request, code, message, TASKS_REQUIRED));
      return;
    }
    const tasks = this.#tasks.areHandedOver ? taskIds : undefined;
    const agreed = LISTS.filter(({ wish, list }) => {
      const isAsked = getMember(filter, wish)?.toString('latin1') === 'true';
      return isAsked && promises(this.#server, list, 'listChanged');
    });
    const methods = new Set<string>(agreed.map(({ method }) => method));
    const stream: Stream = { exchange, methods, uris: new Set(), taskIds: new Set(tasks) };
    exchange.onCancel(() => this.#end(stream));
    const asked = promises(this.#server, 'resources', 'subscribe')
      ? textsIn(filter, 'resourceSubscriptions')
      : undefined;
    await Promise.all((asked ?? []).map((uri) => this.#watch(stream, uri)));
    if (exchange.isOver) {
      this.#end(stream);
      return;
    }
    const uris = [...stream.uris];
    const notifications = {
      ...Object.fromEntries(agreed.map(({ wish }) => [wish, true])),
      ...(asked !== undefined && { resourceSubscriptions: uris }),
      ...(tasks !== undefined && { taskIds: tasks }),
    };
    const acknowledged = notify(Method.acknowledged, toRaw({ notifications }));
    exchange.notify(withSubscription(acknowledged, exchange.request.id));
    this.#streams.add(stream);
  }

  /** True where a notification is one that streams are for, whether or not one is open. */
  takes(frame: NotifyFrame): boolean {
    return (
      frame.method === Method.resourceUpdated || LISTS.some(({ method }) => method === frame.method)
    );
  }

  /** Passes a change on to the streams that asked for it. */
  announce(frame: NotifyFrame): void {
    for (const stream of this.#readersOf(frame)) {
      stream.exchange.notify(withSubscription(frame, stream.exchange.request.id));
    }
  }

  /** Tells of a task to the streams that asked for it; without one it need not be looked at. */
  async announceTask(taskId: string, detailed: () => Promise<RawJson | undefined>): Promise<void> {
    const listening = (): Stream[] => [...this.#streams].filter((each) => each.taskIds.has(taskId));
    const task = listening().length === 0 ? undefined : await detailed();
    if (task === undefined) return;
    for (const { exchange } of listening()) {
      exchange.notify(withSubscription(notify(Method.taskChanged, task), exchange.request.id));
    }
  }

  /** Ends every stream as one that nothing went wrong with. */
  endAll(): void {
    for (const stream of [...this.#streams]) {
      this.#streams.delete(stream);
      stream.exchange.answer(listenResult(stream.exchange.request.id));
    }
  }

  #readersOf(frame: NotifyFrame): Stream[] {
    const streams = [...this.#streams];
    if (frame.method !== Method.resourceUpdated) {
      return streams.filter(({ methods }) => methods.has(frame.method));
    }
    const uri = (frame.params && stringOf(getMember(frame.params, 'uri'))) ?? '';
    const exact = streams.filter(({ uris }) => uris.has(uri));
    if (exact.length > 0) return exact;
    // It may also be a part of what was subscribed to (Resources, Subscriptions).
    return streams.filter(({ uris }) => [...uris].some((watched) => uri.startsWith(watched)));
  }

  async #watch(stream: Stream, uri: string): Promise<void> {
    if (this.#isWatched(uri) || (await this.#call(Method.subscribe, uri))) stream.uris.add(uri);
  }

  #end(stream: Stream): void {
    this.#streams.delete(stream);
    const uris = [...stream.uris];
    stream.uris.clear();
    for (const uri of uris) {
      if (!this.#isWatched(uri)) void this.#call(Method.unsubscribe, uri);
    }
  }

  #isWatched(uri: string): boolean {
    return [...this.#streams].some(({ uris }) => uris.has(uri));
  }

  #call(method: string, uri: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#connection.call(request('0', method, toRaw({ uri })), {
        onOutcome: (outcome) =>
          resolve(outcome.kind === 'response' && outcome.frame.error === undefined),
      });
    });
  }
}

function textsIn(filter: RawJson, member: string): string[] | undefined {
  const list = getMember(filter, member);
  if (list === undefined || kindOf(list) !== 'array') return undefined;
  const texts = itemsOf(list).map(stringOf);
  return [...new Set(texts.filter((text) => text !== undefined))];
}
