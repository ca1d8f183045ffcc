import { fail, withResult, type RequestFrame, type ResponseFrame } from '../../protocol/frame.ts';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { Method } from '../../protocol/methods.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import type { InputRequest } from '../../translate/questions/inputRequired.ts';
import type { RequiredCapability } from '../../translate/questions/requiredCapability.ts';
import { detailedTask } from '../../translate/tasks/extensionTask.ts';
import { withoutRelatedTask, withRelatedTask } from '../../translate/tasks/relatedTask.ts';
import type { CallOutcome } from '../callOutcome.ts';
import { isTerminal, readTask } from '../../translate/tasks/task.ts';
import type { Connection } from '../connection.ts';
import type { Exchange } from '../exchange.ts';
import type { Asking } from '../heldQuestion.ts';
import { taskRequest } from './awaitTask.ts';

/** How long a task without a time to live is held for a client that does not come, in milliseconds. */
const UNLIMITED_MS = 3_600_000;

interface OpenQuestion extends InputRequest {
  readonly frame: RequestFrame;
  readonly respond: (answer: ResponseFrame) => void;
}

export interface HeldTaskOptions {
  readonly taskId: string;
  readonly connection: Connection;
  /** The call that became the task, and the request in whose course that was found. */
  readonly origin: RequestFrame;
  readonly exchange: Exchange;
  /** There is news of it that the server need not tell: a question, or its result. */
  readonly onNews: (task: HeldTask) => void;
}

/**
 * A task of a legacy server's that its modern client was handed. `tasks/result` stays open for as long as it lasts: that is
 * where the server asks, and what it comes to stands ready when the client looks.
 */
export class HeldTask implements Asking {
  readonly taskId: string;
  lacking: RequiredCapability | undefined;
  readonly #options: HeldTaskOptions;
  readonly #open = new Map<string, OpenQuestion>();
  #asked = 0;
  #call: number | undefined;
  #outcome: ResponseFrame | undefined;
  #wantedUntil = Date.now() + UNLIMITED_MS;
  #shownEnd = false;
  #closed = false;

  constructor(options: HeldTaskOptions) {
    this.taskId = options.taskId;
    this.#options = options;
    this.#wait();
  }

  get exchange(): Exchange {
    return this.#options.exchange;
  }

  /** True while its client may still come for what it ends with. */
  get isWanted(): boolean {
    return !this.#shownEnd && Date.now() < this.#wantedUntil;
  }

  /** The open `tasks/result`, on whose stream the server asks over HTTP. */
  get call(): number | undefined {
    return this.#call;
  }

  /** The whole of it, as the client is shown it; `task` is what the server says of it now. */
  show(task: RawJson): RawJson {
    const detailed = detailedTask(task, { questions: this.#open, outcome: this.#outcome });
    const state = readTask(detailed);
    this.#wantedUntil = Date.now() + (state?.ttlMs ?? UNLIMITED_MS);
    this.#shownEnd = state !== undefined && isTerminal(state.status);
    return detailed;
  }

  /** Waits for its end anew where the request that did so was lost. */
  resume(): void {
    if (this.#call === undefined && this.#outcome === undefined) this.#wait();
  }

  ask(frame: RequestFrame, question: InputRequest, respond: OpenQuestion['respond']): void {
    const kind = question.method.split('/')[0] ?? 'question';
    this.#open.set(`${kind}-${++this.#asked}`, { ...question, frame, respond });
    this.#options.onNews(this);
  }

  /** The client's answers; those to what is not asked, or not any more, are passed over (Tasks, Task Update Requests). */
  answer(answers: ReadonlyMap<string, RawJson>): void {
    for (const [key, result] of answers) {
      const question = this.#open.get(key);
      if (question === undefined) continue;
      this.#open.delete(key);
      const related = withRelatedTask(result, this.taskId);
      question.respond({ kind: 'response', id: question.frame.id, result: related });
    }
  }

  /** The server no longer waits for the answer to one of its questions. */
  withdraw(id: string): void {
    for (const [key, { frame }] of this.#open) if (frame.id === id) this.#drop(key);
  }

  /** Asks for the result of a task that is over, without waiting for what waits for it already. */
  async fetchResult(): Promise<void> {
    if (this.#outcome !== undefined) return;
    const outcome = await this.#ask(true);
    if (outcome.kind === 'response') this.#settle(outcome.frame);
  }

  /** Nobody will ask for it any more; the task itself goes on. */
  close(): void {
    this.#closed = true;
    this.#dropAll();
  }

  #wait(): void {
    void this.#ask(false).then((outcome) => {
      this.#call = undefined;
      // A request that was lost says nothing of the task: whoever looks at it next asks again.
      if (outcome.kind === 'response') this.#settle(outcome.frame);
      else this.#dropAll();
    });
  }

  #ask(timed: boolean): Promise<CallOutcome> {
    return new Promise((resolve) => {
      const { id } = this.#options.connection.call(taskRequest(Method.tasksResult, this.taskId), {
        timed,
        // What goes on in a task has no way to a client of this era (Tasks, Task Status Notifications).
        onNotification: () => undefined,
        onOutcome: resolve,
      });
      if (!timed) this.#call = id;
    });
  }

  #settle(frame: ResponseFrame): void {
    if (this.#outcome !== undefined || this.#closed) return;
    const { origin, exchange, onNews } = this.#options;
    const own =
      frame.error === undefined ? withResult(frame, withoutRelatedTask(frame.result)) : frame;
    this.#outcome = exchange.answerTo(origin, own);
    this.#dropAll();
    onNews(this);
  }

  #dropAll(): void {
    for (const key of [...this.#open.keys()]) this.#drop(key);
  }

  /** A question that nobody will answer any more is answered all the same, so that none stays open. */
  #drop(key: string): void {
    const question = this.#open.get(key);
    if (question === undefined) return;
    this.#open.delete(key);
    question.respond(fail(question.frame, ErrorCode.internalError, 'The client did not answer.'));
  }
}
