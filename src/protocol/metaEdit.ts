import { removeMember, setMember } from './rawEdit.ts';
import { getMember, kindOf, membersOf, objectOrEmpty, type RawJson } from './rawJson.ts';

/** With one key of `_meta` set; `_meta` is made where there is no object. */
export function withMeta(raw: RawJson, key: string, value: RawJson): RawJson {
  const meta = objectOrEmpty(getMember(raw, '_meta'));
  return setMember(raw, '_meta', setMember(meta, key, value));
}

/** With the whole `_meta` of another value, where that has one. */
export function withMetaOf(raw: RawJson, other: RawJson): RawJson {
  const meta = getMember(other, '_meta');
  return meta !== undefined && kindOf(meta) === 'object' ? setMember(raw, '_meta', meta) : raw;
}

/** Without these keys of `_meta`, and without a `_meta` in which nothing is left. */
export function withoutMeta(raw: RawJson, keys: readonly string[]): RawJson {
  const meta = getMember(raw, '_meta');
  if (meta === undefined) return raw;
  let rest = objectOrEmpty(meta);
  for (const key of keys) rest = removeMember(rest, key);
  return membersOf(rest).length === 0 ? removeMember(raw, '_meta') : setMember(raw, '_meta', rest);
}
