import { repairTypedMembers } from './typedMembers.ts';
import type { Profile } from '../../protocol/profile.ts';
import { setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  itemsOf,
  kindOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';
import type { Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';

const OBJECT = toRaw('object');

/**
 * Makes the root of the input schema what every revision demands: an object whose `type` is `object`. Arguments are
 * objects whatever the schema says, so that to say it loses nothing.
 */
export function repairInputSchema(edition: Edition, to: Profile): void {
  const schema = getMember(edition.raw, 'inputSchema');
  if (schema === undefined) {
    edition.raw = setMember(edition.raw, 'inputSchema', toRaw({ type: 'object' }));
    edition.note('tool-definition', ['inputSchema'], 'absent', 'a schema that takes any object');
    return;
  }
  if (kindOf(schema) !== 'object') {
    refuse(edition, '/inputSchema', `is not a schema object but ${describeRaw(schema)}`);
    return;
  }
  const typed = withObjectType(edition, repairTypedMembers(edition, 'inputSchema', schema, to));
  if (typed !== schema) edition.raw = setMember(edition.raw, 'inputSchema', typed);
}

function withObjectType(edition: Edition, schema: RawJson): RawJson {
  const type = getMember(schema, 'type');
  if (stringOf(type) === 'object') return schema;
  const path = ['inputSchema', 'type'];
  if (type === undefined) {
    edition.note('tool-definition', path, 'absent', '"object"');
    return setMember(schema, 'type', OBJECT);
  }
  if (kindOf(type) === 'array' && itemsOf(type).some((item) => stringOf(item) === 'object')) {
    edition.note('tool-definition', path, 'several types, object among them', '"object"');
    return setMember(schema, 'type', OBJECT);
  }
  refuse(edition, '/inputSchema/type', 'does not take an object, which arguments always are');
  return schema;
}

function refuse(edition: Edition, path: string, what: string): void {
  edition.refusal ??= {
    feature: 'tool-definition',
    path,
    hint: `The tool's input schema ${what}; no client reads a list that holds such a tool.`,
  };
}
