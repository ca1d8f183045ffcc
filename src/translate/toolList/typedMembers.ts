import { memberMap, withMembers } from './rawParts.ts';
import type { Profile } from '../../protocol/profile.ts';
import { itemsOf, kindOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { eraOf, isAtLeast } from '../../protocol/revision.ts';
import { withoutNulls, type Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';

const OPTIONAL: ReadonlySet<string> = new Set(['$schema', 'type', 'properties', 'required']);

/** What a boolean schema says, as an object. */
export const ANYTHING: RawJson = toRaw({});
const NOTHING: RawJson = toRaw({ not: {} });

/** The object that says the same as a boolean schema. */
export function booleanAsObject(schema: RawJson): RawJson {
  return schema[0] === 0x74 ? ANYTHING : NOTHING;
}

/**
 * Repairs the members that revisions type at the root of a tool's schema: `properties`, whose values legacy revisions
 * want as objects (2025-11-25, Tool), and `required`.
 */
export function repairTypedMembers(
  edition: Edition,
  name: string,
  schema: RawJson,
  to: Profile,
): RawJson {
  const members = memberMap(
    withoutNulls(schema, OPTIONAL, (key) =>
      edition.note('null-member', [name, key], 'null', 'absent'),
    ),
  );
  const properties = members.get('properties');
  if (properties !== undefined && kindOf(properties) !== 'object') {
    dropTyped(edition, name, members, 'properties', 'is not an object of schemas');
  } else if (properties !== undefined && eraOf(to.revision) === 'legacy') {
    members.set('properties', withObjectValues(edition, name, properties));
  }
  const dialect = members.get('$schema');
  if (
    dialect !== undefined &&
    kindOf(dialect) !== 'string' &&
    isAtLeast(to.revision, '2025-11-25')
  ) {
    dropTyped(edition, name, members, '$schema', 'is not an address');
  }
  const required = members.get('required');
  if (required !== undefined && !isStrings(required)) {
    dropTyped(edition, name, members, 'required', 'is not an array of names');
  }
  return withMembers(schema, members);
}

function isStrings(raw: RawJson): boolean {
  return kindOf(raw) === 'array' && itemsOf(raw).every((item) => kindOf(item) === 'string');
}

function dropTyped(
  edition: Edition,
  name: string,
  members: Map<string, RawJson>,
  key: string,
  what: string,
): void {
  const hint = `"${key}" of the tool's ${name} ${what}; allow "tool-definition" to drop it.`;
  const before = describeRaw(members.get(key));
  if (edition.mayLose('tool-definition', [name, key], before, 'absent', hint)) members.delete(key);
}

function withObjectValues(edition: Edition, name: string, properties: RawJson): RawJson {
  const values = memberMap(properties);
  for (const [key, value] of values) {
    const kind = kindOf(value);
    if (kind === 'object') continue;
    const path = [name, 'properties', key];
    if (kind === 'boolean') {
      values.set(key, booleanAsObject(value));
      edition.note('tool-definition', path, 'a boolean schema', 'the same as an object');
    } else if (kind === 'null') {
      values.set(key, ANYTHING);
      edition.note('null-member', path, 'null', 'a schema that takes anything');
    } else {
      const hint = `The schema of "${key}" is no schema; allow "tool-definition" to take any value there.`;
      const after = 'a schema that takes anything';
      if (edition.mayLose('tool-definition', path, describeRaw(value), after, hint)) {
        values.set(key, ANYTHING);
      }
    }
  }
  return withMembers(properties, values);
}
