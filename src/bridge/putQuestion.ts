import {
  answer as answerTo,
  fail,
  withParams,
  withResult,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { profileOf } from '../protocol/profile.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { liftAnswer } from '../translate/questions/answer.ts';
import type { LiftedAnswer, Question, QuestionContext } from '../translate/questions/types.ts';
import { declares, type ClientIdentity } from './client.ts';
import type { Asked, QuestionPort } from './exchange.ts';

let elicitations = 0;

/** What decides how a server's question is put to a client, and how the answer comes back. */
export function questionContext(
  server: Revision,
  client: ClientIdentity,
  policy: DegradePolicy,
): QuestionContext {
  return {
    from: profileOf(server),
    to: client.profile,
    policy,
    declares: (...path) => declares(client, ...path),
    elicitationId: `rosetta-${++elicitations}`,
  };
}

/**
 * Puts a question that may be asked to a client of the legacy era. An answer that does not fit the server's form, where
 * the bridge had to show another one, is asked for once more with what was wrong; after that the server hears of it as
 * of an elicitation that was cancelled, which is what came of it.
 */
export function putQuestion(
  frame: RequestFrame,
  question: Exclude<Question, { kind: 'refused' }>,
  context: QuestionContext,
  port: QuestionPort,
): Asked {
  port.note(question.steps);
  if (question.kind === 'answered') {
    return { answer: Promise.resolve(answerTo(frame, question.result)), withdraw: () => undefined };
  }
  const shown = shownParams(frame, question.params);
  let current = port.ask(shown);
  let withdrawn = false;
  const ask = async (): Promise<ResponseFrame> => {
    const first = await current.answer;
    const lifted = lift(frame, question.params, first, context);
    if (lifted?.kind !== 'unfit' || withdrawn || port.isOver === true) {
      return settleAnswer(frame, first, lifted, port);
    }
    current = port.ask(once(shown, lifted.why));
    const second = await current.answer;
    return settleAnswer(frame, second, lift(frame, question.params, second, context), port);
  };
  return {
    answer: ask(),
    withdraw: (reason) => {
      withdrawn = true;
      current.withdraw(reason);
    },
  };
}

function shownParams(frame: RequestFrame, params: RawJson | undefined): RequestFrame {
  return params === frame.params || params === undefined ? frame : withParams(frame, params);
}

/** The question once more, with what was wrong with the answer to it. */
function once(question: RequestFrame, why: string): RequestFrame {
  const { params } = question;
  if (params === undefined) return question;
  const message = stringOf(getMember(params, 'message')) ?? '';
  const again = `${message}\n\nThe answer did not fit. ${why}.`;
  return withParams(question, setMember(params, 'message', toRaw(again)));
}

/** What an answer comes to for the server; undefined for an error, which crosses as it is. */
export function lift(
  frame: RequestFrame,
  asked: RawJson | undefined,
  answer: ResponseFrame,
  context: QuestionContext,
): LiftedAnswer | undefined {
  if (answer.error !== undefined) return undefined;
  return liftAnswer(frame.method, { original: frame.params, asked }, answer.result, context);
}

/** The frame that the server gets, whatever its question came to. */
export function settleAnswer(
  frame: RequestFrame,
  given: ResponseFrame,
  lifted: LiftedAnswer | undefined,
  port: Pick<QuestionPort, 'note' | 'raise'>,
): ResponseFrame {
  if (given.error !== undefined || lifted === undefined) return given;
  switch (lifted.kind) {
    case 'answer':
      port.note(lifted.steps);
      return lifted.result === given.result ? given : withResult(given, lifted.result);
    case 'refused':
      port.raise(lifted.refusal);
      return fail(frame, ErrorCode.internalError, lifted.refusal.hint);
    case 'unfit': {
      const before = 'an answer that does not fit the form';
      const step = { feature: 'elicitation-form', path: lifted.path, before } as const;
      port.note([{ ...step, after: 'cancelled', loss: 'lossy' }]);
      return answerTo(frame, toRaw({ action: 'cancel' }));
    }
  }
}
