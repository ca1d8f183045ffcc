import { arrayOf, removeMember, setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  kindOf,
  parseRaw,
  stringOf,
  toRaw,
  type JsonPath,
  type RawJson,
} from '../../protocol/rawJson.ts';
import type { Profile } from '../../protocol/profile.ts';
import type { Edition } from '../edition.ts';
import { pointer } from '../report.ts';
import { choicesOf, nameChoices } from './choices.ts';
import { described } from './describe.ts';
import { sayDefault } from './formField.ts';

/**
 * A form's field for 2025-06-18: the titles of a choice stand in `enumNames`, one value is all one can choose, and a
 * boolean alone has a default (2025-06-18, Elicitation, Supported Schema Types).
 */
export function fieldFor20250618(
  edition: Edition,
  path: JsonPath,
  name: string,
  field: RawJson,
  from: Profile,
): RawJson {
  if (isMultiSelect(field)) return typedChoice(edition, path, name, field);
  // Between peers of one revision it is a member that nobody there knows, and crosses as such.
  const isKnown = from.features.has('elicitation-multi-select');
  const plain = isKnown ? sayDefault(edition, path, field, isBoolean) : field;
  const choices = getMember(plain, 'oneOf') === undefined ? undefined : choicesOf(plain);
  if (choices === undefined) return plain;
  edition.note('elicitation-titled-enum', path, 'oneOf with titles', 'enum with enumNames');
  const values = choices.map(({ value }) => toRaw(value));
  const titles = choices.map(({ value, title }) => toRaw(title ?? value));
  const named = setMember(removeMember(plain, 'oneOf'), 'enum', arrayOf(values));
  return setMember(named, 'enumNames', arrayOf(titles));
}

export function isMultiSelect(field: RawJson): boolean {
  return stringOf(getMember(field, 'type')) === 'array';
}

function isBoolean(field: RawJson): boolean {
  return stringOf(getMember(field, 'type')) === 'boolean';
}

/** A choice of several values as a text; what is typed there becomes the array again on its way to the server. */
function typedChoice(edition: Edition, path: JsonPath, name: string, field: RawJson): RawJson {
  const hint = `The server lets one choose several values in "${name}", and this client's revision has no such field; allow "elicitation-multi-select" to type them, separated by commas.`;
  const after = 'a text of values separated by commas';
  if (!isOfTexts(field)) {
    edition.refusal ??= { feature: 'elicitation-multi-select', path: pointer(path), hint: CANNOT };
    return field;
  }
  if (!edition.mayLose('elicitation-multi-select', path, 'several values', after, hint))
    return field;
  let text = sayDefault(edition, path, described(field, instructions(field)), () => false);
  for (const key of ['items', 'minItems', 'maxItems', 'uniqueItems'])
    text = removeMember(text, key);
  return setMember(text, 'type', toRaw('string'));
}

const CANNOT =
  "The server asks for a list of values that are no texts; this client's revision has no way to enter them.";

function isOfTexts(field: RawJson): boolean {
  const items = getMember(field, 'items');
  if (items === undefined || choicesOf(items) !== undefined) return true;
  return (stringOf(getMember(items, 'type')) ?? 'string') === 'string';
}

function instructions(field: RawJson): string {
  const items = getMember(field, 'items');
  const choices = items && choicesOf(items);
  const what = choices === undefined ? 'values' : `any of: ${nameChoices(choices)}`;
  const parts = [`${what}; separate several by commas`];
  const least = count(field, 'minItems');
  const most = count(field, 'maxItems');
  if (least !== undefined && least > 0) parts.push(`at least ${least}`);
  if (most !== undefined) parts.push(`at most ${most}`);
  return parts.join('; ');
}

function count(field: RawJson, key: string): number | undefined {
  const value = getMember(field, key);
  if (value === undefined || kindOf(value) !== 'number') return undefined;
  return parseRaw(value) as number;
}
