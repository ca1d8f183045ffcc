import { cancellation, readCancellation } from '../protocol/cancellation.ts';
import {
  withId,
  withParams,
  type IdToken,
  type NotifyFrame,
  type RequestFrame,
} from '../protocol/frame.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { toRaw } from '../protocol/rawJson.ts';

/** A question as the session has it in which it was asked. */
export interface AskedIn<Session> {
  readonly session: Session;
  readonly id: IdToken;
}

/**
 * The questions of several sessions of one server. Each counts from the start again, so that one whose id is open already
 * is told under another.
 */
export class SessionQuestions<Session> {
  readonly #open = new Map<IdToken, AskedIn<Session>>();
  #renamed = 0;

  /** The question as it is told. */
  ask(session: Session, question: RequestFrame): RequestFrame {
    const { id } = question;
    const told = this.#open.has(id) ? `"asked-again-${++this.#renamed}"` : id;
    this.#open.set(told, { session, id });
    return told === id ? question : withId(question, told);
  }

  /** Whose question an answer is for, once; undefined where nobody waits for it any more. */
  answer(told: IdToken): AskedIn<Session> | undefined {
    const asked = this.#open.get(told);
    this.#open.delete(told);
    return asked;
  }

  /** A session's withdrawal of a question of its own, as it is told. */
  withdraw(session: Session, withdrawal: NotifyFrame): NotifyFrame {
    const { params } = withdrawal;
    const id = readCancellation(withdrawal)?.id;
    for (const [told, asked] of this.#open) {
      if (params === undefined || asked.session !== session || asked.id !== id) continue;
      return told === id
        ? withdrawal
        : withParams(withdrawal, setMember(params, 'requestId', Buffer.from(told)));
    }
    return withdrawal;
  }

  /** The session is over; returns what tells that nobody waits for the answers to its questions. */
  end(session: Session): readonly NotifyFrame[] {
    const over = [...this.#open].filter(([, asked]) => asked.session === session);
    return over.map(([told]) => {
      this.#open.delete(told);
      const reason = toRaw('The session in which this was asked is over.');
      return cancellation(told, reason);
    });
  }
}
