import { delay } from '../base/delay.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, kindOf, toRaw } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import type { CallOutcome } from './callOutcome.ts';
import type { ClientIdentity } from './client.ts';
import type { Connection } from './connection.ts';
import { askModern, type Attempt } from './openAttempt.ts';

/** What a server may have, named as its capability and as the member of the result that lists it. */
const LISTS = [
  ['tools', Method.toolsList],
  ['resources', Method.resourcesList],
  ['prompts', Method.promptsList],
] as const;

/**
 * The last thing to ask a server that took neither `server/discover` nor `initialize`: a modern client need not discover
 * before it asks for something (2026-07-28, Versioning, Protocol Version Negotiation). What the server lists tells its
 * era and all that is promised of it. Without a list there is nothing to say, which is undefined here; a list that takes
 * longer than `patienceMs` is none.
 */
export async function askLists(
  connection: Connection,
  revision: Revision,
  client: ClientIdentity,
  patienceMs: number,
): Promise<Attempt | undefined> {
  const silence = delay(patienceMs);
  const none = silence.promise.then(() => undefined);
  const answered = await Promise.all(
    LISTS.map(async ([name, method]) => {
      const outcome = await Promise.race([askModern(connection, method, revision, client), none]);
      return isList(outcome, name) ? [name] : [];
    }),
  );
  silence.cancel();
  const found = answered.flat();
  if (found.length === 0) return undefined;
  let capabilities = toRaw({});
  for (const name of found) capabilities = setMember(capabilities, name, toRaw({}));
  return {
    kind: 'open',
    connection,
    server: {
      revision,
      era: 'modern',
      evidence: `it lists its ${found.join(' and ')}, though it answers no handshake`,
      capabilities,
      serverInfo: undefined,
      instructions: undefined,
      raw: undefined,
      steps: [],
    },
  };
}

/** True where the result of a request is the list that it asked for. */
function isList(outcome: CallOutcome | undefined, name: string): boolean {
  if (outcome?.kind !== 'response' || outcome.frame.error !== undefined) return false;
  const list = getMember(outcome.frame.result, name);
  return list !== undefined && kindOf(list) === 'array';
}
