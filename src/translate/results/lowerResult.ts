import { Method } from '../../protocol/methods.ts';
import { methodsOf } from '../../protocol/methodTable.ts';
import { setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  isNull,
  kindOf,
  membersOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { NEWEST_MODERN, type Revision } from '../../protocol/revision.ts';
import { Edition } from '../edition.ts';
import { repairOffer } from '../handshake.ts';
import { isEmptyArray, repairMembers, type Shape } from '../members/repairMembers.ts';
import { HANDSHAKE, PAGE, PROMPT_RESULT, RESULT, TOOL_RESULT } from '../members/shapes.ts';
import { PERMISSIVE, type DegradePolicy } from '../policy.ts';
import { unsafeQuestion } from '../questions/inputRequired.ts';
import { describeRaw, type Outcome } from '../report.ts';
import { createdTask } from '../tasks/task.ts';
import { lowerCompleteResult } from './completeResult.ts';
import {
  checkCompletion,
  completeForModern,
  emptyForLegacy,
  mayAsk,
  resultTypeOf,
} from './completion.ts';
import { ensureArray, lowerEntries } from './entries.ts';
import { lowerPromptResult } from './promptResult.ts';
import { lowerReadResult } from './readResult.ts';
import { isErrorResult, lowerToolResult, type ToolResultContext } from './toolResult.ts';

export interface ResultContext extends ToolResultContext {
  readonly policy: DegradePolicy;
  /** Who a server of the legacy era said it is; a modern reader is told with every result. */
  readonly serverInfo?: RawJson | undefined;
  /** What was asked. */
  readonly params?: RawJson | undefined;
}

/** The members of a result, by the method it answers, that must be of their type for it to be read at all. */
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  [Method.toolsCall, TOOL_RESULT],
  [Method.promptsGet, PROMPT_RESULT],
  [Method.toolsList, PAGE],
  [Method.promptsList, PAGE],
  [Method.resourcesList, PAGE],
  [Method.templatesList, PAGE],
  [Method.discover, HANDSHAKE],
]);

/**
 * Puts a result to its reader; the tools of `tools/list` have rules of their own. A result that its reader can take comes
 * back unchanged.
 */
export function lowerResult(method: string, result: RawJson, context: ResultContext): Outcome {
  const { from, to } = context;
  const edition = new Edition(result, policyFor(method, result, context.policy));
  const toModern = to.codec.typesResults;
  const fromModern = from.codec.typesResults;
  ensureObject(edition, method);
  if (edition.refusal !== undefined) return edition.outcome();
  // A modern reader knows what is no result yet.
  if (toModern && fromModern && resultTypeOf(result) !== 'complete') {
    edition.refusal = unsafeQuestion(result);
    refuseVainQuestion(edition, method);
    return edition.outcome();
  }
  // A task stands for a result to come, too.
  if (!fromModern && !toModern && createdTask(result) !== undefined) return edition.outcome();
  if (fromModern) checkCompletion(edition, method, from, to);
  if (!toModern) {
    emptyForLegacy(edition, method, to);
    refuseUnfinished(edition, method);
  }
  const owner = 'of the result';
  const repair = { edition, to: to.revision, concern: 'result-content', owner } as const;
  edition.raw = repairMembers(edition.raw, [], SHAPES.get(method) ?? RESULT, repair);
  lowerParts(edition, method, context, to.revision);
  if (toModern && !fromModern) completeForModern(edition, method, to, context.serverInfo);
  return edition.outcome();
}

/** A tool's own error must reach the model, and no word of a handshake is worth the connection. */
function policyFor(method: string, result: RawJson, policy: DegradePolicy): DegradePolicy {
  const failed = method === Method.toolsCall && isErrorResult(result);
  return failed || method === Method.discover ? PERMISSIVE : policy;
}

function lowerParts(edition: Edition, method: string, context: ResultContext, to: Revision): void {
  switch (method) {
    case Method.toolsCall:
      lowerToolResult(edition, context);
      return;
    case Method.promptsGet:
      lowerPromptResult(edition, context.to);
      return;
    case Method.resourcesRead:
      lowerReadResult(edition, to, context.params);
      return;
    case Method.complete:
      lowerCompleteResult(edition, to);
      return;
    case Method.toolsList:
      ensureArray(edition, 'tools', 'tool-definition');
      return;
    case Method.discover:
      repairOffer(edition, to);
      return;
    default:
      lowerEntries(edition, method, to);
  }
}

/**
 * A result is an object in every revision, and every known client drops another as no message and waits for its answer.
 * Null, and the empty array of PHP, say that there is nothing to say.
 */
function ensureObject(edition: Edition, method: string): void {
  const { raw } = edition;
  if (kindOf(raw) === 'object') return;
  const before = describeRaw(raw);
  if (isNull(raw) || isEmptyArray(raw)) {
    edition.note(isNull(raw) ? 'null-member' : 'result-content', [], before, 'an empty object');
    edition.raw = toRaw({});
    return;
  }
  const what = `The server's result is no object (${before}), which no client reads`;
  if (method !== Method.toolsCall) {
    edition.refuse('result-content', [], `${what}.`);
    return;
  }
  const hint = `${what}; allow "result-content" to receive it as text.`;
  if (!edition.mayLose('result-content', [], before, 'its content', hint)) return;
  edition.raw = setMember(toRaw({}), 'content', raw);
}

/** A result that is no result yet reads as a finished, empty one to whoever does not know the type: never let through. */
function refuseUnfinished(edition: Edition, method: string): void {
  const type = resultTypeOf(edition.raw);
  if (type === 'complete') return;
  refuseVainQuestion(edition, method);
  const what = `answers with the result type "${type}", which this client's revision cannot read`;
  edition.refuse('result-type', ['resultType'], `The server ${what}; no policy can change that.`);
}

/** Input that is asked for where none may be, or without a question (2026-07-28, Multi Round-Trip Requests). */
function refuseVainQuestion(edition: Edition, method: string): void {
  const { raw } = edition;
  if (resultTypeOf(raw) !== 'input_required') return;
  const asks = membersOf(getMember(raw, 'inputRequests') ?? toRaw({})).length > 0;
  const canRetry = stringOf(getMember(raw, 'requestState')) !== undefined;
  // What a method of somebody's own may ask is between the two of them.
  if (!methodsOf(NEWEST_MODERN).requests.has(method)) return;
  if (mayAsk(method) && (asks || canRetry)) return;
  const what = mayAsk(method)
    ? 'without a question and without a state to come back with'
    : `in answer to ${method}, which no revision allows`;
  edition.refuse(
    'result-type',
    ['resultType'],
    `The server asks for input ${what}; no policy can change that.`,
  );
}
