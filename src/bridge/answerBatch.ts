import type { Frame, ResponseFrame } from '../protocol/frame.ts';

/** Gathers the answers of one batch (2025-03-26, Batching) and sends them as one array when all are there. */
export class AnswerBatch {
  readonly #answers: Frame[] = [];
  readonly #reply: (answers: readonly Frame[]) => void;
  #missing: number;

  constructor(requests: number, reply: (answers: readonly Frame[]) => void) {
    this.#missing = requests;
    this.#reply = reply;
    if (requests === 0) reply([]);
  }

  readonly deliver = (frame: ResponseFrame): void => {
    this.#answers.push(frame);
    this.skip();
  };

  /** One request will have no answer, because the client cancelled it. */
  readonly skip = (): void => {
    this.#missing--;
    if (this.#missing === 0) this.#reply(this.#answers);
  };
}
