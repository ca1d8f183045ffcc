import type { Revision } from '../../protocol/revision.ts';
import type { DegradePolicy } from '../../translate/policy.ts';
import type { SessionPort } from '../exchange.ts';
import type { Caller } from '../modernUpstream.ts';

/** The client of the legacy era for whom tasks are waited for: who is asked and told. */
export interface TaskClient {
  readonly session: SessionPort;
  readonly policy: () => DegradePolicy;
  readonly caller: () => Caller;
  /** The server's revision. */
  readonly server: Revision;
}
