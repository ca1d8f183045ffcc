import { dialectOf } from './dialect.ts';
import type { Notes } from './notes.ts';
import { withItems } from '../rawParts.ts';
import { schemaHolder } from '../schema/keywords.ts';
import { canonical } from '../../../protocol/canonical.ts';
import {
  itemsOf,
  kindOf,
  membersOf,
  stringOf,
  type JsonPath,
  type RawJson,
} from '../../../protocol/rawJson.ts';
import { describeRaw } from '../../report.ts';

type Fits = (value: RawJson) => boolean;

const isString: Fits = (value) => kindOf(value) === 'string';
const isBoolean: Fits = (value) => kindOf(value) === 'boolean';
const isNumber: Fits = (value) => kindOf(value) === 'number';
const numberOf = (value: RawJson): number =>
  isNumber(value) ? Number(value.toString('latin1')) : NaN;
const isPositive: Fits = (value) => numberOf(value) > 0;
const isCount: Fits = (value) => Number.isInteger(numberOf(value)) && numberOf(value) >= 0;
const isArray: Fits = (value) => kindOf(value) === 'array';
const isStrings: Fits = (value) => isArray(value) && itemsOf(value).every(isString);
const isSomething: Fits = (value) => isArray(value) && itemsOf(value).length > 0;

const TYPES: ReadonlySet<string> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);
const isType: Fits = (value) => TYPES.has(stringOf(value) ?? '');

/** The values that the meta-schema of draft-07 takes, as VS Code's copies of it have them. */
const VALUES: ReadonlyMap<string, Fits> = new Map([
  ...['$id', '$ref', '$comment', 'title', 'description', 'format', 'pattern'].map(
    (keyword): [string, Fits] => [keyword, isString],
  ),
  ...['contentMediaType', 'contentEncoding'].map((keyword): [string, Fits] => [keyword, isString]),
  ...['readOnly', 'writeOnly', 'uniqueItems'].map((keyword): [string, Fits] => [
    keyword,
    isBoolean,
  ]),
  ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'].map(
    (keyword): [string, Fits] => [keyword, isNumber],
  ),
  ...['Length', 'Items', 'Properties'].flatMap((what): [string, Fits][] => [
    [`max${what}`, isCount],
    [`min${what}`, isCount],
  ]),
  ['multipleOf', isPositive],
  ['required', isStrings],
  ['enum', isSomething],
  ['examples', isArray],
  ['type', (value) => isType(value) || (isSomething(value) && itemsOf(value).every(isType))],
]);

/** Whether JSON Schema types the value of this keyword, so that null can only mean absent. */
export function isKeyword(keyword: string): boolean {
  return keyword === '$schema' || VALUES.has(keyword) || schemaHolder(keyword) !== undefined;
}

/** Arrays in which a value that stands twice says no more than one that stands once. */
const SETS: readonly string[] = ['required', 'enum', 'type'];

/** Repairs the values of keywords that draft-07 types otherwise, or drops the keyword. */
export function repairValues(members: Map<string, RawJson>, path: JsonPath, notes: Notes): void {
  repairBounds(members, path, notes);
  for (const keyword of SETS) {
    const value = members.get(keyword);
    if (value === undefined) continue;
    const single = withoutRepeats(value);
    if (single === value) continue;
    members.set(keyword, single);
    notes.lossless('tool-definition', [...path, keyword], 'a repeated value', 'that value once');
  }
  repairDialect(members, path, notes);
  for (const [keyword, value] of [...members]) {
    if (fits(keyword, value)) continue;
    members.delete(keyword);
    const before = `${keyword} with ${describeRaw(value)}`;
    notes.lossy('schema-dialect', [...path, keyword], before, 'nothing');
  }
}

function fits(keyword: string, value: RawJson): boolean {
  const kind = kindOf(value);
  switch (schemaHolder(keyword)) {
    case 'schema':
      return kind === 'object' || kind === 'boolean';
    case 'schemas':
      return isSomething(value);
    case 'schemaOrSchemas':
      return kind === 'object' || kind === 'boolean' || isSomething(value);
    case 'schemaMap':
      return kind === 'object';
    case 'dependencies':
      return (
        kind === 'object' &&
        membersOf(value).every(
          (member) => kindOf(member.value) !== 'array' || isStrings(member.value),
        )
      );
    case undefined:
      return VALUES.get(keyword)?.(value) ?? true;
  }
}

/** `exclusiveMinimum: true` of draft-04 makes an exclusive bound of `minimum`. */
function repairBounds(members: Map<string, RawJson>, path: JsonPath, notes: Notes): void {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = members.get(flag);
    if (value === undefined || !isBoolean(value)) continue;
    const limit = members.get(bound);
    members.delete(flag);
    if (value[0] === 0x74 && limit !== undefined) {
      members.delete(bound);
      members.set(flag, limit);
    }
    notes.lossless('schema-dialect', [...path, flag], 'a boolean', 'the bound itself');
  }
}

function repairDialect(members: Map<string, RawJson>, path: JsonPath, notes: Notes): void {
  const declared = members.get('$schema');
  if (declared === undefined) return;
  const dialect = dialectOf(declared);
  if (dialect === 'draft-07') return;
  members.delete('$schema');
  const place = [...path, '$schema'];
  if (dialect === 'unknown') notes.lossy('schema-dialect', place, 'an unknown dialect', 'nothing');
  else notes.lossless('schema-dialect', place, 'another dialect', 'absent');
}

function withoutRepeats(value: RawJson): RawJson {
  const seen = new Set<string>();
  const items = itemsOf(value).map((item) => {
    const text = canonical(item);
    if (seen.has(text)) return undefined;
    seen.add(text);
    return item;
  });
  return seen.size === items.length ? value : withItems(value, items);
}
