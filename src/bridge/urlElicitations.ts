import { request, type FrameError, type RequestFrame } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, itemsOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { lowerQuestion } from '../translate/questions/question.ts';
import type { Refusal, Step } from '../translate/report.ts';
import { declares, type ClientIdentity } from './client.ts';
import type { HeldCall } from './heldCall.ts';

/** What a legacy server's demand to visit addresses first comes to for a modern client. */
export type UrlDemand =
  | { readonly kind: 'ask'; readonly params: readonly RawJson[]; readonly steps: readonly Step[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The addresses that an error of 2025-11-25 demands to be visited first; undefined for every other error. */
export function demandedUrls({ code, data }: FrameError): readonly RawJson[] | undefined {
  if (code !== ErrorCode.urlElicitationRequired) return undefined;
  const list = data && getMember(data, 'elicitations');
  const urls = list === undefined ? [] : itemsOf(list);
  return urls.length === 0 ? undefined : urls;
}

/** Puts the demand into what the client can be asked: as a question for each address, or not at all. */
export function lowerDemand(
  urls: readonly RawJson[],
  client: ClientIdentity,
  policy: DegradePolicy,
): UrlDemand {
  const params: RawJson[] = [];
  const steps: Step[] = [];
  for (const url of urls) {
    const lowered = lowerQuestion(Method.elicit, url, {
      to: client.profile,
      policy,
      declares: (...path) => declares(client, ...path),
      elicitationId: 'rosetta',
    });
    if (lowered.kind === 'refused') return lowered;
    steps.push(...lowered.steps);
    if (lowered.kind === 'answered') return { kind: 'refused', refusal: NOT_VISITED };
    if (lowered.params !== undefined) params.push(lowered.params);
  }
  return { kind: 'ask', params, steps };
}

/** The call was made for nothing, because the client did not go where the server sends it. */
export const NOT_VISITED: Refusal = {
  feature: 'elicitation-url',
  path: '',
  hint: 'The server demands that a web address is visited first, and it was not.',
};

/** Puts one question for each address; `onAnswered` hears, once all are answered, whether all were visited. */
export function askForUrls(
  held: HeldCall,
  params: readonly RawJson[],
  onAnswered: (visited: boolean) => void,
): void {
  let left = params.length;
  let visited = true;
  params.forEach((each, index) => {
    const frame = answerable(index);
    held.ask(frame, { method: Method.elicit, params: each }, (response) => {
      const action = response.result && stringOf(getMember(response.result, 'action'));
      visited &&= action === 'accept';
      if (--left === 0) onAnswered(visited);
    });
  });
}

function answerable(index: number): RequestFrame {
  return request(toRaw(`rosetta-url-${index}`).toString('utf8'), Method.elicit);
}
