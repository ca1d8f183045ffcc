import type { Concern } from '../../protocol/concern.ts';
import {
  getMember,
  isNull,
  itemsOf,
  kindOf,
  toRaw,
  visitMembers,
  type JsonPath,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { isAtLeast, type Revision } from '../../protocol/revision.ts';
import type { Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';
import { memberMap, withItems, withMembers } from '../toolList/rawParts.ts';
import { isObject, isString, type Check } from './checks.ts';

/** What readers make of one optional member. */
export interface MemberRule {
  /** The first revision whose schema, or whose SDK, types the member; readers before it pass over any value. */
  readonly since: Revision;
  readonly fits: Check;
  /** What is inside: the members of the object, or those of each object in the array. */
  readonly holds?: Shape;
  /** A claim about what it stands beside, never worth that: dropped under every policy. */
  readonly isClaim?: true;
}

/** The typed members of one kind of object; what is not named here is nobody's business. */
export interface Shape {
  readonly members: ReadonlyMap<string, MemberRule>;
  /** Strings without which an item of an array means nothing. */
  readonly needs?: readonly string[];
}

/** For whom, and in whose name, members are repaired. */
export interface MemberRepair {
  readonly edition: Edition;
  readonly to: Revision;
  readonly concern: Concern;
  /** Whose members they are, for a person: `of the resource "notes"`. */
  readonly owner: string;
}

const EMPTY_OBJECT = toRaw({});

/**
 * Repairs the optional members of an object, over which its reader would drop the whole message. A null means absent, and
 * so does an empty array where an object belongs (how PHP writes one): that loses nothing. What else is of a wrong type
 * no reader of any revision could read; it is dropped, never guessed, if the policy allows.
 */
export function repairMembers(
  raw: RawJson,
  at: JsonPath,
  shape: Shape,
  repair: MemberRepair,
  isClaim = false,
): RawJson {
  if (takes(raw, shape, repair.to)) return raw;
  const members = memberMap(raw);
  let changed = false;
  for (const [key, value] of members) {
    const rule = shape.members.get(key);
    if (rule === undefined) continue;
    const now = repairValue(value, [...at, key], rule, repair, isClaim || rule.isClaim === true);
    if (now === value) continue;
    changed = true;
    if (now === undefined) members.delete(key);
    else members.set(key, now);
  }
  return changed ? withMembers(raw, members) : raw;
}

/**
 * Whether a reader takes an object of a shape as it is. Nearly all are taken, and lists are long: this pass keeps and
 * makes nothing.
 */
export function takes(raw: RawJson, shape: Shape, to: Revision): boolean {
  if (kindOf(raw) !== 'object') return false;
  const needs = shape.needs ?? NONE;
  let missing = (1 << needs.length) - 1;
  let isTaken = true;
  visitMembers(raw, ({ key, value }) => {
    const need = needs.indexOf(key);
    if (need >= 0 && isString(value, to)) missing &= ~(1 << need);
    const rule = shape.members.get(key);
    if (rule !== undefined) isTaken = takesValue(value, rule, to);
    return isTaken;
  });
  return isTaken && missing === 0;
}

const NONE: readonly string[] = [];

function takesValue(value: RawJson, rule: MemberRule, to: Revision): boolean {
  if (isNull(value)) return false;
  if (!isAtLeast(to, rule.since)) return true;
  if (!rule.fits(value, to)) return false;
  const inside = rule.holds;
  if (inside === undefined) return true;
  return kindOf(value) === 'array'
    ? itemsOf(value).every((item) => takes(item, inside, to))
    : takes(value, inside, to);
}

function repairValue(
  value: RawJson,
  path: JsonPath,
  rule: MemberRule,
  repair: MemberRepair,
  isClaim: boolean,
): RawJson | undefined {
  const { edition, to, concern } = repair;
  if (isNull(value)) {
    edition.note('null-member', path, 'null', 'absent');
    return undefined;
  }
  if (!isAtLeast(to, rule.since)) return value;
  if (!rule.fits(value, to)) {
    if (isEmptyArray(value) && rule.fits(EMPTY_OBJECT, to)) {
      edition.note(concern, path, 'an empty array', 'absent');
      return undefined;
    }
    return drop(value, path, repair, isClaim);
  }
  if (rule.holds === undefined) return value;
  return kindOf(value) === 'array'
    ? repairItems(value, path, rule.holds, repair, isClaim)
    : repairMembers(value, path, rule.holds, repair, isClaim);
}

/** An item that its reader cannot read goes alone. */
function repairItems(
  list: RawJson,
  path: JsonPath,
  shape: Shape,
  repair: MemberRepair,
  isClaim: boolean,
): RawJson {
  const items = itemsOf(list).map((item, index) => {
    const at = [...path, index];
    const isReadable =
      isObject(item, repair.to) &&
      (shape.needs ?? NONE).every((key) => isText(getMember(item, key), repair.to));
    return isReadable
      ? repairMembers(item, at, shape, repair, isClaim)
      : drop(item, at, repair, isClaim);
  });
  return withItems(list, items);
}

function drop(
  value: RawJson,
  path: JsonPath,
  { edition, concern, owner }: MemberRepair,
  isClaim: boolean,
): RawJson | undefined {
  const before = describeRaw(value);
  if (isClaim) {
    edition.note(concern, path, before, 'absent', 'lossy');
    return undefined;
  }
  const name = path.findLast((step) => typeof step === 'string') ?? '';
  const what = typeof path.at(-1) === 'number' ? `An item of "${name}"` : `"${name}"`;
  const hint = `${what} ${owner} has a value that no client reads; allow "${concern}" to drop it.`;
  return edition.mayLose(concern, path, before, 'absent', hint) ? undefined : value;
}

export function isEmptyArray(value: RawJson): boolean {
  return kindOf(value) === 'array' && itemsOf(value, 1).length === 0;
}

function isText(value: RawJson | undefined, to: Revision): boolean {
  return value !== undefined && isString(value, to);
}
