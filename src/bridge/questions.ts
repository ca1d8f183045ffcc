import { request, type ErrorFrame, type ResponseFrame } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, membersOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { lowerQuestion } from '../translate/questions/question.ts';
import type { Refusal } from '../translate/report.ts';
import { declares } from './client.ts';
import type { Exchange } from './exchange.ts';
import type { SessionPort } from './exchange.ts';

/** What became of the questions in an `input_required` result. */
export type Answers =
  /** The members to add to the params of the retry. */
  | { readonly kind: 'answered'; readonly params: RawJson }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The client failed at a question that has no answer for "no". */
  | { readonly kind: 'failed'; readonly frame: ErrorFrame };

type Answer =
  { readonly kind: 'answer'; readonly result: RawJson } | Exclude<Answers, { kind: 'answered' }>;

let elicitations = 0;

/**
 * Puts every question of an `input_required` result to the client, all at once, and builds the params of the retry
 * (2026-07-28, Multi Round-Trip Requests, Client Requirements).
 */
export async function askClient(
  inputRequired: RawJson,
  params: RawJson | undefined,
  exchange: Exchange,
  session: SessionPort,
  policy: DegradePolicy,
): Promise<Answers> {
  const questions = membersOf(getMember(inputRequired, 'inputRequests') ?? toRaw({}));
  const answers = await Promise.all(
    questions.map(async ({ key, value }) => ({
      key,
      answer: await askOne(value, exchange, session, policy),
    })),
  );
  let responses = toRaw({});
  for (const { key, answer } of answers) {
    if (answer.kind !== 'answer') return answer;
    responses = setMember(responses, key, answer.result);
  }
  let retry = params ?? toRaw({});
  if (questions.length > 0) retry = setMember(retry, 'inputResponses', responses);
  const state = getMember(inputRequired, 'requestState');
  if (state !== undefined) retry = setMember(retry, 'requestState', state);
  return { kind: 'answered', params: retry };
}

async function askOne(
  question: RawJson,
  exchange: Exchange,
  session: SessionPort,
  policy: DegradePolicy,
): Promise<Answer> {
  const method = stringOf(getMember(question, 'method')) ?? '';
  const lowered = lowerQuestion(method, getMember(question, 'params'), {
    to: session.client.profile,
    policy,
    declares: (...path) => declares(session.client, ...path),
    elicitationId: `rosetta-${++elicitations}`,
  });
  if (lowered.kind === 'refused') return lowered;
  exchange.note(lowered.steps);
  if (lowered.kind === 'answered') return { kind: 'answer', result: lowered.result };
  return answerOf(method, await exchange.ask(request('0', method, lowered.params)).answer);
}

function answerOf(method: string, frame: ResponseFrame): Answer {
  if (frame.error === undefined) return { kind: 'answer', result: frame.result };
  // An elicitation has a way to say that it came to nothing; the other questions have none.
  if (method === Method.elicit) return { kind: 'answer', result: toRaw({ action: 'cancel' }) };
  return { kind: 'failed', frame };
}
