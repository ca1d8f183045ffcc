import { fail, type RequestFrame, type ResponseFrame } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import type { Revision } from '../protocol/revision.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { isQuestion } from '../translate/questions/question.ts';
import type { ClientIdentity } from './client.ts';
import type { HeldCall } from './heldCall.ts';
import { holdQuestion } from './heldQuestion.ts';
import { ParkedQuestions, type ParkedQuestion, type ParkingLimits } from './parkedQuestions.ts';
import { questionContext } from './putQuestion.ts';

const NO_CALL = 'The client can only be asked in the course of a call that may ask.';

interface Entry {
  readonly held: HeldCall;
  /** Whether its result may ask for input. */
  readonly mayAsk: boolean;
}

/** The calls under way of one client at a server of the legacy era, and whose each of the server's questions is. */
export class HeldCalls {
  readonly #server: Revision;
  readonly #client: ClientIdentity;
  readonly #policy: () => DegradePolicy;
  readonly #onLost: (message: string) => void;
  readonly #byCall = new Map<number, Entry>();
  readonly #parked: ParkedQuestions;

  /** `onLost` is told of what the server asked and no client of the modern era can be asked. */
  constructor(
    server: Revision,
    client: ClientIdentity,
    policy: () => DegradePolicy,
    limits: ParkingLimits,
    onLost: (message: string) => void,
  ) {
    this.#server = server;
    this.#parked = new ParkedQuestions(
      limits,
      ({ frame, respond }) => respond(fail(frame, ErrorCode.methodNotFound, NO_CALL)),
      ({ frame: { method } }) =>
        onLost(`The server asked for ${method} in the course of no call; nobody could be asked.`),
    );
    this.#client = client;
    this.#policy = policy;
    this.#onLost = onLost;
  }

  get size(): number {
    return this.#byCall.size;
  }

  add(call: number, held: HeldCall, mayAsk: boolean): void {
    this.#byCall.set(call, { held, mayAsk });
    this.#startGrace();
  }

  /** The questions that belong to no call, for one that takes them along. */
  takeParked(): readonly ParkedQuestion[] {
    return this.#parked.take();
  }

  /** Gives the calls that it was known by. */
  delete(held: HeldCall): number[] {
    const calls = [...this.#byCall]
      .filter(([, entry]) => entry.held === held)
      .map(([call]) => call);
    for (const call of calls) this.#byCall.delete(call);
    return calls;
  }

  ofCall(call: number): HeldCall | undefined {
    return this.#byCall.get(call)?.held;
  }

  find(id: string): HeldCall | undefined {
    return this.first((held) => held.id === id);
  }

  /** The oldest call that fits. */
  first(fits: (held: HeldCall) => boolean): HeldCall | undefined {
    for (const { held } of this.#byCall.values()) if (fits(held)) return held;
    return undefined;
  }

  withdraw(question: string): void {
    for (const { held } of this.#byCall.values()) held.withdraw(question);
    this.#parked.withdraw(question);
  }

  cancelAll(): void {
    this.#parked.refuseAll();
    for (const { held } of [...this.#byCall.values()]) held.cancel();
  }

  /** A request of the server's own: becomes a part of the answer to the call that it belongs to. */
  onQuestion(
    frame: RequestFrame,
    call: number | undefined,
    respond: (answer: ResponseFrame) => void,
  ): void {
    const refuse = (why: string): void => respond(fail(frame, ErrorCode.methodNotFound, why));
    if (!isQuestion(frame.method)) {
      const { revision } = this.#client.profile;
      refuse(`The client's revision has no ${frame.method}.`);
      this.#onLost(
        `The server asked for ${frame.method}; a client of ${revision} is asked nothing but by results.`,
      );
      return;
    }
    const held = this.#asking(call);
    if (held === undefined && call !== undefined) {
      refuse(NO_CALL);
      return;
    }
    const context = questionContext(this.#server, this.#client, this.#policy());
    let asking = held;
    const question = holdQuestion(frame, respond, context, () => asking);
    if (question === undefined) return;
    const { input, steps, settle } = question;
    const park = (): void =>
      this.#park({
        frame,
        respond,
        putBy: (other, onAnswered) => {
          asking = other;
          other.exchange?.note(steps);
          other.ask(frame, input, (given) => {
            settle(given);
            onAnswered();
          });
        },
      });
    if (held === undefined) {
      park();
      return;
    }
    held.exchange?.note(steps);
    this.#noteGuess(held, call);
    held.ask(frame, input, settle, call === undefined ? park : undefined);
  }

  #park(parked: ParkedQuestion): void {
    this.#parked.park(parked);
    this.#startGrace();
  }

  #startGrace(): void {
    // Calls of the bridge's own are counted downwards; the server knows nothing of them.
    const isWaiting = (): boolean =>
      [...this.#byCall].some(([call, { mayAsk }]) => call >= 0 && !mayAsk);
    if (isWaiting()) this.#parked.startGrace(isWaiting);
  }

  /** The call that a question belongs to: told by its stream over HTTP; on stdio the oldest whose client is there. */
  #asking(call: number | undefined): HeldCall | undefined {
    const asking = [...this.#byCall.values()].filter(({ mayAsk }) => mayAsk);
    if (call !== undefined) {
      const entry = this.#byCall.get(call);
      return entry?.mayAsk === true ? entry.held : undefined;
    }
    const present = asking.find(({ held }) => held.exchange !== undefined);
    return (present ?? asking[0])?.held;
  }

  #noteGuess(held: HeldCall, call: number | undefined): void {
    const asking = [...this.#byCall.values()].filter(({ mayAsk }) => mayAsk);
    const count = new Set(asking.map((entry) => entry.held)).size;
    if (call !== undefined || count < 2) return;
    const before = `a question that does not say which of ${count} calls it belongs to`;
    const after = 'put to the oldest';
    held.exchange?.note([{ feature: 'result-type', path: '', before, after, loss: 'warning' }]);
  }
}
