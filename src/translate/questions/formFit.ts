import {
  getMember,
  isNull,
  itemsOf,
  kindOf,
  membersOf,
  parseRaw,
  stringOf,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { choicesOf, nameChoices, type Choice } from './choices.ts';
import { hasFormat } from './formats.ts';
import { budgetForForm, plainField } from './plainField.ts';

/** Where an answer departs from its form, and what was wanted there; never what was answered. */
export interface Misfit {
  readonly field: string;
  readonly why: string;
}

const NOTHING: RawJson = Buffer.from('{}');

/**
 * The first place where the content of an answer does not fit the form it answers; undefined where all does. Forms are
 * flat and have five kinds of fields (2025-11-25, Elicitation, Requested Schema), so that no validator of JSON Schema is
 * needed: those compile what a stranger wrote, and a `pattern` of a stranger's is never run on what a user typed.
 */
export function misfitOf(form: RawJson, content: RawJson | undefined): Misfit | undefined {
  const given = new Map(membersOf(content ?? NOTHING).map(({ key, value }) => [key, value]));
  for (const required of itemsOf(getMember(form, 'required') ?? NOTHING)) {
    const field = stringOf(required);
    if (field !== undefined && !given.has(field)) return { field, why: 'an answer is required' };
  }
  const budget = budgetForForm();
  for (const { key, value } of membersOf(getMember(form, 'properties') ?? NOTHING)) {
    const answer = given.get(key);
    if (answer === undefined) continue;
    const { field, nullable, dangling } = plainField(value, form, budget);
    if (dangling || (nullable && isNull(answer))) continue;
    const items = getMember(field, 'items');
    const plainItems = items && plainField(items, form, budget).field;
    const why = wanted(field, plainItems, answer);
    if (why !== undefined) return { field: key, why };
  }
  return undefined;
}

/** What a field wants that the answer is not; undefined where it fits. */
function wanted(field: RawJson, items: RawJson | undefined, answer: RawJson): string | undefined {
  switch (stringOf(getMember(field, 'type'))) {
    case 'boolean':
      return kindOf(answer) === 'boolean' ? undefined : 'true or false is wanted';
    case 'number':
    case 'integer':
      return wantedNumber(field, answer);
    case 'array':
      return wantedChoices(field, items && choicesOf(items), answer);
    case 'string':
    case undefined:
      return wantedText(field, answer);
    default:
      // No revision has such a field.
      return undefined;
  }
}

function wantedText(field: RawJson, answer: RawJson): string | undefined {
  const choices = choicesOf(field);
  const text = stringOf(answer);
  if (choices !== undefined) {
    const fits = choices.some(({ value }) => value === text);
    return fits ? undefined : `one of these is wanted: ${nameChoices(choices)}`;
  }
  // A field that names no type may take anything.
  if (getMember(field, 'type') === undefined) return undefined;
  if (text === undefined) return 'a text is wanted';
  const [least, most] = [numberAt(field, 'minLength'), numberAt(field, 'maxLength')];
  // Characters as JSON Schema counts them.
  const length = least === undefined && most === undefined ? 0 : [...text].length;
  if (least !== undefined && length < least) return `at least ${least} characters are wanted`;
  if (most !== undefined && length > most) return `at most ${most} characters are wanted`;
  const format = stringOf(getMember(field, 'format'));
  return hasFormat(text, format) ? undefined : `a text of the format ${format} is wanted`;
}

function wantedNumber(field: RawJson, answer: RawJson): string | undefined {
  const value = kindOf(answer) === 'number' ? parseRaw(answer) : undefined;
  if (typeof value !== 'number') return 'a number is wanted';
  const isWhole = stringOf(getMember(field, 'type')) !== 'integer' || Number.isInteger(value);
  if (!isWhole) return 'a whole number is wanted';
  const [least, most] = [numberAt(field, 'minimum'), numberAt(field, 'maximum')];
  if (least !== undefined && value < least) return `at least ${least} is wanted`;
  if (most !== undefined && value > most) return `at most ${most} is wanted`;
  return undefined;
}

function wantedChoices(
  field: RawJson,
  choices: readonly Choice[] | undefined,
  answer: RawJson,
): string | undefined {
  if (kindOf(answer) !== 'array') return 'a list of values is wanted';
  const chosen = itemsOf(answer);
  const values = choices && new Set(choices.map(({ value }) => value));
  if (values !== undefined && !chosen.every((item) => values.has(stringOf(item) ?? '\0'))) {
    return `any of these are wanted: ${nameChoices(choices ?? [])}`;
  }
  const [least, most] = [numberAt(field, 'minItems'), numberAt(field, 'maxItems')];
  if (least !== undefined && chosen.length < least) return `at least ${least} are wanted`;
  if (most !== undefined && chosen.length > most) return `at most ${most} are wanted`;
  return undefined;
}

function numberAt(field: RawJson, key: string): number | undefined {
  const raw = getMember(field, key);
  const value = raw !== undefined && kindOf(raw) === 'number' ? parseRaw(raw) : undefined;
  return typeof value === 'number' ? value : undefined;
}
