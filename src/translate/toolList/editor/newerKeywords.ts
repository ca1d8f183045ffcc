import type { Notes } from './notes.ts';
import { memberMap, withMembers } from '../rawParts.ts';
import { ANYTHING, booleanAsObject } from '../typedMembers.ts';
import { arrayOf } from '../../../protocol/rawEdit.ts';
import {
  itemsOf,
  kindOf,
  membersOf,
  toRaw,
  type JsonPath,
  type RawJson,
} from '../../../protocol/rawJson.ts';

type Members = Map<string, RawJson>;

/** Keywords whose schemas apply to the same value, so that what they describe counts as evaluated. */
const IN_PLACE: readonly string[] = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'dependencies',
];

/**
 * Writes keywords that only 2019-09 or 2020-12 know in draft-07, where they have an equal form, and drops them where
 * they have none.
 */
export function convertNewerKeywords(
  members: Members,
  path: JsonPath,
  notes: Notes,
  joined: boolean,
): void {
  const composed = joined || IN_PLACE.some((keyword) => members.has(keyword));
  const becomes = (keyword: string, after: string): void => {
    members.delete(keyword);
    notes.lossless('schema-dialect', [...path, keyword], keyword, after);
  };
  const falls = (keyword: string): void => {
    members.delete(keyword);
    notes.lossy('schema-dialect', [...path, keyword], keyword, 'nothing');
  };
  convertUnevaluatedProperties(members, composed, becomes, falls);
  convertUnevaluatedItems(members, composed, becomes, falls);
  convertContains(members, becomes, falls);
  convertPrefixItems(members, becomes, falls);
  convertDependents(members, becomes, falls);
  if (members.has('$vocabulary'))
    becomes('$vocabulary', 'nothing, since it only speaks of dialects');
}

type Becomes = (keyword: string, after: string) => void;
type Falls = (keyword: string) => void;

const isSchema = (raw: RawJson): boolean => kindOf(raw) === 'object' || kindOf(raw) === 'boolean';

const takesAnything = (schema: RawJson): boolean =>
  schema[0] === 0x74 || (kindOf(schema) === 'object' && membersOf(schema).length === 0);

function convertUnevaluatedProperties(
  members: Members,
  composed: boolean,
  becomes: Becomes,
  falls: Falls,
): void {
  const schema = members.get('unevaluatedProperties');
  if (schema === undefined) return;
  if (takesAnything(schema) || members.has('additionalProperties')) {
    becomes('unevaluatedProperties', 'nothing, since it has no effect');
  } else if (composed || !isSchema(schema)) {
    falls('unevaluatedProperties');
  } else {
    members.set('additionalProperties', schema);
    becomes('unevaluatedProperties', 'additionalProperties');
  }
}

function convertUnevaluatedItems(
  members: Members,
  composed: boolean,
  becomes: Becomes,
  falls: Falls,
): void {
  const schema = members.get('unevaluatedItems');
  if (schema === undefined) return;
  if (takesAnything(schema) || members.has('items')) {
    becomes('unevaluatedItems', 'nothing, since it has no effect');
  } else if (composed || members.has('contains') || !isSchema(schema)) {
    falls('unevaluatedItems');
  } else {
    // Where there are prefixItems, this is what items means, and is moved on with them.
    members.set('items', kindOf(schema) === 'boolean' ? booleanAsObject(schema) : schema);
    becomes('unevaluatedItems', 'items');
  }
}

function convertContains(members: Members, becomes: Becomes, falls: Falls): void {
  const least = members.get('minContains');
  const most = members.get('maxContains');
  if (!members.has('contains')) {
    for (const keyword of ['minContains', 'maxContains']) {
      if (members.has(keyword)) becomes(keyword, 'nothing, since it has no effect');
    }
    return;
  }
  if (most !== undefined) falls('maxContains');
  if (least === undefined) return;
  const count = Number(least.toString('latin1'));
  if (count === 1) {
    becomes('minContains', 'nothing, since it is what contains says');
  } else if (count === 0 && most === undefined) {
    members.delete('contains');
    becomes('minContains', 'nothing, since contains has no effect beside it');
  } else {
    // Without its number, contains would ask for one item where the schema may ask for none.
    if (count === 0) members.delete('contains');
    falls('minContains');
  }
}

function convertPrefixItems(members: Members, becomes: Becomes, falls: Falls): void {
  const prefix = members.get('prefixItems');
  if (prefix === undefined) return;
  const rest = members.get('items');
  if (kindOf(prefix) !== 'array' || (rest !== undefined && kindOf(rest) === 'array')) {
    falls('prefixItems');
    return;
  }
  if (itemsOf(prefix).length === 0) {
    becomes('prefixItems', 'nothing, since it is empty');
    return;
  }
  members.set('items', prefix);
  if (rest === undefined) members.delete('additionalItems');
  else members.set('additionalItems', rest);
  becomes('prefixItems', rest === undefined ? 'items' : 'items and additionalItems');
}

function convertDependents(members: Members, becomes: Becomes, falls: Falls): void {
  for (const keyword of ['dependentRequired', 'dependentSchemas']) {
    const dependents = members.get(keyword);
    if (dependents === undefined) continue;
    const before = members.get('dependencies') ?? toRaw({});
    if (!areDependents(dependents) || !areDependents(before)) {
      falls(keyword);
      continue;
    }
    const all = memberMap(before);
    for (const [name, dependent] of memberMap(dependents)) {
      const other = all.get(name);
      all.set(name, other === undefined ? dependent : bothOf(other, dependent));
    }
    members.set('dependencies', withMembers(before, all));
    becomes(keyword, 'dependencies');
  }
}

/** Whether all members say which names or which schema depends on them. */
function areDependents(raw: RawJson): boolean {
  return (
    kindOf(raw) === 'object' &&
    membersOf(raw).every(({ value }) => {
      if (kindOf(value) !== 'array') return isSchema(value);
      return itemsOf(value).every((item) => kindOf(item) === 'string');
    })
  );
}

function bothOf(one: RawJson, other: RawJson): RawJson {
  return withMembers(ANYTHING, new Map([['allOf', arrayOf([asSchema(one), asSchema(other)])]]));
}

function asSchema(dependent: RawJson): RawJson {
  if (kindOf(dependent) !== 'array') return dependent;
  return withMembers(ANYTHING, new Map([['required', dependent]]));
}
