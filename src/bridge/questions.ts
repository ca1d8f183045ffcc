import { request, type ErrorFrame, type ResponseFrame } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, membersOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { lowerQuestion } from '../translate/questions/question.ts';
import type { Question } from '../translate/questions/types.ts';
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

let elicitations = 0;

/**
 * Puts every question of an `input_required` result to the client, all at once, and builds the params of the retry
 * (2026-07-28, Multi Round-Trip Requests, Client Requirements). Where one of them cannot be asked, none is; where one
 * fails, the others are withdrawn.
 */
export async function askClient(
  inputRequired: RawJson,
  params: RawJson | undefined,
  exchange: Exchange,
  session: SessionPort,
  policy: DegradePolicy,
): Promise<Answers> {
  const questions = membersOf(getMember(inputRequired, 'inputRequests') ?? toRaw({})).map(
    ({ key, value }) => ({ key, ...lowered(value, session, policy) }),
  );
  for (const { question } of questions) if (question.kind === 'refused') return question;

  const asked = questions.map(({ key, method, question }) => put(key, method, question, exchange));
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

interface Put {
  readonly key: string;
  readonly answer: Promise<Answer>;
  readonly withdraw: () => void;
}

function lowered(
  raw: RawJson,
  session: SessionPort,
  policy: DegradePolicy,
): { method: string; question: Question } {
  const method = stringOf(getMember(raw, 'method')) ?? '';
  const question = lowerQuestion(method, getMember(raw, 'params'), {
    to: session.client.profile,
    policy,
    declares: (...path) => declares(session.client, ...path),
    elicitationId: `rosetta-${++elicitations}`,
  });
  return { method, question };
}

function put(key: string, method: string, question: Question, exchange: Exchange): Put {
  const none = (): void => undefined;
  switch (question.kind) {
    case 'refused':
      // Seen to before anything is asked.
      return { key, answer: new Promise(none), withdraw: none };
    case 'answered': {
      exchange.note(question.steps);
      const { result } = question;
      return { key, answer: Promise.resolve({ kind: 'answer', result }), withdraw: none };
    }
    case 'ask': {
      exchange.note(question.steps);
      const asked = exchange.ask(request('0', method, question.params));
      const answer = asked.answer.then((frame) => answerOf(method, frame));
      return { key, answer, withdraw: () => asked.withdraw() };
    }
  }
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
