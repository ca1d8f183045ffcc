import type { FetchLike } from '@modelcontextprotocol/client';
import type { Grant } from '../grant.ts';
import type { SignIn, SignInSettings } from '../signIn.ts';

export interface ObtainOptions {
  readonly server: URL;
  readonly settings: SignInSettings;
  readonly signIn: SignIn;
  /** What is kept for the server. */
  readonly grants: readonly Grant[];
  /** True where the server has asked for it, so that it must have an authorization server, wherever that is. */
  readonly isDemanded: boolean;
  /** What the challenge said. */
  readonly challenge: {
    readonly metadataUrl: string | undefined;
    readonly scope: string | undefined;
  };
  /** False where new tokens of the same grant would not help: they may do less than is needed, or just failed. */
  readonly mayRefresh: boolean;
  readonly fetch: FetchLike;
  readonly signal: AbortSignal;
  /** A person is asked from now on. */
  readonly onAsking: () => void;
}
