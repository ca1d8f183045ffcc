import { mapMembers, setMember } from '../../protocol/rawEdit.ts';
import { getMember, kindOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { withoutNulls, type Edition } from '../edition.ts';
import { repairField } from './formField.ts';
import { fieldFor20250618 } from './olderField.ts';
import { budgetForForm } from './plainField.ts';
import type { QuestionContext } from './types.ts';

const PARAMS = new Set(['mode', '_meta', 'task', 'requestedSchema']);
const FORM = new Set(['$schema', 'required', 'title', 'description']);
const PROPERTIES = ['requestedSchema', 'properties'];

/** Puts the params of a form into what the client's revision has fields for (Elicitation, Requested Schema). */
export function lowerForm(edition: Edition, { from, to }: QuestionContext): void {
  edition.raw = withoutNulls(edition.raw, PARAMS, (key) =>
    edition.note('null-member', [key], 'null', 'absent'),
  );
  const before = getMember(edition.raw, 'requestedSchema') ?? toRaw({});
  if (kindOf(before) !== 'object') return;
  const form = completeForm(edition, before);
  const properties = getMember(form, 'properties') ?? toRaw({});
  const budget = budgetForForm();
  const isOlder = !to.features.has('elicitation-multi-select');
  const lowered = mapMembers(properties, ({ key, value }) => {
    if (kindOf(value) !== 'object') return value;
    const path = [...PROPERTIES, key];
    const field = repairField(edition, path, value, form, budget);
    return isOlder ? fieldFor20250618(edition, path, key, field, from) : field;
  });
  const after = lowered === properties ? form : setMember(form, 'properties', lowered);
  if (after !== before) edition.raw = setMember(edition.raw, 'requestedSchema', after);
}

/** A question without a field is one to agree to; readers of every revision want the members all the same. */
function completeForm(edition: Edition, before: RawJson): RawJson {
  let form = withoutNulls(before, FORM, (key) =>
    edition.note('null-member', ['requestedSchema', key], 'null', 'absent'),
  );
  for (const [key, value] of [
    ['type', 'object'],
    ['properties', {}],
  ] as const) {
    const present = getMember(form, key);
    if (present !== undefined && kindOf(present) !== 'null') continue;
    form = setMember(form, key, toRaw(value));
    edition.note('elicitation-form', ['requestedSchema', key], 'absent', 'present');
  }
  return form;
}
