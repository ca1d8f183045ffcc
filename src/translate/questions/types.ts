import type { Profile } from '../../protocol/profile.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import type { DegradePolicy } from '../policy.ts';
import type { Refusal, Step } from '../report.ts';

/** What may be asked of a client: its revision's features and what it declared itself. */
export interface QuestionContext {
  readonly to: Profile;
  readonly policy: DegradePolicy;
  /** Whether the client declared a capability, as `elicitation/url`. */
  readonly declares: (...path: string[]) => boolean;
  /** An id for an elicitation, unique in the session. */
  readonly elicitationId: string;
}

/** What became of a question. */
export type Question =
  | { readonly kind: 'ask'; readonly params: RawJson | undefined; readonly steps: readonly Step[] }
  /** Answered by the bridge: the client is never shown it. */
  | { readonly kind: 'answered'; readonly result: RawJson; readonly steps: readonly Step[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };
