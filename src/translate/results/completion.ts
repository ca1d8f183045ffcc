import { withServerInfo } from '../discoverResult.ts';
import type { Profile } from '../../protocol/profile.ts';
import { codecOf } from '../../protocol/codecs.ts';
import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import { getMember, kindOf, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { NEWEST_MODERN } from '../../protocol/revision.ts';
import type { Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';
import { memberMap } from '../toolList/rawParts.ts';

/** True for a request whose result may ask for input. */
export function mayAsk(method: string): boolean {
  return codecOf(NEWEST_MODERN).asking.has(method);
}

/** The `resultType` of a result; `complete` where it has none, as the revision demands of its readers. */
export function resultTypeOf(result: RawJson): string {
  return stringOf(getMember(result, 'resultType')) ?? 'complete';
}

/**
 * Checks the members that a modern server owes (2026-07-28, Result and CacheableResult). Strict refuses and names each;
 * otherwise they are read as `complete`, `0` and `private`, and a modern reader, who demands them, is given those.
 */
export function checkCompletion(
  edition: Edition,
  method: string,
  from: Profile,
  to: Profile,
): void {
  const owed: [string, boolean, string | number][] = [
    ['resultType', stringOf(getMember(edition.raw, 'resultType')) !== undefined, 'complete'],
  ];
  if (from.codec.cacheable.has(method)) {
    const scope = stringOf(getMember(edition.raw, 'cacheScope'));
    owed.push(['ttlMs', isTtl(getMember(edition.raw, 'ttlMs')), 0]);
    owed.push(['cacheScope', scope === 'public' || scope === 'private', 'private']);
  }
  const missing = owed.filter(([, valid]) => !valid);
  const names = missing.map(([name]) => `result.${name}`).join(', ');
  for (const [name, , instead] of missing) {
    const before = getMember(edition.raw, name) === undefined ? 'absent' : 'not a valid value';
    const hint = `A server of 2026-07-28 must send ${names}; allow "result-completion" to read what is missing as its default.`;
    const after = `read as ${instead}`;
    const allowed = edition.mayLose('result-completion', [name], before, after, hint);
    if (allowed && to.codec.typesResults)
      edition.raw = setMember(edition.raw, name, toRaw(instead));
  }
}

function isTtl(raw: RawJson | undefined): boolean {
  if (raw === undefined || kindOf(raw) !== 'number') return false;
  const value = Number(raw.toString('latin1'));
  return Number.isInteger(value) && value >= 0;
}

/**
 * Inserts what the schema of the modern era demands of a result, where a server of the legacy era gave it
 * (2026-07-28, Result and CacheableResult): final, not to be kept, and whose it is.
 */
export function completeForModern(
  edition: Edition,
  method: string,
  to: Profile,
  serverInfo: RawJson | undefined,
): void {
  edition.raw = setMember(edition.raw, 'resultType', toRaw('complete'));
  if (to.codec.cacheable.has(method)) {
    edition.raw = setMember(edition.raw, 'ttlMs', toRaw(0));
    edition.raw = setMember(edition.raw, 'cacheScope', toRaw('private'));
  }
  edition.raw = withServerInfo(edition.raw, serverInfo);
}

const MODERN_MEMBERS: ReadonlySet<string> = new Set(['resultType', 'ttlMs', 'cacheScope']);

/** Removes what legacy readers of an empty result would throw on: to them it says that all went well, and no more. */
export function emptyForLegacy(edition: Edition, method: string, to: Profile): void {
  if (!to.codec.empty.has(method)) return;
  for (const [key, value] of memberMap(edition.raw)) {
    if (key === '_meta') continue;
    edition.raw = removeMember(edition.raw, key);
    if (MODERN_MEMBERS.has(key)) edition.note('result-type', [key], 'present', 'absent');
    else edition.note('result-content', [key], describeRaw(value), 'absent', 'lossy');
  }
}
