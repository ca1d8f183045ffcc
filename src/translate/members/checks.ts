import { itemsOf, kindOf, stringOf, type RawJson } from '../../protocol/rawJson.ts';
import { isAtLeast, type Revision } from '../../protocol/revision.ts';

/** Whether a reader of a revision takes a value in its place. */
export type Check = (value: RawJson, to: Revision) => boolean;

export const isString: Check = (value) => kindOf(value) === 'string';
export const isObject: Check = (value) => kindOf(value) === 'object';
export const isArray: Check = (value) => kindOf(value) === 'array';
export const isBoolean: Check = (value) => kindOf(value) === 'boolean';
export const isAnything: Check = () => true;

export const isStrings: Check = (value, to) =>
  isArray(value, to) && itemsOf(value).every((item) => isString(item, to));

export const isOneOf = (...words: string[]): Check => {
  const spelled = words.map((word) => Buffer.from(`"${word}"`));
  // Hardly anybody spells such a word with escapes.
  return (value) =>
    spelled.some((word) => word.equals(value)) || words.includes(stringOf(value) ?? '');
};

/** A whole number; beyond 2^53 readers in JavaScript, which could not tell two of them apart, reject it. */
export const isInteger: Check = (value) => Number.isSafeInteger(numberOf(value));

/** From 0 to 1, as priorities are. */
export const isShare: Check = (value) => {
  const number = numberOf(value);
  return number >= 0 && number <= 1;
};

/** What a progress token may be. */
export const isToken: Check = (value, to) => isString(value, to) || isInteger(value, to);

/** Who content is meant for (2025-11-25, Annotations, `audience`). */
export const isAudience: Check = (value, to) =>
  isArray(value, to) && itemsOf(value).every((item) => isRole(item, to));

const isRole = isOneOf('user', 'assistant');

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** A moment: any text in the schema of 2025-06-18, one with a time zone for the clients that came after it. */
export const isMoment: Check = (value, to) => {
  const text = stringOf(value);
  if (text === undefined || !isAtLeast(to, '2025-11-25')) return text !== undefined;
  const date = DATE_TIME.exec(text)?.[1];
  return date !== undefined && isDay(date);
};

/** False for a day that its month does not have. */
function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

function numberOf(value: RawJson): number {
  return kindOf(value) === 'number' ? Number(value.toString('latin1')) : NaN;
}
