import { isKeyword, repairValues } from './draft07.ts';
import { convertNewerKeywords } from './newerKeywords.ts';
import type { Notes } from './notes.ts';
import { followReference } from './followReference.ts';
import { bounded, type Nesting, type Rewriting } from './rewriting.ts';
import { withItems, withMembers } from '../rawParts.ts';
import { schemaHolder } from '../schema/keywords.ts';
import { ANYTHING, booleanAsObject } from '../typedMembers.ts';
import { isNull, kindOf, type JsonPath, type RawJson } from '../../../protocol/rawJson.ts';
import { describeRaw } from '../../report.ts';

/** Deepest nesting of schemas that is followed. */
const MAX_DEPTH = 200;

/** Keywords whose boolean value every reader takes, since it is their usual one. */
const OFTEN_BOOLEAN: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contentSchema',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** One schema object in the form the editor takes; the very same object where it takes it as it is. */
export function rewriteSchema(
  rewriting: Rewriting,
  raw: RawJson,
  path: JsonPath,
  nesting: Nesting,
): RawJson {
  if (nesting.depth > MAX_DEPTH) rewriting.tooLarge = true;
  if (rewriting.tooLarge) return raw;
  const reference = rewriting.document.references.get(raw);
  const followed =
    reference === undefined ? undefined : followReference(rewriting, reference, nesting);
  const members = new Map(rewriting.document.members(raw));
  if (followed === undefined) return rewriteMembers(rewriting, raw, members, path, nesting, false);
  const joined = followed(members, () =>
    rewriteMembers(rewriting, raw, members, path, nesting, true),
  );
  const parts = new Map(rewriting.document.members(joined));
  completeArray(parts, path, rewriting.notes);
  return withMembers(joined, parts);
}

function rewriteMembers(
  rewriting: Rewriting,
  raw: RawJson,
  members: Map<string, RawJson>,
  path: JsonPath,
  nesting: Nesting,
  joined: boolean,
): RawJson {
  const { notes } = rewriting;
  for (const [keyword, value] of [...members]) {
    if (!isNull(value) || !isKeyword(keyword)) continue;
    members.delete(keyword);
    notes.lossless('null-member', [...path, keyword], 'null', 'absent');
  }
  dropNames(rewriting, members, path);
  for (const [keyword, value] of [...members]) {
    members.set(keyword, rewriteHeld(rewriting, keyword, value, [...path, keyword], nesting));
  }
  if (rewriting.newer) convertNewerKeywords(members, path, notes, joined);
  repairValues(members, path, notes);
  // What is joined is only complete with its other part.
  if (!joined) completeArray(members, path, notes);
  return bounded(rewriting, raw, members.values(), () => withMembers(raw, members));
}

/** Names of parts, which draft-07 does not know, and the stores of parts once every reference to them is written out. */
function dropNames(rewriting: Rewriting, members: Map<string, RawJson>, path: JsonPath): void {
  const { notes, newer, hasLocal, recursive, recursion } = rewriting;
  const names = newer || hasLocal ? ['$anchor', '$dynamicAnchor', '$recursiveAnchor'] : [];
  if (hasLocal && path.length > 0) names.push('$id');
  for (const key of names) {
    if (!members.delete(key)) continue;
    notes.lossless('schema-reference', [...path, key], 'a name for references', 'absent');
  }
  if (!hasLocal || (recursion === 'kept' && recursive.size > 0)) return;
  for (const key of ['$defs', 'definitions']) members.delete(key);
}

/** What a keyword holds, with the schemas in it rewritten. */
function rewriteHeld(
  rewriting: Rewriting,
  keyword: string,
  value: RawJson,
  path: JsonPath,
  nesting: Nesting,
): RawJson {
  const holder = schemaHolder(keyword);
  const kind = kindOf(value);
  if (holder === undefined) return value;
  const inner = { ...nesting, depth: nesting.depth + 1 };
  const child = (schema: RawJson, step: string | number): RawJson =>
    rewriteChild(rewriting, keyword, schema, [...path, step], inner);
  if (kind === 'array' && (holder === 'schemas' || holder === 'schemaOrSchemas')) {
    const items = rewriting.document.items(value).map(child);
    return bounded(rewriting, value, items, () => withItems(value, items));
  }
  if (kind === 'object' && (holder === 'schemaMap' || holder === 'dependencies')) {
    const values = new Map(rewriting.document.members(value));
    for (const [key, schema] of values) {
      if (holder === 'dependencies' && kindOf(schema) === 'array') continue;
      values.set(key, child(schema, key));
    }
    return bounded(rewriting, value, values.values(), () => withMembers(value, values));
  }
  const single = holder === 'schema' || holder === 'schemaOrSchemas';
  if (!single || (kind !== 'object' && kind !== 'boolean')) return value;
  return rewriteChild(rewriting, keyword, value, path, inner);
}

function rewriteChild(
  rewriting: Rewriting,
  keyword: string,
  schema: RawJson,
  path: JsonPath,
  nesting: Nesting,
): RawJson {
  const { notes } = rewriting;
  switch (kindOf(schema)) {
    case 'object':
      return rewriteSchema(rewriting, schema, path, nesting);
    case 'boolean':
      if (OFTEN_BOOLEAN.has(keyword)) return schema;
      notes.lossless('tool-definition', path, 'a boolean schema', 'the same as an object');
      return booleanAsObject(schema);
    case 'null':
      notes.lossless('null-member', path, 'null', 'a schema that takes anything');
      return ANYTHING;
    default:
      notes.lossy('schema-dialect', path, describeRaw(schema), 'a schema that takes anything');
      return ANYTHING;
  }
}

/** Copilot fails a whole request over an array whose items are not described. */
function completeArray(members: Map<string, RawJson>, path: JsonPath, notes: Notes): void {
  const type = members.get('type');
  if (type === undefined || members.has('items')) return;
  if (!/"array"/.test(type.toString('latin1'))) return;
  members.set('items', ANYTHING);
  notes.lossless('tool-definition', [...path, 'items'], 'absent', 'a schema that takes anything');
}
