import { setMember } from '../../protocol/rawEdit.ts';
import { getMember, isNull, itemsOf, kindOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import type { Revision } from '../../protocol/revision.ts';
import type { Edition } from '../edition.ts';
import { repairMembers } from '../members/repairMembers.ts';
import { COMPLETION } from '../members/shapes.ts';
import { describeRaw } from '../report.ts';
import { withItems } from '../toolList/rawParts.ts';

/** The most values that one answer may hold (every revision, CompleteResult). */
const MAX_VALUES = 100;

const NOTHING = toRaw({ values: [] });
const AT = ['completion'];

/** Puts a `completion/complete` result to its reader. */
export function lowerCompleteResult(edition: Edition, to: Revision): void {
  const given = getMember(edition.raw, 'completion');
  const completion = asObject(given, edition);
  if (completion === undefined) return;
  const owner = 'of a completion';
  const repair = { edition, to, concern: 'result-content', owner } as const;
  const repaired = withValues(repairMembers(completion, AT, COMPLETION, repair), edition);
  if (repaired !== given) edition.raw = setMember(edition.raw, 'completion', repaired);
}

function asObject(completion: RawJson | undefined, edition: Edition): RawJson | undefined {
  if (completion !== undefined && kindOf(completion) === 'object') return completion;
  const before = describeRaw(completion);
  if (completion === undefined || isNull(completion)) {
    edition.note('result-content', AT, before, 'no suggestion');
    return NOTHING;
  }
  const hint = `"completion" is no object (${before}); allow "result-content" to read it as no suggestion.`;
  const allowed = edition.mayLose('result-content', AT, before, 'no suggestion', hint);
  return allowed ? NOTHING : undefined;
}

function withValues(completion: RawJson, edition: Edition): RawJson {
  const path = [...AT, 'values'];
  const values = getMember(completion, 'values');
  if (values === undefined) {
    edition.note('result-content', path, 'absent', 'an empty array');
    return setMember(completion, 'values', toRaw([]));
  }
  if (kindOf(values) !== 'array') {
    const hint = `"values" is no array (${describeRaw(values)}); allow "result-content" to read it as no suggestion.`;
    return edition.mayLose('result-content', path, describeRaw(values), 'an empty array', hint)
      ? setMember(completion, 'values', toRaw([]))
      : completion;
  }
  return withoutSurplus(completion, values, edition);
}

/** Suggestions that are text, and no more of them than a reader takes; the reader is told where there are more. */
function withoutSurplus(completion: RawJson, values: RawJson, edition: Edition): RawJson {
  const path = [...AT, 'values'];
  const items = itemsOf(values);
  const texts = items.filter((item) => kindOf(item) === 'string').length;
  if (texts === items.length && texts <= MAX_VALUES) return completion;
  const before = `${items.length} values, ${texts} of them text`;
  const after = `the first ${Math.min(texts, MAX_VALUES)} that are text`;
  const hint = `The server suggests ${before}; a reader takes text, and at most ${MAX_VALUES}; allow "result-content" to receive ${after}.`;
  if (!edition.mayLose('result-content', path, before, after, hint)) return completion;
  let kept = 0;
  const wanted = items.map((item) =>
    kindOf(item) === 'string' && ++kept <= MAX_VALUES ? item : undefined,
  );
  const shorter = setMember(completion, 'values', withItems(values, wanted));
  return texts > MAX_VALUES ? setMember(shorter, 'hasMore', toRaw(true)) : shorter;
}
