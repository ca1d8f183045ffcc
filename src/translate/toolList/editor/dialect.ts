import { stringOf, type RawJson } from '../../../protocol/rawJson.ts';

/** Which JSON Schema a schema is written in, as far as it matters to a reader of draft-07. */
export type Dialect = 'older' | 'draft-07' | 'newer' | 'unknown';

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const OLDER = /^https?:\/\/json-schema\.org\/draft-0[46]\/schema#?$/;
const NEWER = /^https?:\/\/json-schema\.org\/draft\/20(19-09|20-12)\/schema#?$/;

/** The dialect that a `$schema` names; without one it is 2020-12 (2025-11-25, Overview, JSON Schema Usage). */
export function dialectOf(declared: RawJson | undefined): Dialect {
  if (declared === undefined) return 'newer';
  const uri = stringOf(declared) ?? '';
  if (DRAFT_07.test(uri)) return 'draft-07';
  if (OLDER.test(uri)) return 'older';
  return NEWER.test(uri) ? 'newer' : 'unknown';
}
