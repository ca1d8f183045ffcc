import type { RequestFrame } from '../../protocol/frame.ts';
import { relatedTaskOf } from '../../translate/tasks/relatedTask.ts';

/** Which open call a task belongs to: what the server asks in the course of a task says whose it is. */
export class TaskCalls {
  readonly #calls = new Map<string, number>();

  add(taskId: string, call: number): void {
    this.#calls.set(taskId, call);
  }

  delete(call: number): void {
    for (const [taskId, id] of this.#calls) if (id === call) this.#calls.delete(taskId);
  }

  /** The call that a question belongs to, by the task it names, else by the stream it came on. */
  callOf(question: RequestFrame, stream: number | undefined): number | undefined {
    const taskId = relatedTaskOf(question.params);
    return (taskId === undefined ? undefined : this.#calls.get(taskId)) ?? stream;
  }
}
