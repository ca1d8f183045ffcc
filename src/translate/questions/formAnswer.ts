import { mapMembers, removeMember, setMember } from '../../protocol/rawEdit.ts';
import { getAt, getMember, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { pointer, type Step } from '../report.ts';
import { choicesOf, typedChoices } from './choices.ts';
import { isUrlMode } from './elicitation.ts';
import { misfitOf } from './formFit.ts';
import { isMultiSelect } from './olderField.ts';
import { budgetForForm, plainField } from './plainField.ts';
import type { LiftedAnswer } from './types.ts';

/**
 * Puts the answer to an elicitation into the server's terms, and checks it against the server's own form. Clients and
 * servers both should validate answers (2025-11-25, Elicitation, Form Mode Security): where the bridge showed the form as
 * it was, an answer that does not fit is the client's own word and crosses with a warning, for the server to judge. Where
 * the bridge showed another form, the server must not get what it did not ask for: such an answer is unfit.
 */
export function liftElicitation(original: RawJson, asked: RawJson, result: RawJson): LiftedAnswer {
  if (stringOf(getMember(result, 'action')) !== 'accept') return untouched(result);
  if (isUrlMode(original)) return isUrlMode(asked) ? untouched(result) : withoutContent(result);
  const form = getMember(original, 'requestedSchema');
  if (form === undefined) return untouched(result);
  const steps: Step[] = [];
  const lifted = asked === original ? result : withArrays(form, asked, result, steps);
  const misfit = misfitOf(form, getMember(lifted, 'content'));
  if (misfit === undefined) return { kind: 'answer', result: lifted, steps };
  const path = pointer(['content', misfit.field]);
  if (asked !== original) {
    return { kind: 'unfit', path, why: `${misfit.field}: ${misfit.why}` };
  }
  const before = 'an answer that does not fit the form';
  const step = { feature: 'elicitation-form', path, before, after: 'passed on' } as const;
  return { kind: 'answer', result, steps: [{ ...step, loss: 'warning' }] };
}

function untouched(result: RawJson): LiftedAnswer {
  return { kind: 'answer', result, steps: [] };
}

/** Who agrees to open an address has nothing to say besides (2025-11-25, Elicitation, Response Actions). */
function withoutContent(result: RawJson): LiftedAnswer {
  if (getMember(result, 'content') === undefined) return untouched(result);
  const step = { feature: 'elicitation-url', path: '/content', before: 'present' } as const;
  const steps: Step[] = [{ ...step, after: 'absent', loss: 'none' }];
  return { kind: 'answer', result: removeMember(result, 'content'), steps };
}

/** The choices of several values that were typed as one text, as arrays. */
function withArrays(form: RawJson, asked: RawJson, result: RawJson, steps: Step[]): RawJson {
  const content = getMember(result, 'content');
  if (content === undefined) return result;
  const budget = budgetForForm();
  const arrays = mapMembers(content, ({ key, value }) => {
    const original = getAt(form, ['properties', key]);
    const shown = getAt(asked, ['requestedSchema', 'properties', key]);
    const text = stringOf(value);
    if (original === undefined || shown === undefined || text === undefined) return value;
    const { field } = plainField(original, form, budget);
    if (!isMultiSelect(field) || isMultiSelect(shown)) return value;
    const items = getMember(field, 'items');
    const choices = items && choicesOf(plainField(items, form, budget).field);
    const step = { feature: 'elicitation-multi-select', path: pointer(['content', key]) } as const;
    steps.push({ ...step, before: 'a text', after: 'an array of values', loss: 'none' });
    return toRaw(typedChoices(text, choices));
  });
  return arrays === content ? result : setMember(result, 'content', arrays);
}
