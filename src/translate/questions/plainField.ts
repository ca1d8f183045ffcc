import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import {
  getAt,
  getMember,
  itemsOf,
  kindOf,
  membersOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';

/** A form's field without detours. */
export interface PlainField {
  readonly field: RawJson;
  /** A reference was followed. */
  readonly referred: boolean;
  /** The field could also be null. */
  readonly nullable: boolean;
  /** A reference stands where it was: it leads nowhere, out of the form, or to too much. */
  readonly dangling: boolean;
}

/** More than any writer of forms nests them. */
const MAX_DETOURS = 8;

/** How many bytes may still be gone through to follow the references of one form. */
export interface Budget {
  left: number;
}

/** Far beyond every form that a person fills in; a form written to cost more stays as it is. */
export function budgetForForm(): Budget {
  return { left: 64 * 1024 * 1024 };
}

/**
 * A form's field as the revisions know it: no reference, and no alternative beside null. Writers of schemas make both out
 * of enums and optional fields; readers of every revision show them as free text or drop the form. Nothing outside the
 * form is ever followed.
 */
export function plainField(original: RawJson, form: RawJson, budget: Budget): PlainField {
  let field = original;
  let referred = false;
  let nullable = false;
  for (let detours = 0; detours < MAX_DETOURS; detours++) {
    const reference = getMember(field, '$ref');
    const only = onlyItem(getMember(field, 'allOf'));
    const target = reference === undefined ? only : targetOf(reference, form, budget);
    if (target !== undefined) {
      field = merged(target, removeMember(field, reference === undefined ? 'allOf' : '$ref'));
      referred = true;
      continue;
    }
    if (reference !== undefined) return { field, referred, nullable, dangling: true };
    const withoutNull = notNull(field);
    if (withoutNull === undefined) return { field, referred, nullable, dangling: false };
    field = withoutNull;
    nullable = true;
  }
  return { field, referred, nullable, dangling: getMember(field, '$ref') !== undefined };
}

/** A field's own members count where the target has them, too. */
function merged(target: RawJson, own: RawJson): RawJson {
  let result = target;
  for (const { key, value } of membersOf(own)) result = setMember(result, key, value);
  return result;
}

function onlyItem(list: RawJson | undefined): RawJson | undefined {
  const items = list === undefined ? [] : itemsOf(list, 2);
  const [item] = items;
  return items.length === 1 && item !== undefined && kindOf(item) === 'object' ? item : undefined;
}

/** What a JSON pointer within the form leads to (RFC 6901). */
function targetOf(reference: RawJson, form: RawJson, budget: Budget): RawJson | undefined {
  const text = stringOf(reference);
  budget.left -= 2 * form.length;
  if (budget.left < 0) return undefined;
  if (text?.startsWith('#/') !== true) return undefined;
  const path = text
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = getAt(form, path);
  return target !== undefined && kindOf(target) === 'object' ? target : undefined;
}

/** The field where it may be one thing or null, without the null; undefined for every other field. */
function notNull(field: RawJson): RawJson | undefined {
  const type = getMember(field, 'type');
  if (type !== undefined && kindOf(type) === 'array') {
    const types = itemsOf(type, 3);
    const [only, ...others] = types.filter((each) => stringOf(each) !== 'null');
    const had = types.length === 2 && only !== undefined && others.length === 0;
    return had ? setMember(field, 'type', only) : undefined;
  }
  for (const key of ['anyOf', 'oneOf']) {
    const options = itemsOf(getMember(field, key) ?? toRaw([]), 3);
    const [only, ...others] = options.filter(
      (each) => stringOf(getMember(each, 'type')) !== 'null',
    );
    if (options.length !== 2 || only === undefined || others.length > 0) continue;
    if (kindOf(only) === 'object') return merged(only, removeMember(field, key));
  }
  return undefined;
}
