import {
  notify,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, itemsOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { readHints } from '../tools/hints.ts';

/** Requests of the legacy era that change nothing, or nothing more when they are made twice. */
const REPEATABLE: ReadonlySet<string> = new Set([
  Method.ping,
  Method.toolsList,
  Method.promptsList,
  Method.promptsGet,
  Method.resourcesList,
  Method.templatesList,
  Method.resourcesRead,
  Method.complete,
  Method.setLevel,
  Method.subscribe,
  Method.unsubscribe,
  Method.tasksGet,
  Method.tasksList,
]);

/** What a client tells of a session, a request or a task that is over with the session. */
const OF_ONE_SESSION: ReadonlySet<string> = new Set([
  Method.initialized,
  Method.progress,
  Method.cancelled,
  Method.taskStatus,
]);

/** Whether a notification means something in one session alone. */
export function isOfOneSession({ method }: NotifyFrame): boolean {
  return OF_ONE_SESSION.has(method);
}

/** What has to be said again to a server of the legacy era that has forgotten a session, and what may be. */
export class SessionMemory {
  #initialize: RequestFrame | undefined;
  #level: RequestFrame | undefined;
  readonly #subscriptions = new Map<string, RequestFrame>();
  /** The tools that are declared to be read-only or idempotent. */
  readonly #harmless = new Set<string>();
  #capabilities: RawJson = toRaw({});

  /** The handshake that opened the session. */
  get initialize(): RequestFrame | undefined {
    return this.#initialize;
  }

  /** What the session was set to since. */
  get settings(): readonly RequestFrame[] {
    return [...(this.#level === undefined ? [] : [this.#level]), ...this.#subscriptions.values()];
  }

  /** What tells that each of the server's lists may be another one now, and each resource that is subscribed to. */
  get changes(): readonly NotifyFrame[] {
    const lists = LISTS.filter(([list]) => getMember(this.#capabilities, list) !== undefined);
    return [
      ...lists.map(([, method]) => notify(method)),
      ...[...this.#subscriptions.keys()].map((uri) =>
        notify(Method.resourceUpdated, toRaw({ uri })),
      ),
    ];
  }

  answered(request: RequestFrame, { result }: ResponseFrame): void {
    if (result === undefined) return;
    const { method, params } = request;
    if (method === Method.initialize) {
      this.#initialize = request;
      this.#capabilities = getMember(result, 'capabilities') ?? toRaw({});
    } else if (method === Method.setLevel) this.#level = request;
    else if (method === Method.subscribe) this.#subscriptions.set(uriOf(params), request);
    else if (method === Method.unsubscribe) this.#subscriptions.delete(uriOf(params));
    else if (method === Method.toolsList) this.#learn(getMember(result, 'tools'));
  }

  /** Whether a request does no harm where the server may have carried it out already. */
  mayRepeat({ method, params }: RequestFrame): boolean {
    if (method !== Method.toolsCall) return REPEATABLE.has(method);
    return this.#harmless.has((params && stringOf(getMember(params, 'name'))) ?? '');
  }

  #learn(tools: RawJson | undefined): void {
    for (const tool of tools === undefined ? [] : itemsOf(tools)) {
      const name = stringOf(getMember(tool, 'name'));
      if (name === undefined) continue;
      const { readOnlyHint, idempotentHint } = readHints(tool);
      if (readOnlyHint.value || idempotentHint.value) this.#harmless.add(name);
      else this.#harmless.delete(name);
    }
  }
}

const LISTS = [
  ['tools', Method.toolsChanged],
  ['prompts', Method.promptsChanged],
  ['resources', Method.resourcesChanged],
] as const;

function uriOf(params: RawJson | undefined): string {
  return (params && stringOf(getMember(params, 'uri'))) ?? '';
}
