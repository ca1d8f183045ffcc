import { fail, type RequestFrame, type ResponseFrame } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import type { InputRequest } from '../translate/questions/inputRequired.ts';
import type { Step } from '../translate/report.ts';
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
}

/** A question in the client's terms, for whoever puts it. */
export interface HeldQuestion {
  readonly input: InputRequest;
  /** What it took; to be noted where it is put. */
  readonly steps: readonly Step[];
  /** Takes the client's answer. */
  readonly settle: (given: ResponseFrame) => void;
}

/**
 * Puts a question into the client's terms; undefined for one that the client cannot be asked, which is answered here.
 * `asking` tells where it is put, each time that it matters: the client may be away now and back when the answer comes, or
 * be asked in the course of another call.
 */
export function holdQuestion(
  frame: RequestFrame,
  respond: (answer: ResponseFrame) => void,
  context: QuestionContext,
  asking: () => Asking | undefined,
): HeldQuestion | undefined {
  const { method } = frame;
  const lowered = lowerQuestion(method, frame.params, context);
  const port: Pick<QuestionPort, 'note' | 'raise'> = {
    note: (steps) => asking()?.exchange?.note(steps),
    raise: (refusal) => asking()?.exchange?.raise(refusal),
  };
  switch (lowered.kind) {
    case 'refused': {
      port.raise(lowered.refusal);
      const missing = missingCapability(method, frame.params, context.declares);
      const held = asking();
      if (held !== undefined && missing !== undefined) {
        held.lacking = { ...held.lacking, ...missing };
      }
      respond(fail(frame, ErrorCode.methodNotFound, lowered.refusal.hint));
      return undefined;
    }
    case 'answered':
      port.note(lowered.steps);
      respond({ kind: 'response', id: frame.id, result: lowered.result });
      return undefined;
    case 'ask': {
      const { params, steps } = lowered;
      const settle = (given: ResponseFrame): void =>
        respond(settleAnswer(frame, given, lift(frame, params, given, context), port));
      return { input: { method, params }, steps, settle };
    }
  }
}
