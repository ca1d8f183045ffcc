import { isSaidByClients, type Concern } from '../protocol/concern.ts';
import { withParams, type RequestFrame } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { profileOf, type Profile } from '../protocol/profile.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import { lowerRequest } from '../translate/lowerRequest.ts';
import { refusalData, type Refusal, type Step } from '../translate/report.ts';
import { resultTypeOf } from '../translate/results/completion.ts';
import { lowerResult } from '../translate/results/lowerResult.ts';
import { breaksPromise } from '../translate/results/toolResult.ts';
import { createdTask } from '../translate/tasks/task.ts';
import { entriesOf, isList, nextCursorOf } from './listWalk.ts';
import type { Route } from './route.ts';
import type { SessionHost } from './sessionHost.ts';
import { ToolView } from './toolView.ts';

export type Translated =
  | { readonly kind: 'result'; readonly result: RawJson }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Puts one server's words to one client, and reports what that took. */
export class ResultTranslator {
  readonly #session: string;
  readonly #host: SessionHost;
  readonly #route: Route;
  readonly #from: Profile;
  readonly #to: Profile;
  readonly #tools = new ToolView();
  readonly #walks = new Map<string, RawJson[]>();
  readonly #onList: (method: string, entries: readonly RawJson[]) => void;

  constructor(
    session: string,
    host: SessionHost,
    route: Route,
    to: Profile,
    onList: (method: string, entries: readonly RawJson[]) => void,
  ) {
    this.#session = session;
    this.#host = host;
    this.#route = route;
    this.#from = profileOf(route.server.revision);
    this.#to = to;
    this.#onList = onList;
  }

  /** The request as the server knows it: tools under their own names, nothing that its revision lacks. */
  toServer(frame: RequestFrame): { request: RequestFrame; refusal?: Refusal } {
    if (frame.params === undefined) return { request: frame };
    const name = toolOf(frame);
    const original = name === undefined ? undefined : this.#tools.originalOf(name);
    if (original !== undefined && original !== name) {
      return { request: withParams(frame, setMember(frame.params, 'name', toRaw(original))) };
    }
    const outcome = lowerRequest(frame.method, frame.params, this.#from, this.#host.policy);
    this.report(frame, outcome.steps);
    if (outcome.kind === 'refused') return { request: frame, refusal: outcome.refusal };
    return { request: outcome.kind === 'changed' ? withParams(frame, outcome.raw) : frame };
  }

  /** The result as the client can read it. */
  toClient(request: RequestFrame, result: RawJson): Translated {
    const tool = toolOf(request);
    const promisedOutput = tool !== undefined && this.#tools.promisesOutput(tool);
    const outcome = lowerResult(request.method, result, {
      from: this.#from,
      to: this.#to,
      policy: this.#host.policy,
      promisedOutput,
      serverInfo: this.#route.server.serverInfo,
      params: request.params,
    });
    this.report(request, outcome.steps);
    if (outcome.kind === 'refused') return outcome;
    for (const refusal of outcome.withheld ?? []) this.refused(request, refusal);
    const isFinal = resultTypeOf(result) === 'complete' && createdTask(result) === undefined;
    if (promisedOutput && isFinal && breaksPromise(result)) this.#tools.breakPromise(tool);
    const lowered = outcome.kind === 'changed' ? outcome.raw : result;
    this.#follow(request, result);
    return {
      kind: 'result',
      result: request.method === Method.toolsList ? this.#showTools(request, lowered) : lowered,
    };
  }

  report(request: RequestFrame, steps: readonly Step[], tool = toolOf(request)): void {
    const [first] = steps;
    if (first === undefined) return;
    // A message goes one way, and all its steps with it.
    const subject = { ...this.#subject(request, tool), ...this.#legs(first.feature) };
    this.#host.emit({ kind: 'report', steps, ...subject });
  }

  refused(request: RequestFrame, refusal: Refusal, tool = toolOf(request)): void {
    const subject = { ...this.#subject(request, tool), ...this.#legs(refusal.feature) };
    this.#host.emit({ kind: 'refusal', refusal, ...subject });
  }

  refusalData(refusal: Refusal): { bridge: Record<string, string> } {
    const { from, to } = this.#legs(refusal.feature);
    return refusalData(refusal, from, to, this.#host.policy);
  }

  #subject(request: RequestFrame, tool: string | undefined) {
    return { session: this.#session, method: request.method, tool };
  }

  /** Whose words were at stake, and for whom. */
  #legs(concern: Concern): { from: Revision; to: Revision } {
    const [server, client] = [this.#from.revision, this.#to.revision];
    return isSaidByClients(concern) ? { from: client, to: server } : { from: server, to: client };
  }

  #showTools(request: RequestFrame, result: RawJson): RawJson {
    const outcome = this.#tools.show(result, {
      from: this.#from,
      to: this.#to,
      policy: this.#host.policy,
      upstream: this.#route.transport,
    });
    this.#route.learnTools(outcome.tools);
    for (const { tool, ...step } of outcome.steps) this.report(request, [step], tool);
    for (const { name, refusal } of outcome.withheld ?? []) this.refused(request, refusal, name);
    return outcome.kind === 'changed' ? outcome.raw : result;
  }

  /** Follows the client's way through a paged list, to know what it holds once it has reached the end. */
  #follow(request: RequestFrame, result: RawJson): void {
    const { method } = request;
    const first = request.params === undefined || getMember(request.params, 'cursor') === undefined;
    const entries = entriesOf(method, result);
    const before = first ? [] : this.#walks.get(method);
    if (!isList(method) || before === undefined) return;
    const walked = [...before, ...entries];
    if (nextCursorOf(result) !== undefined) {
      this.#walks.set(method, walked);
      return;
    }
    this.#walks.delete(method);
    this.#onList(method, walked);
    if (method === Method.toolsList) this.#host.emit({ kind: 'tools', tools: walked });
  }
}

function toolOf(frame: RequestFrame): string | undefined {
  if (frame.method !== Method.toolsCall || frame.params === undefined) return undefined;
  return stringOf(getMember(frame.params, 'name'));
}
