import type { NotifyFrame, RequestFrame, ResponseFrame } from '../protocol/frame.ts';
import type { RawJson } from '../protocol/rawJson.ts';
import type { Refusal, Step } from '../translate/report.ts';
import type { ClientIdentity } from './client.ts';

/**
 * One request of a client on its way through the bridge. It is answered exactly once: later answers, and any answer
 * after the client cancelled, are dropped.
 */
export interface Exchange {
  readonly request: RequestFrame;
  /** True for a request of the bridge's own, which no client waits for. */
  readonly isOwn: boolean;
  /** True once the client gave the request up, or it was answered: nothing more may be done for it. */
  readonly isOver: boolean;
  /** Hands over the server's own answer; it is translated for the client on its way. */
  respond(frame: ResponseFrame): void;
  /** The server's answer to another request of this client's, as the client would have been given it. */
  answerTo(request: RequestFrame, frame: ResponseFrame): ResponseFrame;
  /** Answers with a result of the bridge's own, in the client's terms already. */
  answer(result: RawJson): void;
  /** Answers in the server's place: the policy, or the client's abilities, forbid to go on. */
  refuse(refusal: Refusal): void;
  /** Reports a refusal of the server's own, whose words the client gets besides. */
  raise(refusal: Refusal): void;
  /** Notes steps that were taken on the way. */
  note(steps: readonly Step[]): void;
  /** Tells the client something in the course of this request. */
  notify(frame: NotifyFrame): void;
  /** Puts a question to the client in the course of this request; its id is replaced by one of the session's. */
  ask(question: RequestFrame): Asked;
  /** Sets what to do when the client gives the request up; the last one set counts, and not after an answer. */
  onCancel(listener: (reason: RawJson | undefined) => void): void;
}

/** A question under way. */
export interface Asked {
  /** The client's answer; an error of the bridge's own where the session ends or the question is withdrawn. */
  readonly answer: Promise<ResponseFrame>;
  /** Tells the client that nobody waits for its answer any more. */
  withdraw(reason?: RawJson): void;
}

/** Where a question is put to a client and what became of it is reported: in the course of a request, or outside any. */
export type QuestionPort = Pick<Exchange, 'ask' | 'note' | 'raise'> & { readonly isOver?: boolean };

/** What a route may do to the session it serves, outside any request. */
export interface SessionPort {
  readonly client: ClientIdentity;
  notify(frame: NotifyFrame): void;
  ask(question: RequestFrame): Asked;
  /** Reports on a question of the server's that belongs to no request. */
  note(question: RequestFrame, steps: readonly Step[]): void;
  raise(question: RequestFrame, refusal: Refusal): void;
}
