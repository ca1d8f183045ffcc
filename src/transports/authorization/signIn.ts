import type { Network } from '../http/requests.ts';
import type { Grant } from './grant.ts';

/** Where grants are kept. It may be shared with other programs; what cannot be read counts as absent. */
export interface GrantStore {
  /** What is kept for a server, by its address; the latest first. */
  read(server: string): Promise<readonly Grant[]>;
  /** Replaces what is kept for a server; an empty list removes it. Rejects where it cannot be written. */
  write(server: string, grants: readonly Grant[]): Promise<void>;
  /** Does a piece of work while nobody else who shares the store does any for the same server. */
  alone<T>(server: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A redirect that came back from an authorization server. */
export interface Redirected {
  readonly parameters: URLSearchParams;
  /** Tells the person in the browser what became of it, in one line. */
  readonly tell: (outcome: string) => void;
}

/** Waits for the redirect of one sign-in. */
export interface RedirectListener {
  /** The address to be redirected to. */
  readonly url: string;
  /** The first redirect with this `state`; others are refused and change nothing. Undefined when it is given up. */
  next(state: string, signal: AbortSignal): Promise<Redirected | undefined>;
  close(): Promise<void>;
}

/** Where redirects should come back to. */
export interface WantedRedirect {
  /** What an earlier registration named; another address is used where it is taken. */
  readonly address?: string | undefined;
  /** The authorization server takes no other port. */
  readonly isFixed?: boolean;
}

/** A person who can be sent to a page of an authorization server. */
export interface Person {
  /** Rejects with a `SignInProblem` where a fixed port cannot be had. */
  listen(wanted: WantedRedirect): Promise<RedirectListener>;
  /** Opens a page, or shows its address where that cannot be done; its address has been checked. */
  open(page: URL): void;
  /** How long the sign-in may take, in milliseconds. */
  readonly patienceMs: number;
}

/** What a face gives so that servers can be signed in to. */
export interface SignIn {
  readonly store: GrantStore;
  /** Undefined where nobody can be asked. */
  readonly person: Person | undefined;
  /** The sentence that says how to sign in by hand; empty where that is being done. */
  readonly advice: string;
  /** The sentence that says where a token goes that was got elsewhere. */
  readonly tokenAdvice: string;
  /** Whose way requests take; that of the environment where absent. */
  readonly network?: Network;
  /** How the program introduces itself where it registers. */
  readonly program: { readonly name: string; readonly version: string; readonly uri?: string };
}

/** What the configuration says of signing in to one server. */
export interface SignInSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** PKCS#8 in PEM, for `private_key_jwt`. */
  readonly privateKey?: string;
  /** The address of the program's metadata document, which is its id where that is supported. */
  readonly clientMetadataUrl?: string;
  /** Replaces what the server says is needed at first. */
  readonly scope?: string;
  /** The only authorization server that may be used. */
  readonly issuer?: string;
  /** The port that redirects come to, where the registration fixed it. */
  readonly callbackPort?: number;
  /** Default: `authorization_code`. */
  readonly grant?: 'authorization_code' | 'client_credentials';
}
