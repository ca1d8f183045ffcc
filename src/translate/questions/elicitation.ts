import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { eraOf } from '../../protocol/revision.ts';
import { Edition } from '../edition.ts';
import { isSafeUrl } from '../../base/safeUrl.ts';
import { lowerForm } from './form.ts';
import type { Question, QuestionContext } from './types.ts';

/** Puts an `elicitation/create` into what the client's revision and capabilities allow. */
export function lowerElicitation(params: RawJson, context: QuestionContext): Question {
  const edition = new Edition(params, context.policy);
  if (isUrlMode(params)) return lowerUrl(edition, context);
  if (!takesForms(context)) {
    const hint =
      'The server asks with a form, but this client only opens web addresses; use a client that shows forms.';
    return { kind: 'refused', refusal: { feature: 'client-capability', path: '/mode', hint } };
  }
  lowerForm(edition, context);
  return asked(edition);
}

export function isUrlMode(params: RawJson): boolean {
  return stringOf(getMember(params, 'mode')) === 'url';
}

/** An `elicitation` that names no mode means forms (2025-11-25, Elicitation, Capabilities). */
function takesForms({ declares }: QuestionContext): boolean {
  return declares('elicitation', 'form') || !declares('elicitation', 'url');
}

/** True where the client can be sent to a web address. */
export function opensUrls({ to, declares }: Pick<QuestionContext, 'to' | 'declares'>): boolean {
  return to.features.has('elicitation-url') && declares('elicitation', 'url');
}

function asked(edition: Edition): Question {
  const outcome = edition.outcome();
  if (outcome.kind === 'refused') return outcome;
  return { kind: 'ask', params: edition.raw, steps: outcome.steps };
}

function lowerUrl(edition: Edition, context: QuestionContext): Question {
  const url = stringOf(getMember(edition.raw, 'url')) ?? '';
  if (!isSafeUrl(url)) {
    edition.note('unsafe-url', ['url'], 'an address that is not https', 'declined', 'warning');
    const { steps } = edition.outcome();
    return { kind: 'answered', result: toRaw({ action: 'decline' }), steps };
  }
  if (opensUrls(context)) {
    // 2025-11-25 demands an id, later revisions know none.
    const needsId = eraOf(context.to.revision) === 'legacy';
    if (needsId && getMember(edition.raw, 'elicitationId') === undefined) {
      edition.raw = setMember(edition.raw, 'elicitationId', toRaw(context.elicitationId));
    }
    return asked(edition);
  }
  const hint =
    'This client cannot be sent to a web address; allow "elicitation-url" to show it the address as a question to confirm.';
  if (!takesForms(context)) {
    const refusal = { feature: 'elicitation-url', path: '', hint: NEITHER } as const;
    return { kind: 'refused', refusal };
  }
  if (edition.mayLose('elicitation-url', [], 'a web address to open', 'a form with it', hint)) {
    edition.raw = confirmation(edition.raw, url);
  }
  return asked(edition);
}

const NEITHER =
  "The server asks to open a web address; this client's revision cannot, and it shows no forms either.";

/** A form without a field that shows an address; agreeing to it means to have been there. */
function confirmation(params: RawJson, url: string): RawJson {
  const message = stringOf(getMember(params, 'message')) ?? 'The server asks you to open:';
  let form = params;
  for (const key of ['mode', 'url', 'elicitationId']) form = removeMember(form, key);
  form = setMember(form, 'message', toRaw(`${message}\n${url}`));
  return setMember(form, 'requestedSchema', toRaw({ type: 'object', properties: {} }));
}
