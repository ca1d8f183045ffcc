import { profileOf } from '../../../../src/protocol/profile.ts';
import type { Revision } from '../../../../src/protocol/revision.ts';
import { parsePolicy } from '../../../../src/translate/policy.ts';
import { liftAnswer } from '../../../../src/translate/questions/answer.ts';
import { lowerQuestion } from '../../../../src/translate/questions/question.ts';
import type { QuestionContext } from '../../../../src/translate/questions/types.ts';
import type { Step } from '../../../../src/translate/report.ts';

export interface Setting {
  readonly from?: Revision;
  readonly to?: Revision;
  /** `strict` where a test says nothing. */
  readonly policy?: string;
  readonly capabilities?: readonly string[];
}

const ABLE = ['elicitation', 'sampling', 'sampling/tools', 'roots'];

export function contextOf({ from, to, policy, capabilities }: Setting): QuestionContext {
  const parsed = parsePolicy(policy ?? 'strict');
  if (parsed.kind === 'unknown') throw new Error(`no policy: ${parsed.name}`);
  const declared = new Set(capabilities ?? ABLE);
  return {
    from: profileOf(from ?? '2026-07-28'),
    to: profileOf(to ?? '2025-11-25'),
    policy: parsed.policy,
    declares: (...path) => declared.has(path.join('/')),
    elicitationId: 'made-up',
  };
}

const inWords = (steps: readonly Step[]): string[] =>
  steps.map(({ feature, path, loss }) => `${feature} ${path} ${loss}`);

/** What a question's params come to: their text, and the steps in words. */
export function lower(
  method: string,
  params: string,
  setting: Setting = {},
): { params: string | undefined; steps: string[] } | { refused: string; liftable: boolean } {
  const question = lowerQuestion(method, Buffer.from(params), contextOf(setting));
  if (question.kind === 'refused') {
    const { feature, path, liftable = false } = question.refusal;
    return { refused: `${feature} ${path}`, liftable };
  }
  const asked = question.kind === 'ask' ? question.params : question.result;
  return { params: asked?.toString('utf8'), steps: inWords(question.steps) };
}

/** What an answer comes to for the server, after the question was lowered for the client. */
export function lift(method: string, params: string, answer: string, setting: Setting = {}) {
  const context = contextOf(setting);
  // The same bytes where the question crosses as it is: what was changed is told by that.
  const original = Buffer.from(params);
  const question = lowerQuestion(method, original, context);
  if (question.kind !== 'ask') throw new Error(`The question is ${question.kind}.`);
  const asked = { original, asked: question.params };
  const lifted = liftAnswer(method, asked, Buffer.from(answer), context);
  switch (lifted.kind) {
    case 'answer':
      return { result: lifted.result.toString('utf8'), steps: inWords(lifted.steps) };
    case 'unfit':
      return { unfit: `${lifted.path} ${lifted.why}` };
    case 'refused':
      return { refused: lifted.refusal.feature, liftable: lifted.refusal.liftable ?? false };
  }
}
