import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import { getMember, isNull, kindOf, toRaw } from '../../protocol/rawJson.ts';
import { withoutNulls, type Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';

const OPTIONAL = new Set(['nextCursor', '_meta']);

/** Repairs what beside the tools themselves would cost the reader the whole list. */
export function repairListMembers(edition: Edition): void {
  edition.raw = withoutNulls(edition.raw, OPTIONAL, (key) =>
    edition.note('null-member', [key], 'null', 'absent'),
  );
  const tools = getMember(edition.raw, 'tools');
  if (isNull(tools)) {
    // How some languages write an empty list.
    edition.raw = setMember(edition.raw, 'tools', toRaw([]));
    edition.note('null-member', ['tools'], 'null', 'an empty array');
  } else if (tools === undefined || kindOf(tools) !== 'array') {
    edition.note('tool-definition', ['tools'], describeRaw(tools), 'left as it is', 'warning');
  }
  const cursor = getMember(edition.raw, 'nextCursor');
  if (cursor !== undefined && kindOf(cursor) !== 'string') {
    // Every reader drops this page over it, and could not send it back unchanged anyway.
    edition.raw = removeMember(edition.raw, 'nextCursor');
    edition.note('tool-definition', ['nextCursor'], describeRaw(cursor), 'absent', 'lossy');
  }
}
