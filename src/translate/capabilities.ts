import { removeMember, setMember } from '../protocol/rawEdit.ts';
import { kindOf, membersOf, toRaw, type RawJson } from '../protocol/rawJson.ts';

/** Capabilities whose values are objects: no client of any era connects over a `true`, and `false` promises nothing. */
export function objectsOnly(capabilities: RawJson): RawJson {
  let result = capabilities;
  for (const { key, value } of membersOf(capabilities)) {
    const kind = kindOf(value);
    if (kind === 'null' || value.toString('latin1') === 'false') {
      result = removeMember(result, key);
    } else if (kind === 'boolean') {
      result = setMember(result, key, toRaw({}));
    }
  }
  return result;
}
