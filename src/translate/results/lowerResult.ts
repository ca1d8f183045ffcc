import { Method } from '../../protocol/methods.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import { Edition } from '../edition.ts';
import { PERMISSIVE, type DegradePolicy } from '../policy.ts';
import { unsafeQuestion } from '../questions/inputRequired.ts';
import type { Outcome } from '../report.ts';
import { createdTask } from '../tasks/task.ts';
import {
  checkCompletion,
  completeForModern,
  emptyForLegacy,
  mayAsk,
  resultTypeOf,
} from './completion.ts';
import { removeNulls } from './entryNulls.ts';
import { lowerPromptResult } from './promptResult.ts';
import { isErrorResult, lowerToolResult, type ToolResultContext } from './toolResult.ts';

export interface ResultContext extends ToolResultContext {
  readonly policy: DegradePolicy;
  /** Who a server of the legacy era said it is; a modern reader is told with every result. */
  readonly serverInfo?: RawJson | undefined;
}

/**
 * Puts a result to its reader, except that of `tools/list`, which has rules of its own. A result that its reader can
 * take comes back unchanged.
 */
export function lowerResult(method: string, result: RawJson, context: ResultContext): Outcome {
  const { from, to, policy } = context;
  const failed = method === Method.toolsCall && isErrorResult(result);
  const edition = new Edition(result, failed ? PERMISSIVE : policy);
  const toModern = to.codec.typesResults;
  const fromModern = from.codec.typesResults;
  // A modern reader knows what is no result yet, and what a missing member stands for.
  if (toModern && fromModern && resultTypeOf(result) !== 'complete') {
    edition.refusal = unsafeQuestion(result);
    return edition.outcome();
  }
  // A task stands for a result to come, too.
  if (!fromModern && !toModern && createdTask(result) !== undefined) return edition.outcome();
  if (fromModern && !toModern) checkCompletion(edition, method, from);
  if (!toModern) {
    emptyForLegacy(edition, method, to);
    refuseUnfinished(edition, method);
  }
  removeNulls(edition, method);
  if (method === Method.toolsCall) lowerToolResult(edition, context);
  if (method === Method.promptsGet) lowerPromptResult(edition, to);
  if (toModern && !fromModern) completeForModern(edition, method, to, context.serverInfo);
  return edition.outcome();
}

/** A result that is no result yet reads as a finished, empty one to whoever does not know the type: never let through. */
function refuseUnfinished(edition: Edition, method: string): void {
  const type = resultTypeOf(edition.raw);
  if (type === 'complete') return;
  const what =
    type === 'input_required' && !mayAsk(method)
      ? `asks for input in answer to ${method}, which no revision allows`
      : `answers with the result type "${type}", which this client's revision cannot read`;
  edition.refusal ??= {
    feature: 'result-type',
    path: '/resultType',
    hint: `The server ${what}; no policy can change that.`,
  };
}
