import type { Concern } from '../../protocol/concern.ts';

export type FindingSeverity = 'error' | 'warning' | 'information';

/** Something the user should know of a server, in words; what is alike is one finding with a count. */
export interface Finding {
  readonly severity: FindingSeverity;
  /** The feature it is about, or the kind of fault. */
  readonly code: string;
  readonly message: string;
  readonly count: number;
  /** The feature that was let go of. */
  readonly lossOf?: Concern | undefined;
  /** The feature whose allowance makes it go away. */
  readonly remedy?: Concern | undefined;
}
