import { setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  itemsOf,
  kindOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';
import type { Revision } from '../../protocol/revision.ts';
import type { Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';
import { withItems } from '../toolList/rawParts.ts';
import { ensureArray } from './entries.ts';
import { mendContents } from './resourceContents.ts';

/** Puts a `resources/read` result to its reader; `params` are those of the request, which names the resource. */
export function lowerReadResult(edition: Edition, to: Revision, params: RawJson | undefined): void {
  const asked = params && getMember(params, 'uri');
  const uri = asked !== undefined && kindOf(asked) === 'string' ? asked : toRaw('rosetta:resource');
  ensureArray(edition, 'contents', 'result-content');
  const list = getMember(edition.raw, 'contents');
  if (list === undefined) return;
  const contents = itemsOf(list).map((each, index) => {
    const at = ['contents', index];
    return mendContents(each, at, to, uri, edition) ?? asText(each, index, uri, edition);
  });
  const lowered = withItems(list, contents);
  if (lowered !== list) edition.raw = setMember(edition.raw, 'contents', lowered);
}

function asText(given: RawJson, index: number, uri: RawJson, edition: Edition): RawJson {
  const before = `contents that are no object (${describeRaw(given)})`;
  const hint = `The server sent ${before}, which no client reads; allow "content-block" to receive their text.`;
  const at = ['contents', index];
  if (!edition.mayLose('content-block', at, before, 'a text', hint)) return given;
  return setMember(
    setMember(toRaw({}), 'uri', uri),
    'text',
    toRaw(stringOf(given) ?? given.toString('utf8')),
  );
}
