import { arrayOf, editAt, removeMember, setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  itemsOf,
  kindOf,
  parseRaw,
  stringOf,
  toRaw,
  type JsonPath,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { withoutNulls, type Edition } from '../edition.ts';
import { choicesOf } from './choices.ts';
import { described } from './describe.ts';
import { plainField, type Budget } from './plainField.ts';

const OPTIONAL = new Set([
  'title',
  'description',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'enumNames',
]);
const FORMATS = new Set(['email', 'uri', 'date', 'date-time']);

/**
 * A form's field as its revision spells it, for every reader: servers write more of JSON Schema than the specification
 * lets them, and one field that a reader cannot take costs the whole form. What a field cannot say in its members stands
 * in its description, so that nothing is lost.
 */
export function repairField(
  edition: Edition,
  path: JsonPath,
  original: RawJson,
  form: RawJson,
  budget: Budget,
): RawJson {
  let field = plain(edition, path, original, form, budget);
  if (stringOf(getMember(field, 'type')) === 'array') {
    const items = getMember(field, 'items');
    if (items !== undefined) {
      const at = [...path, 'items'];
      const repaired = repairItems(edition, at, plain(edition, at, items, form, budget));
      if (repaired !== items) field = setMember(field, 'items', repaired);
    }
  } else field = repairChoice(edition, path, field);
  field = withoutNulls(field, OPTIONAL, (key) =>
    edition.note('null-member', [...path, key], 'null', 'absent'),
  );
  return sayDefault(edition, path, sayFormat(edition, path, field), canHold);
}

function plain(
  edition: Edition,
  path: JsonPath,
  original: RawJson,
  form: RawJson,
  budget: Budget,
): RawJson {
  const { field, referred, nullable, dangling } = plainField(original, form, budget);
  const reference = 'a reference';
  if (dangling) edition.note('schema-reference', path, reference, 'passed on', 'warning');
  if (referred) edition.note('schema-reference', path, reference, 'what it refers to');
  if (nullable) edition.note('null-member', path, 'an alternative of null', 'absent');
  return field;
}

/** `oneOf` with a `const` and a title each, under `type: "string"`. */
function repairChoice(edition: Edition, path: JsonPath, original: RawJson): RawJson {
  if (choicesOf(original) === undefined) return original;
  let field = renamed(original, 'anyOf', 'oneOf');
  field = editAt(field, ['oneOf'], titled);
  if (getMember(field, 'type') === undefined) field = setMember(field, 'type', toRaw('string'));
  noteChoice(edition, path, field !== original);
  return field;
}

/** The values of a choice of several: `enum` under `type: "string"`, or `anyOf` with a `const` and a title each. */
function repairItems(edition: Edition, path: JsonPath, original: RawJson): RawJson {
  if (choicesOf(original) === undefined) return original;
  let items = renamed(original, 'oneOf', 'anyOf');
  items = editAt(items, ['anyOf'], titled);
  const isUntitled = getMember(items, 'enum') !== undefined;
  if (isUntitled && getMember(items, 'type') === undefined) {
    items = setMember(items, 'type', toRaw('string'));
  }
  noteChoice(edition, path, items !== original);
  return items;
}

function noteChoice(edition: Edition, path: JsonPath, changed: boolean): void {
  if (changed)
    edition.note('elicitation-titled-enum', path, 'a choice', 'a choice with all it needs');
}

function renamed(field: RawJson, before: string, after: string): RawJson {
  const value = getMember(field, before);
  if (value === undefined) return field;
  return setMember(removeMember(field, before), after, value);
}

function titled(options: RawJson): RawJson {
  const before = itemsOf(options);
  const after = before.map((option) => {
    const value = getMember(option, 'const');
    if (value === undefined || stringOf(getMember(option, 'title')) !== undefined) return option;
    return setMember(option, 'title', value);
  });
  return after.every((option, index) => option === before[index]) ? options : arrayOf(after);
}

/** Every revision names four formats; readers drop a form with another one. */
function sayFormat(edition: Edition, path: JsonPath, field: RawJson): RawJson {
  const format = getMember(field, 'format');
  if (format === undefined || stringOf(getMember(field, 'type')) !== 'string') return field;
  const name = stringOf(format);
  if (name !== undefined && FORMATS.has(name)) return field;
  edition.note('elicitation-form', [...path, 'format'], 'a format', 'a part of the description');
  const rest = removeMember(field, 'format');
  return name === undefined ? rest : described(rest, `format: ${name}`);
}

/** A `default` that a reader's revision has no place for is proposed in the description instead. */
export function sayDefault(
  edition: Edition,
  path: JsonPath,
  field: RawJson,
  hasPlace: (field: RawJson, value: RawJson) => boolean,
): RawJson {
  const value = getMember(field, 'default');
  if (value === undefined || hasPlace(field, value)) return field;
  edition.note('elicitation-form', [...path, 'default'], 'a default', 'a part of the description');
  return described(removeMember(field, 'default'), `proposed: ${proposal(field, value)}`);
}

function proposal(field: RawJson, value: RawJson): string {
  const items = stringOf(getMember(field, 'type')) === 'array' ? getMember(field, 'items') : field;
  const choices = (items && choicesOf(items)) ?? [];
  const name = (each: RawJson): string => {
    const text = stringOf(each) ?? each.toString('utf8');
    return choices.find((choice) => choice.value === text)?.title ?? text;
  };
  return kindOf(value) === 'array' ? itemsOf(value).map(name).join(', ') : name(value);
}

/** Whether a default is of the type that the field has (2025-11-25, Elicitation, Requested Schema). */
function canHold(field: RawJson, value: RawJson): boolean {
  switch (stringOf(getMember(field, 'type'))) {
    case 'string':
      return kindOf(value) === 'string';
    case 'number':
      return kindOf(value) === 'number';
    case 'integer':
      return Number.isInteger(parseRaw(value));
    case 'boolean':
      return kindOf(value) === 'boolean';
    case 'array':
      return itemsOf(value).every((item) => kindOf(item) === 'string') && kindOf(value) === 'array';
    default:
      return true;
  }
}
