import {
  request,
  type FrameError,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, itemsOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { lowerQuestion } from '../translate/questions/question.ts';
import type { Question, QuestionContext } from '../translate/questions/types.ts';
import type { Refusal } from '../translate/report.ts';
import { isSafeUrl } from '../base/safeUrl.ts';
import type { ClientIdentity } from './client.ts';
import type { QuestionPort } from './exchange.ts';
import type { HeldCall } from './heldCall.ts';
import { putQuestion, questionContext } from './putQuestion.ts';

/** An address to visit, as a question to the client. */
export interface UrlQuestion {
  readonly frame: RequestFrame;
  readonly question: Extract<Question, { kind: 'ask' }>;
  readonly context: QuestionContext;
}

/** What a legacy server's demand to visit addresses first comes to for a client. */
export type UrlDemand =
  | { readonly kind: 'ask'; readonly questions: readonly UrlQuestion[] }
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
  server: Revision,
  client: ClientIdentity,
  policy: DegradePolicy,
): UrlDemand {
  const questions: UrlQuestion[] = [];
  for (const [index, url] of urls.entries()) {
    // It can be nothing else here, whether it says so or not.
    const params = setMember(url, 'mode', toRaw('url'));
    const frame = request(toRaw(`rosetta-url-${index}`).toString('utf8'), Method.elicit, params);
    const context = questionContext(server, client, policy);
    const question = lowerQuestion(frame.method, params, context);
    if (question.kind === 'refused') return question;
    if (question.kind === 'answered') return { kind: 'refused', refusal: unsafeAt(index) };
    questions.push({ frame, context, question });
  }
  return { kind: 'ask', questions };
}

/** The demand is refused whose addresses nobody may be shown; undefined where all of them are safe. */
export function unsafeDemand(urls: readonly RawJson[]): Refusal | undefined {
  const index = urls.findIndex((each) => {
    const url = stringOf(getMember(each, 'url'));
    return url !== undefined && !isSafeUrl(url);
  });
  return index < 0 ? undefined : unsafeAt(index);
}

function unsafeAt(index: number): Refusal {
  return {
    feature: 'unsafe-url',
    path: `/data/elicitations/${index}/url`,
    hint: 'The server demands that an address is opened that is not https; nobody was shown it.',
  };
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
  questions: readonly UrlQuestion[],
  onAnswered: (visited: boolean) => void,
): void {
  let left = questions.length;
  let visited = true;
  for (const { frame, question } of questions) {
    held.ask(frame, { method: Method.elicit, params: question.params }, (response) => {
      visited &&= isAccepted(response);
      if (--left === 0) onAnswered(visited);
    });
  }
}

/** Puts the questions to a client of the legacy era, all at once; true where it went to every address. */
export async function visitUrls(
  questions: readonly UrlQuestion[],
  port: QuestionPort,
): Promise<boolean> {
  const asked = questions.map(({ frame, question, context }) =>
    putQuestion(frame, question, context, port),
  );
  const answers = await Promise.all(asked.map(({ answer }) => answer));
  return answers.every(isAccepted);
}

function isAccepted({ result }: ResponseFrame): boolean {
  return result !== undefined && stringOf(getMember(result, 'action')) === 'accept';
}
