import type { RequestFrame, ResponseFrame } from '../../protocol/frame.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import { isTerminal, readTask, type Task } from '../../translate/tasks/task.ts';
import type { TaskServer } from './taskServer.ts';

/** A task that one session has made. */
export interface SessionTask {
  /** As it was when it was made. */
  readonly first: Task;
  /** The call that became it. */
  readonly origin: RequestFrame;
  /** Who is asked for it; undefined for one that the bridge made itself. */
  readonly server?: TaskServer;
  /** What the call was answered, in the client's terms, where the bridge made the task of the answer. */
  readonly outcome?: ResponseFrame;
  /** When to forget it, in milliseconds since 1970, where no server decides. */
  readonly expiresAt?: number;
  /** The questions of it that were put to the client. */
  readonly asked: Set<string>;
  /** As its client was last shown it. */
  shown: RawJson;
  isCancelled?: boolean;
  stopListening: () => void;
}

/** More tasks than one client can mean to have. */
const MAX_TASKS = 1000;

/** The tasks of one session, in the order in which they were made. */
export class SessionTasks {
  readonly #tasks = new Map<string, SessionTask>();

  add(task: SessionTask): void {
    this.#tasks.set(task.first.taskId, task);
    if (this.#tasks.size > MAX_TASKS) this.#makeRoom();
  }

  find(taskId: string): SessionTask | undefined {
    const task = this.#tasks.get(taskId);
    return task !== undefined && isKept(task) ? task : undefined;
  }

  all(): readonly SessionTask[] {
    return [...this.#tasks.values()].filter(isKept);
  }

  close(): void {
    for (const task of this.#tasks.values()) task.stopListening();
    this.#tasks.clear();
  }

  /** The oldest that has ended goes, or the oldest of all. */
  #makeRoom(): void {
    const tasks = [...this.#tasks.values()];
    const goes = tasks.find(({ shown }) => isOver(shown)) ?? tasks[0];
    if (goes === undefined) return;
    goes.stopListening();
    this.#tasks.delete(goes.first.taskId);
  }
}

function isOver(shown: RawJson): boolean {
  const task = readTask(shown);
  return task === undefined || isTerminal(task.status);
}

function isKept({ expiresAt = Infinity }: SessionTask): boolean {
  return Date.now() < expiresAt;
}
