import { setMember } from '../../protocol/rawEdit.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';

/** A field of a form that says in its description what it has no member for. */
export function described(field: RawJson, words: string): RawJson {
  const before = stringOf(getMember(field, 'description')) ?? '';
  return setMember(field, 'description', toRaw(before === '' ? words : `${before} (${words})`));
}
