import { Method } from '../protocol/methods.ts';
import type { Profile } from '../protocol/profile.ts';
import { removeMember } from '../protocol/rawEdit.ts';
import { getMember, type RawJson } from '../protocol/rawJson.ts';
import { Edition } from './edition.ts';
import type { DegradePolicy } from './policy.ts';
import type { Outcome } from './report.ts';

/** Puts the params of a client's request to a server whose revision may know less than the client's. */
export function lowerRequest(
  method: string,
  params: RawJson,
  to: Profile,
  policy: DegradePolicy,
): Outcome {
  const edition = new Edition(params, policy);
  const lacksContext = method === Method.complete && !to.features.has('completion-context');
  if (lacksContext && getMember(params, 'context') !== undefined) {
    const hint = `The server's revision ${to.revision} completes without the context of other arguments; allow "completion-context" to ask it without.`;
    const isAllowed = edition.mayLose('completion-context', ['context'], 'given', 'absent', hint);
    if (isAllowed) edition.raw = removeMember(edition.raw, 'context');
  }
  return edition.outcome();
}
