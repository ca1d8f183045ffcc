import type { Concern } from '../../protocol/concern.ts';
import { Method } from '../../protocol/methods.ts';
import { arrayOf, setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  isNull,
  itemsOf,
  kindOf,
  stringOf,
  type RawJson,
} from '../../protocol/rawJson.ts';
import type { Revision } from '../../protocol/revision.ts';
import type { Edition } from '../edition.ts';
import { repairMembers, takes, type Shape } from '../members/repairMembers.ts';
import { PROMPT, RESOURCE, TEMPLATE } from '../members/shapes.ts';
import { describeRaw } from '../report.ts';
import { withItems } from '../toolList/rawParts.ts';
import { nameFor } from './mendBlock.ts';

interface ListKind {
  /** Where the result keeps its entries. */
  readonly member: string;
  readonly noun: string;
  readonly shape: Shape;
  /** What an entry is found by; nothing can stand in for it. */
  readonly key: 'name' | 'uri' | 'uriTemplate';
}

const LISTS: ReadonlyMap<string, ListKind> = new Map([
  [Method.promptsList, { member: 'prompts', noun: 'prompt', shape: PROMPT, key: 'name' }],
  [Method.resourcesList, { member: 'resources', noun: 'resource', shape: RESOURCE, key: 'uri' }],
  [
    Method.templatesList,
    { member: 'resourceTemplates', noun: 'template', shape: TEMPLATE, key: 'uriTemplate' },
  ],
]);

/**
 * Puts the entries of a list to its reader, as the tools of theirs: each is judged alone, and one that cannot be read
 * never takes the others with it.
 */
export function lowerEntries(edition: Edition, method: string, to: Revision): void {
  const kind = LISTS.get(method);
  if (kind === undefined) return;
  ensureArray(edition, kind.member, 'list-entry');
  const list = getMember(edition.raw, kind.member);
  if (list === undefined) return;
  const entries = itemsOf(list).map((entry, index) =>
    takes(entry, kind.shape, to)
      ? entry
      : edition.editEntry(entry, [kind.member, index], (own) => repairEntry(own, kind, to)),
  );
  const lowered = withItems(list, entries);
  if (lowered !== list) edition.raw = setMember(edition.raw, kind.member, lowered);
}

/** A result without its list holds an empty one; many languages write that as null, and one entry without its array. */
export function ensureArray(edition: Edition, member: string, concern: Concern): void {
  const list = getMember(edition.raw, member);
  if (list !== undefined && kindOf(list) === 'array') return;
  let instead: RawJson = arrayOf([]);
  if (list === undefined || isNull(list)) {
    const feature = list === undefined ? concern : 'null-member';
    edition.note(feature, [member], describeRaw(list), 'an empty array');
  } else if (
    kindOf(list) === 'object' &&
    concern !== 'list-entry' &&
    concern !== 'tool-definition'
  ) {
    instead = arrayOf([list]);
    edition.note(concern, [member], 'an object', 'an array of it');
  } else {
    const hint = `"${member}" is no array (${describeRaw(list)}), which no client reads; allow "${concern}" to read it as an empty one.`;
    if (!edition.mayLose(concern, [member], describeRaw(list), 'an empty array', hint)) return;
  }
  edition.raw = setMember(edition.raw, member, instead);
}

function repairEntry(own: Edition, { noun, shape, key }: ListKind, to: Revision): void {
  if (kindOf(own.raw) !== 'object') {
    own.refuse(
      'list-entry',
      [],
      `An entry is no ${noun} (${describeRaw(own.raw)}), which no client reads.`,
    );
    return;
  }
  const say = (member: string): string | undefined => stringOf(getMember(own.raw, member));
  const name = say('name') ?? say(key) ?? say('title');
  const subject = name === undefined ? `a nameless ${noun}` : `the ${noun} "${name}"`;
  const repair = { edition: own, to, concern: 'list-entry', owner: `of ${subject}` } as const;
  own.raw = repairMembers(own.raw, [], shape, repair);
  const address = getMember(own.raw, key);
  if (address === undefined || kindOf(address) !== 'string') {
    const hint = `"${key}" of ${subject} is missing (${describeRaw(address)}), without which no client reads the list.`;
    own.refuse('list-entry', [key], hint);
  } else if (getMember(own.raw, 'name') === undefined) {
    own.raw = setMember(own.raw, 'name', nameFor(own.raw, address));
    own.note('list-entry', ['name'], 'absent', 'what it is called otherwise');
  }
}
