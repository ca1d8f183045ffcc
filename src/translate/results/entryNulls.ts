import { Method } from '../../protocol/methods.ts';
import { arrayOf, setMember } from '../../protocol/rawEdit.ts';
import { getMember, itemsOf } from '../../protocol/rawJson.ts';
import { withoutNulls, type Edition } from '../edition.ts';

/** Where each list keeps its entries. */
const ENTRIES: ReadonlyMap<string, string> = new Map([
  [Method.promptsList, 'prompts'],
  [Method.resourcesList, 'resources'],
  [Method.templatesList, 'resourceTemplates'],
  [Method.resourcesRead, 'contents'],
]);

const OPTIONAL = new Set([
  'title',
  'description',
  'mimeType',
  'size',
  'icons',
  'annotations',
  'arguments',
  '_meta',
]);
const OPTIONAL_IN_LIST = new Set(['nextCursor', '_meta']);
/** A null there costs every known client the whole message, whatever its method. */
const OPTIONAL_IN_RESULT = new Set(['_meta']);

/** Removes nulls that mean absent: from the result itself, and from each entry of a list, which one null would cost. */
export function removeNulls(edition: Edition, method: string): void {
  const name = ENTRIES.get(method);
  const optional =
    name === undefined && method !== Method.toolsList ? OPTIONAL_IN_RESULT : OPTIONAL_IN_LIST;
  edition.raw = withoutNulls(edition.raw, optional, (key) =>
    edition.note('null-member', [key], 'null', 'absent'),
  );
  const list = name === undefined ? undefined : getMember(edition.raw, name);
  if (name === undefined || list === undefined) return;
  const before = itemsOf(list);
  const after = before.map((entry, index) =>
    withoutNulls(entry, OPTIONAL, (key) =>
      edition.note('null-member', [name, index, key], 'null', 'absent'),
    ),
  );
  if (after.some((entry, index) => entry !== before[index])) {
    edition.raw = setMember(edition.raw, name, arrayOf(after));
  }
}
