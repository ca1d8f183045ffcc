import {
  request,
  type ErrorFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, membersOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { lowerQuestion } from '../translate/questions/question.ts';
import type { Question, QuestionContext } from '../translate/questions/types.ts';
import type { Refusal } from '../translate/report.ts';
import type { ClientIdentity } from './client.ts';
import type { QuestionPort } from './exchange.ts';
import { putQuestion, questionContext } from './putQuestion.ts';

/** What became of the questions in an `input_required` result. */
export type Answers =
  /** The members to add to the params of the retry. */
  | { readonly kind: 'answered'; readonly params: RawJson }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The client failed at a question that has no answer for "no". */
  | { readonly kind: 'failed'; readonly frame: ErrorFrame };

/** Whose questions are put to whom. */
export interface Parties {
  readonly server: Revision;
  readonly client: ClientIdentity;
  readonly policy: DegradePolicy;
}

/**
 * Puts every question of an `input_required` result to the client, all at once, and builds the params of the retry
 * (2026-07-28, Multi Round-Trip Requests, Client Requirements). Where one of them cannot be asked, none is; where one
 * fails, the others are withdrawn.
 */
export async function askClient(
  inputRequired: RawJson,
  params: RawJson | undefined,
  port: QuestionPort,
  { server, client, policy }: Parties,
): Promise<Answers> {
  const questions: Lowered[] = [];
  for (const { key, value } of membersOf(getMember(inputRequired, 'inputRequests') ?? toRaw({}))) {
    const frame = frameOf(value);
    const context = questionContext(server, client, policy);
    const question = lowerQuestion(frame.method, frame.params, context);
    if (question.kind === 'refused') return question;
    questions.push({ key, frame, context, question });
  }
  const asked = questions.map((each) => put(each, port));
  const failure = await firstFailure(asked);
  if (failure !== undefined) {
    for (const each of asked) each.withdraw();
    return failure;
  }
  let responses = toRaw({});
  for (const { key, answer } of asked) {
    const given = await answer;
    if (given.kind === 'answer') responses = setMember(responses, key, given.result);
  }
  let retry = params ?? toRaw({});
  if (questions.length > 0) retry = setMember(retry, 'inputResponses', responses);
  const state = getMember(inputRequired, 'requestState');
  if (state !== undefined) retry = setMember(retry, 'requestState', state);
  return { kind: 'answered', params: retry };
}

type Answer =
  { readonly kind: 'answer'; readonly result: RawJson } | Extract<Answers, { kind: 'failed' }>;

interface Lowered {
  readonly key: string;
  readonly frame: RequestFrame;
  readonly context: QuestionContext;
  readonly question: Exclude<Question, { kind: 'refused' }>;
}

interface Put {
  readonly key: string;
  readonly answer: Promise<Answer>;
  readonly withdraw: () => void;
}

function frameOf(raw: RawJson): RequestFrame {
  return request('0', stringOf(getMember(raw, 'method')) ?? '', getMember(raw, 'params'));
}

function put({ key, frame, context, question }: Lowered, port: QuestionPort): Put {
  const asked = putQuestion(frame, question, context, port);
  const answer = asked.answer.then((given) => answerOf(frame.method, given));
  return { key, answer, withdraw: () => asked.withdraw() };
}

/** The first question to fail, as soon as it does; undefined when all are answered. */
function firstFailure(
  asked: readonly Put[],
): Promise<Extract<Answers, { kind: 'failed' }> | undefined> {
  return new Promise((resolve) => {
    for (const { answer } of asked) {
      void answer.then((given) => {
        if (given.kind === 'failed') resolve(given);
      });
    }
    void Promise.all(asked.map(({ answer }) => answer)).then(() => resolve(undefined));
  });
}

function answerOf(method: string, frame: ResponseFrame): Answer {
  if (frame.error === undefined) return { kind: 'answer', result: frame.result };
  // An elicitation has a way to say that it came to nothing; the other questions have none.
  if (method === Method.elicit) return { kind: 'answer', result: toRaw({ action: 'cancel' }) };
  return { kind: 'failed', frame };
}
