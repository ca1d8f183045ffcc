import { kindOf, membersOf, type RawJson } from '../../../protocol/rawJson.ts';

/** How a keyword holds schemas: as its value, as items, as either, or as the values of an object. */
export type SchemaHolder = 'schema' | 'schemas' | 'schemaOrSchemas' | 'schemaMap' | 'dependencies';

const HOLDERS: ReadonlyMap<string, SchemaHolder> = new Map<string, SchemaHolder>([
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['contains', 'schema'],
  ['contentSchema', 'schema'],
  ['else', 'schema'],
  ['if', 'schema'],
  ['not', 'schema'],
  ['propertyNames', 'schema'],
  ['then', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['prefixItems', 'schemas'],
  ['items', 'schemaOrSchemas'],
  ['$defs', 'schemaMap'],
  ['definitions', 'schemaMap'],
  ['dependentSchemas', 'schemaMap'],
  ['patternProperties', 'schemaMap'],
  ['properties', 'schemaMap'],
  ['dependencies', 'dependencies'],
]);

/** How this keyword of JSON Schema, of any dialect since draft-04, holds schemas; undefined where it holds none. */
export function schemaHolder(keyword: string): SchemaHolder | undefined {
  return HOLDERS.get(keyword);
}

/** Keywords that name another schema. */
export const REFERENCES: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Whether a keyword can stand in these bytes at all; most schemas need no closer look. */
export function mayHold(raw: RawJson, ...keywords: string[]): boolean {
  // An escape could spell any keyword.
  return raw.includes('\\u') || keywords.some((keyword) => raw.includes(keyword));
}

/** Whether a value could stand where a schema is wanted; null is one that its author left out. */
export function isObjectOfSchemas(raw: RawJson): boolean {
  return (
    kindOf(raw) === 'object' &&
    membersOf(raw).every(({ value }) => ['object', 'boolean', 'null'].includes(kindOf(value)))
  );
}
