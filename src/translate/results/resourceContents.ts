import { setMember } from '../../protocol/rawEdit.ts';
import { removeMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  kindOf,
  stringOf,
  toRaw,
  type JsonPath,
  type RawJson,
} from '../../protocol/rawJson.ts';
import type { Revision } from '../../protocol/revision.ts';
import type { Edition } from '../edition.ts';
import { repairMembers } from '../members/repairMembers.ts';
import { CONTENTS } from '../members/shapes.ts';
import { describeRaw } from '../report.ts';
import { toStandardBase64 } from './base64.ts';

/**
 * Makes the contents of a resource whole for its reader (TextResourceContents and BlobResourceContents of every
 * revision): with an address, and with either a text or data that can be decoded. Undefined where it is no object.
 */
export function mendContents(
  given: RawJson,
  at: JsonPath,
  to: Revision,
  uri: RawJson,
  edition: Edition,
): RawJson | undefined {
  if (kindOf(given) !== 'object') return undefined;
  const owner = 'of a resource';
  let contents = repairMembers(given, at, CONTENTS, {
    edition,
    to,
    concern: 'content-block',
    owner,
  });
  if (getMember(contents, 'uri') === undefined) {
    contents = setMember(contents, 'uri', uri);
    edition.note('content-block', [...at, 'uri'], 'absent', stringOf(uri) ?? 'an address');
  }
  const text = getMember(contents, 'text');
  if (text !== undefined) return withPlainText(contents, text, at, edition);
  const blob = getMember(contents, 'blob');
  if (blob !== undefined) return withPlainBlob(contents, blob, at, edition);
  edition.note('content-block', [...at, 'text'], 'absent', 'an empty text');
  return setMember(contents, 'text', toRaw(''));
}

/** A text that is another value than a string says the same as JSON. */
export function withPlainText(
  owner: RawJson,
  text: RawJson,
  at: JsonPath,
  edition: Edition,
): RawJson {
  if (kindOf(text) === 'string') return owner;
  edition.note('content-block', [...at, 'text'], describeRaw(text), 'its JSON as a string');
  return setMember(owner, 'text', toRaw(text.toString('utf8')));
}

function withPlainBlob(contents: RawJson, blob: RawJson, at: JsonPath, edition: Edition): RawJson {
  const path = [...at, 'blob'];
  const standard = kindOf(blob) === 'string' ? toStandardBase64(blob) : undefined;
  if (standard === blob) return contents;
  if (standard !== undefined) {
    edition.note('content-block', path, 'base64 in another spelling', 'standard base64');
    return setMember(contents, 'blob', standard);
  }
  const before = `data that is not base64 (${describeRaw(blob)})`;
  const after = 'a text that says so';
  const hint = `The server sent ${before} in a resource, over which clients drop the whole result; allow "content-block" to receive ${after}.`;
  if (!edition.mayLose('content-block', path, before, after, hint)) return contents;
  const said = unreadable('resource', stringOf(getMember(contents, 'mimeType')));
  const rest = setMember(removeMember(contents, 'blob'), 'mimeType', toRaw('text/plain'));
  return setMember(rest, 'text', toRaw(said));
}

/** What stands in the place of data that nobody can decode. */
export function unreadable(what: string, mimeType: string | undefined): string {
  const type = mimeType === undefined ? '' : ` (${mimeType})`;
  return `[The server sent the data of this ${what}${type} in a form that cannot be decoded.]`;
}
