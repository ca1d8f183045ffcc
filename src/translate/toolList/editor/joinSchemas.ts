import { memberMap, withMembers } from '../rawParts.ts';
import { canonical } from '../../../protocol/canonical.ts';
import { appendItem, arrayOf } from '../../../protocol/rawEdit.ts';
import { kindOf, type RawJson } from '../../../protocol/rawJson.ts';

/** Keywords that say something about a schema without constraining what it takes. */
const NOTES: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
  '$id',
  '$defs',
  'definitions',
]);

/** Keywords that read each other: two schemas that both have some cannot share one object. */
const GROUPS: readonly (readonly string[])[] = [
  ['properties', 'patternProperties', 'additionalProperties'],
  ['items', 'additionalItems', 'contains'],
  ['if', 'then', 'else'],
];

/**
 * One schema that takes what both take. What stands beside a reference is said of its place and wins over what the
 * definition says of itself; constraints are put side by side where they do not meet, else behind an `allOf`, because
 * Copilot removes an `allOf` at the root.
 */
export function joinSchemas(beside: RawJson, definition: RawJson): RawJson {
  const own = memberMap(beside);
  if (own.size === 0) return definition;
  const target = memberMap(definition);
  if (canShare(own, target)) {
    const all = new Map(target);
    for (const [key, value] of own) all.set(key, value);
    return withMembers(definition, all);
  }
  const allOf = own.get('allOf');
  own.set(
    'allOf',
    allOf !== undefined && kindOf(allOf) === 'array'
      ? appendItem(allOf, definition)
      : arrayOf([definition]),
  );
  return withMembers(beside, own);
}

function canShare(
  own: ReadonlyMap<string, RawJson>,
  target: ReadonlyMap<string, RawJson>,
): boolean {
  for (const [key, value] of own) {
    const other = target.get(key);
    if (NOTES.has(key) || other === undefined) continue;
    if (canonical(value) !== canonical(other)) return false;
  }
  return GROUPS.every(
    (group) => !(group.some((key) => own.has(key)) && group.some((key) => target.has(key))),
  );
}
