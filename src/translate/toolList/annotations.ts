import { memberMap, withMembers } from './rawParts.ts';
import type { Profile } from '../../protocol/profile.ts';
import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import { getMember, isNull, kindOf, type JsonKind } from '../../protocol/rawJson.ts';
import type { Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';

const HINTS: Readonly<Record<string, JsonKind>> = {
  title: 'string',
  readOnlyHint: 'boolean',
  destructiveHint: 'boolean',
  idempotentHint: 'boolean',
  openWorldHint: 'boolean',
};

/**
 * Drops hints that are not of their type, under every policy: they are claims and never worth a tool, and to guess them
 * could make a tool look safer than it is. What no revision defines stays.
 */
export function repairAnnotations(edition: Edition, to: Profile): void {
  if (!to.features.has('tool-annotations')) return;
  const annotations = getMember(edition.raw, 'annotations');
  if (annotations === undefined) return;
  if (kindOf(annotations) !== 'object') {
    edition.raw = removeMember(edition.raw, 'annotations');
    edition.note('tool-hints', ['annotations'], describeRaw(annotations), 'absent', 'lossy');
    return;
  }
  const kept = memberMap(annotations);
  for (const [key, value] of [...kept]) {
    const kind = Object.hasOwn(HINTS, key) ? HINTS[key] : undefined;
    if (kind === undefined || kindOf(value) === kind) continue;
    kept.delete(key);
    const path = ['annotations', key];
    if (isNull(value)) edition.note('null-member', path, 'null', 'absent');
    else edition.note('tool-hints', path, describeRaw(value), 'absent', 'lossy');
  }
  const repaired = withMembers(annotations, kept);
  if (repaired !== annotations) edition.raw = setMember(edition.raw, 'annotations', repaired);
}
