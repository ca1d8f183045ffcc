import { setMember } from '../protocol/rawEdit.ts';
import { kindOf, membersOf, toRaw, type RawJson } from '../protocol/rawJson.ts';

/** Capabilities whose values are objects: no client of any era connects over a `true`. */
export function objectsOnly(capabilities: RawJson): RawJson {
  let result = capabilities;
  for (const { key, value } of membersOf(capabilities)) {
    if (kindOf(value) === 'boolean') result = setMember(result, key, toRaw({}));
  }
  return result;
}
