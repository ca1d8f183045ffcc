import type { Profile } from '../../protocol/profile.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import type { DegradePolicy } from '../policy.ts';
import type { Refusal, Step } from '../report.ts';

/** Who asks and who is asked: the revisions of both legs, and what the client declared itself. */
export interface QuestionContext {
  /** The server, which also reads the answer. */
  readonly from: Profile;
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

/** What became of an answer on its way to the server. */
export type LiftedAnswer =
  | { readonly kind: 'answer'; readonly result: RawJson; readonly steps: readonly Step[] }
  /** It does not fit the server's question, which the client was not shown as it stands; `why` is for who answers. */
  | { readonly kind: 'unfit'; readonly path: string; readonly why: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };
