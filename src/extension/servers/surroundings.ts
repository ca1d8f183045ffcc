import type { EraMemory } from '../../bridge/bridgeOptions.ts';
import type { Resolution } from '../../config/resolve.ts';
import type { DegradePolicy } from '../../translate/policy.ts';
import type { ConfiguredEntry } from '../config/configuredServers.ts';
import type { Log } from '../log.ts';
import type { SignInSurroundings } from '../signIn/serverSignIn.ts';

/** What a server needs of the editor around it. */
export interface Surroundings {
  readonly isTrusted: () => boolean;
  readonly hasConsent: (entry: ConfiguredEntry) => boolean;
  /** Asks the user, and keeps a yes. */
  readonly askConsent: (entry: ConfiguredEntry) => Promise<boolean>;
  /** Replaces the variables of an entry; `onAnswer` is told every answer, since it may be a secret. */
  readonly resolve: (
    entry: ConfiguredEntry,
    onAnswer: (answer: string) => void,
  ) => Promise<Resolution>;
  readonly eraMemory: (entry: ConfiguredEntry) => EraMemory;
  readonly policy: () => DegradePolicy;
  readonly signIn: SignInSurroundings;
  readonly log: Log;
  /** Tells the user of what went wrong without being the answer to anything. */
  readonly showError: (message: string) => void;
  /** The product's version. */
  readonly version: string;
}

/** Whether a server can be used now. `declined`: the user has just said so and needs not be told. */
export type Readiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'declined' }
  | { readonly kind: 'refused'; readonly message: string };
