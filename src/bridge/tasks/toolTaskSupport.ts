import type { RequestFrame } from '../../protocol/frame.ts';
import { Method } from '../../protocol/methods.ts';
import { getMember, stringOf } from '../../protocol/rawJson.ts';
import { mayBecomeTask } from '../../translate/tasks/task.ts';
import { taskSupportOf, type TaskSupport } from '../../translate/tasks/toolTasks.ts';
import type { ToolFacts } from '../../translate/toolList/types.ts';
import { answerOrFailure } from '../callOutcome.ts';
import type { Connection } from '../connection.ts';
import { walkList } from '../listWalk.ts';
import { promises, type ServerIdentity } from '../serverIdentity.ts';

/**
 * What the tools of a legacy server say of tasks: learned from the lists that its client is shown, and asked for once where a
 * tool is called that none of them held.
 */
export class ToolTaskSupport {
  readonly #server: ServerIdentity;
  readonly #known = new Map<string, TaskSupport>();
  #walk: Promise<void> | undefined;

  constructor(server: ServerIdentity) {
    this.#server = server;
  }

  /** True where the server can make tasks of tool calls; what its tools say counts only then. */
  get isPromised(): boolean {
    return promises(this.#server, 'tasks', 'requests', 'tools', 'call');
  }

  /** True for a call whose client has not asked for a task: whether it becomes one all the same is for the tool to say. */
  decides({ method, params }: RequestFrame): boolean {
    const isAsked = params !== undefined && getMember(params, 'task') !== undefined;
    return this.isPromised && mayBecomeTask(method) && !isAsked;
  }

  learn(tools: readonly ToolFacts[]): void {
    for (const { name, taskSupport } of tools) this.#known.set(name, taskSupport);
  }

  /** The tools have changed: what was known of them may be wrong. */
  forget(): void {
    this.#known.clear();
    this.#walk = undefined;
  }

  async of(call: RequestFrame, connection: Connection): Promise<TaskSupport> {
    const name = (call.params && stringOf(getMember(call.params, 'name'))) ?? '';
    if (!this.#known.has(name)) await (this.#walk ??= this.#list(connection));
    return this.#known.get(name) ?? 'forbidden';
  }

  async #list(connection: Connection): Promise<void> {
    const walk = await walkList(
      Method.toolsList,
      (request) =>
        new Promise((resolve) => {
          const onOutcome = (outcome: Parameters<typeof answerOrFailure>[1]): void =>
            resolve(answerOrFailure(request, outcome));
          connection.call(request, { onOutcome });
        }),
      // The list is its client's to be warned of.
      () => undefined,
    );
    for (const tool of walk.kind === 'list' ? walk.entries : []) {
      const name = stringOf(getMember(tool, 'name'));
      if (name !== undefined && !this.#known.has(name)) this.#known.set(name, taskSupportOf(tool));
    }
  }
}
