import type { Concern } from '../protocol/concern.ts';
import { kindOf, type JsonPath, type RawJson } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import { describePolicy, type DegradePolicy } from './policy.ts';

/** `none`: the reader learns all that was said. `lossy`: it does not. `warning`: nothing was changed, but a peer erred. */
export type Loss = 'none' | 'lossy' | 'warning';

/** One change the bridge made to a message. */
export interface Step {
  readonly feature: Concern;
  /** A JSON pointer (RFC 6901) into the result, params or tool definition that was changed. */
  readonly path: string;
  /** What stood there, in a few words; never a value that could be a secret. */
  readonly before: string;
  readonly after: string;
  readonly loss: Loss;
}

/** The bridge answered instead of passing on, because the policy forbids the step; nothing was changed. */
export interface Refusal {
  readonly feature: Concern;
  readonly path: string;
  /** What to do about it, for a person who reads only this. */
  readonly hint: string;
  /** Present where a policy that allows the feature would let the message pass; the others no policy can lift. */
  readonly liftable?: true;
}

interface Passed {
  readonly steps: readonly Step[];
  /** Entries of a list that its reader is not shown, because they alone would cost it the list. */
  readonly withheld?: readonly Refusal[];
}

/** What a translation came to. */
export type Outcome =
  | ({ readonly kind: 'unchanged' } & Passed)
  | ({ readonly kind: 'changed'; readonly raw: RawJson } & Passed)
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly steps: readonly Step[] };

/** The JSON pointer of a path (RFC 6901). */
export function pointer(path: JsonPath): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** What a value is, in a few words that give none of its content away. */
export function describeRaw(raw: RawJson | undefined): string {
  if (raw === undefined) return 'absent';
  const kind = kindOf(raw);
  return kind === 'null' ? 'null' : `${kind}, ${raw.length} bytes`;
}

/** The object that tells a peer of a refusal: under `error.data` or, in a tool result, under `_meta`. */
export function refusalData(
  refusal: Refusal,
  from: Revision,
  to: Revision,
  policy: DegradePolicy,
): { bridge: Record<string, string> } {
  return {
    bridge: {
      refused: refusal.feature,
      path: refusal.path,
      from,
      to,
      policy: describePolicy(policy),
      hint: refusal.hint,
    },
  };
}
