import { fail, type RequestFrame, type ResponseFrame } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import type { InputRequest } from '../translate/questions/inputRequired.ts';
import { lowerQuestion } from '../translate/questions/question.ts';
import {
  missingCapability,
  type RequiredCapability,
} from '../translate/questions/requiredCapability.ts';
import type { QuestionContext } from '../translate/questions/types.ts';
import type { Exchange, QuestionPort } from './exchange.ts';
import { lift, settleAnswer } from './putQuestion.ts';

/** What a question of a legacy server's belongs to: it is held there until its modern client answers it. */
export interface Asking {
  /** What the client could not be asked, in whatever the server then makes of it. */
  lacking: RequiredCapability | undefined;
  /** The request in whose course it is asked, where there is one at the moment. */
  readonly exchange: Exchange | undefined;
  ask(frame: RequestFrame, question: InputRequest, respond: (answer: ResponseFrame) => void): void;
}

/**
 * Puts a question to where it is held, in the client's terms; false for one that the client cannot be asked, which is
 * answered here.
 */
export function holdQuestion(
  asking: Asking,
  frame: RequestFrame,
  respond: (answer: ResponseFrame) => void,
  context: QuestionContext,
): boolean {
  const lowered = lowerQuestion(frame.method, frame.params, context);
  // Asked of the moment: the client may be away now and back when the answer comes.
  const port: Pick<QuestionPort, 'note' | 'raise'> = {
    note: (steps) => asking.exchange?.note(steps),
    raise: (refusal) => asking.exchange?.raise(refusal),
  };
  switch (lowered.kind) {
    case 'refused': {
      port.raise(lowered.refusal);
      const missing = missingCapability(frame.method, frame.params, context.declares);
      if (missing !== undefined) asking.lacking = { ...asking.lacking, ...missing };
      respond(fail(frame, ErrorCode.methodNotFound, lowered.refusal.hint));
      return false;
    }
    case 'answered':
      port.note(lowered.steps);
      respond({ kind: 'response', id: frame.id, result: lowered.result });
      return false;
    case 'ask': {
      const { params } = lowered;
      port.note(lowered.steps);
      asking.ask(frame, { method: frame.method, params }, (given) =>
        respond(settleAnswer(frame, given, lift(frame, params, given, context), port)),
      );
      return true;
    }
  }
}
