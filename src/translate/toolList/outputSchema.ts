import { isObjectOfSchemas } from './schema/keywords.ts';
import { badReferenceIn } from './schema/references.ts';
import { repairTypedMembers } from './typedMembers.ts';
import type { ToolFacts, ToolListContext } from './types.ts';
import type { Concern } from '../../protocol/concern.ts';
import type { Profile } from '../../protocol/profile.ts';
import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  itemsOf,
  kindOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { withoutNulls, type Edition } from '../edition.ts';

/**
 * Takes the output schema out of an entry where its reader could not type it, under every policy: a listing never costs
 * a tool for it. The results' `structuredContent` is judged at the call, by the fact that this returns.
 */
export function lowerOutputSchema(
  edition: Edition,
  { from, to }: Pick<ToolListContext, 'from' | 'to'>,
  unpromised: boolean,
): ToolFacts['outputSchema'] {
  const schema = getMember(edition.raw, 'outputSchema');
  if (schema === undefined) return 'absent';
  // A member that neither revision knows promises nothing, and this reader passes over it.
  if (!knows(from) && to.revision === '2024-11-05') return 'absent';
  const problem = unpromised ? BROKEN : problemOf(schema, from, to);
  if (problem !== undefined) {
    edition.raw = removeMember(edition.raw, 'outputSchema');
    edition.note(problem.feature, ['outputSchema'], problem.what, 'absent', 'lossy');
    return 'removed';
  }
  const repaired = to.features.has('tool-structured-any')
    ? withoutNulls(schema, new Set(['$schema']), () =>
        edition.note('null-member', ['outputSchema', '$schema'], 'null', 'absent'),
      )
    : withPlainType(edition, repairTypedMembers(edition, 'outputSchema', schema, to));
  if (repaired !== schema) edition.raw = setMember(edition.raw, 'outputSchema', repaired);
  return 'kept';
}

interface Problem {
  readonly feature: Concern;
  readonly what: string;
}

const BROKEN: Problem = {
  feature: 'tool-structured-output',
  what: 'a schema that a result did not keep to',
};

function knows({ features }: Profile): boolean {
  return features.has('tool-structured-output');
}

function problemOf(schema: RawJson, from: Profile, to: Profile): Problem | undefined {
  if (knows(from) && !knows(to)) {
    // Clients of this age that know the member throw on a result without structured content, which they do not get.
    return { feature: 'tool-structured-output', what: 'a schema of structured results' };
  }
  if (kindOf(schema) !== 'object') {
    return { feature: 'tool-structured-any', what: 'not a schema object' };
  }
  if (!to.features.has('tool-structured-any') && !isTyped(schema)) {
    return { feature: 'tool-structured-any', what: 'a schema that is not of type "object"' };
  }
  const dialect = getMember(schema, '$schema');
  if (dialect !== undefined && !['string', 'null'].includes(kindOf(dialect))) {
    return { feature: 'tool-definition', what: 'a schema whose dialect is no address' };
  }
  const bad = badReferenceIn(schema);
  return bad === undefined
    ? undefined
    : { feature: 'schema-reference', what: `a schema with ${bad.what}` };
}

/** Whether 2025-06-18 and 2025-11-25 can type it, but for what can be repaired without loss. */
function isTyped(schema: RawJson): boolean {
  const properties = getMember(schema, 'properties');
  const required = getMember(schema, 'required');
  return (
    isObjectType(getMember(schema, 'type')) &&
    (properties === undefined || kindOf(properties) === 'null' || isObjectOfSchemas(properties)) &&
    (required === undefined ||
      kindOf(required) === 'null' ||
      (kindOf(required) === 'array' &&
        itemsOf(required).every((item) => kindOf(item) === 'string')))
  );
}

function isObjectType(type: RawJson | undefined): boolean {
  if (type === undefined || kindOf(type) !== 'array') return stringOf(type) === 'object';
  const types = itemsOf(type);
  return types.length === 1 && stringOf(types[0]) === 'object';
}

function withPlainType(edition: Edition, schema: RawJson): RawJson {
  const type = getMember(schema, 'type');
  if (type === undefined || kindOf(type) !== 'array') return schema;
  edition.note('tool-definition', ['outputSchema', 'type'], 'an array of one type', '"object"');
  return setMember(schema, 'type', toRaw('object'));
}
