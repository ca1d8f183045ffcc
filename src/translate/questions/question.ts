import { Method } from '../../protocol/methods.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import type { Refusal } from '../report.ts';
import { lowerElicitation } from './elicitation.ts';
import { lowerSampling } from './sampling.ts';
import type { Question, QuestionContext } from './types.ts';

const CAPABILITY: ReadonlyMap<string, string> = new Map([
  [Method.elicit, 'elicitation'],
  [Method.createMessage, 'sampling'],
  [Method.rootsList, 'roots'],
]);

/** True for the requests with which a server asks something of the user's side. */
export function isQuestion(method: string): boolean {
  return CAPABILITY.has(method);
}

/** Puts a server's question into what the client can be asked (2026-07-28, Multi Round-Trip Requests). */
export function lowerQuestion(
  method: string,
  params: RawJson | undefined,
  context: QuestionContext,
): Question {
  const capability = CAPABILITY.get(method);
  if (capability === undefined) {
    return refusal(
      'result-type',
      '/method',
      `The server asks ${method}, which no revision knows as a question.`,
    );
  }
  if (!context.declares(capability)) {
    const hint = `The server asks ${method}, but this client does not support ${capability}; use a client that does, or a tool that does not ask.`;
    return refusal('client-capability', '/method', hint);
  }
  if (params === undefined) return { kind: 'ask', params, steps: [] };
  if (method === Method.elicit) return lowerElicitation(params, context);
  if (method === Method.createMessage) return lowerSampling(params, context);
  return { kind: 'ask', params, steps: [] };
}

function refusal(feature: Refusal['feature'], path: string, hint: string): Question {
  return { kind: 'refused', refusal: { feature, path, hint } };
}
