import { withItems } from './rawParts.ts';
import type { Profile } from '../../protocol/profile.ts';
import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import {
  getAt,
  getMember,
  itemsOf,
  kindOf,
  stringOf,
  type JsonPath,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { isAtLeast, type Revision } from '../../protocol/revision.ts';
import { withoutNulls, type Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';

/** Members of a definition in which null can only mean absent; an `inputSchema` of null is a missing one. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  'execution',
  '_meta',
]);

const OPTIONAL_IN_ICON: ReadonlySet<string> = new Set(['mimeType', 'sizes', 'theme']);

type Check = (value: RawJson) => boolean;

const isString: Check = (value) => kindOf(value) === 'string';
const isObject: Check = (value) => kindOf(value) === 'object';
const isArray: Check = (value) => kindOf(value) === 'array';
const isStrings: Check = (value) => isArray(value) && itemsOf(value).every(isString);
const isOneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(stringOf(value) ?? '');

/** Removes what stands at a path, if the policy lets it go. */
function drop(edition: Edition, path: JsonPath, hint: string): void {
  const value = getAt(edition.raw, path);
  const key = path.at(-1);
  if (value === undefined || typeof key !== 'string') return;
  if (!edition.mayLose('tool-definition', path, describeRaw(value), 'absent', hint)) return;
  edition.raw = removeIn(edition.raw, path.slice(0, -1), key);
}

function removeIn(raw: RawJson, path: JsonPath, key: string): RawJson {
  const [step] = path;
  if (typeof step !== 'string') return removeMember(raw, key);
  const inner = getMember(raw, step);
  return inner === undefined ? raw : setMember(raw, step, removeMember(inner, key));
}

/**
 * Repairs members that the reader's revision types and the server typed otherwise, over which its client would drop the
 * whole list.
 */
export function repairDefinition(edition: Edition, to: Profile): void {
  edition.raw = withoutNulls(edition.raw, OPTIONAL, (key) =>
    edition.note('null-member', [key], 'null', 'absent'),
  );
  const typed: [string, Revision, Check][] = [
    ['description', '2024-11-05', isString],
    ['title', '2025-06-18', isString],
    ['_meta', '2025-06-18', isObject],
    // A revision earlier than the specification has them: clients of that age read them already.
    ['icons', '2025-06-18', isArray],
  ];
  if (to.revision === '2025-11-25') typed.push(['execution', '2025-11-25', isObject]);
  for (const [key, since, fits] of typed) {
    const value = getMember(edition.raw, key);
    if (value === undefined || !isAtLeast(to.revision, since) || fits(value)) continue;
    drop(
      edition,
      [key],
      `"${key}" has a type that no client reads; allow "tool-definition" to drop it.`,
    );
  }
  if (to.revision === '2025-11-25') repairExecution(edition);
  if (isAtLeast(to.revision, '2025-06-18')) repairIcons(edition);
}

/** `taskSupport` (2025-11-25, ToolExecution). */
function repairExecution(edition: Edition): void {
  const execution = getMember(edition.raw, 'execution');
  if (execution === undefined) return;
  const cleaned = withoutNulls(execution, new Set(['taskSupport']), () =>
    edition.note('null-member', ['execution', 'taskSupport'], 'null', 'absent'),
  );
  if (cleaned !== execution) edition.raw = setMember(edition.raw, 'execution', cleaned);
  const support = getMember(cleaned, 'taskSupport');
  if (support === undefined || isOneOf('forbidden', 'optional', 'required')(support)) return;
  const hint =
    'The tool says of tasks what no revision defines; allow "tool-definition" to read it as "forbidden".';
  drop(edition, ['execution', 'taskSupport'], hint);
}

/** An icon that its reader cannot read goes alone. */
function repairIcons(edition: Edition): void {
  const icons = getMember(edition.raw, 'icons');
  if (icons === undefined) return;
  const kept = itemsOf(icons).map((icon, index) => {
    const cleaned = withoutNulls(icon, OPTIONAL_IN_ICON, (key) =>
      edition.note('null-member', ['icons', index, key], 'null', 'absent'),
    );
    if (isIcon(cleaned)) return cleaned;
    const hint = 'One icon cannot be read by any client; allow "tool-definition" to drop it.';
    const path = ['icons', index];
    return edition.mayLose('tool-definition', path, describeRaw(icon), 'absent', hint)
      ? undefined
      : icon;
  });
  const repaired = withItems(icons, kept);
  if (repaired !== icons) edition.raw = setMember(edition.raw, 'icons', repaired);
}

function isIcon(icon: RawJson): boolean {
  const fits = (key: string, check: Check): boolean => {
    const value = getMember(icon, key);
    return value === undefined || check(value);
  };
  return (
    stringOf(getMember(icon, 'src')) !== undefined &&
    fits('mimeType', isString) &&
    fits('sizes', isStrings) &&
    fits('theme', isOneOf('light', 'dark'))
  );
}
