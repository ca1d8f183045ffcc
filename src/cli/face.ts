import type { Bridge } from '../bridge/bridge.ts';
import type { ResolvedServer } from '../config/resolve.ts';
import type { OAuthAuthorizer } from '../transports/authorization/oauthAuthorizer.ts';
import type { SignIn } from '../transports/authorization/signIn.ts';
import type { Log } from './log.ts';

/** What there is of the sign-in to one server. */
export interface ServerSignIn {
  readonly server: ResolvedServer;
  readonly signIn: SignIn;
  /** Undefined for a server that nobody can sign in to. */
  readonly authorizer: OAuthAuthorizer | undefined;
}

/** What every command works with. */
export interface Face {
  readonly bridges: readonly Bridge[];
  /** One for each bridge, in the same order. */
  readonly signIns: readonly ServerSignIn[];
  readonly log: Log;
  /** The product's version. */
  readonly version: string;
  /** Calls back when the user or the system asks the program to end. */
  onSignal(listener: () => void): void;
}
