/** What a server said instead of answering: who are you (401), or you may not (403). */
export interface Demand {
  readonly status: number;
  /** The `WWW-Authenticate` header, where there was one. */
  readonly challenge: string | undefined;
  /** The `Authorization` header that the refused request had. */
  readonly used: string | undefined;
  /** What the refusal says to a person, fit for a message; empty where it says nothing. */
  readonly words: string;
  /** How often this request has been tried again already. */
  readonly retries: number;
}

/** What becomes of a request that was refused. */
export type Verdict =
  /** There is something else to show now; the request is worth another try. */
  | { readonly kind: 'retry' }
  /** Nothing can be done about it; `message` says what a person can do. */
  | { readonly kind: 'refused'; readonly message: string };

/** What a sign-in came to that the user wanted. `unwanted`: the server asks nobody to sign in. */
export type SignInVerdict = Verdict | { readonly kind: 'unwanted'; readonly message: string };

/**
 * Knows what to show one server, for every transport that speaks HTTP.
 *
 * Invariants: nothing here throws or rejects; what is shown goes to the server's own origin only.
 */
export interface Authorizer {
  /** Every secret there was so far, to be kept out of what is shown. */
  readonly secrets: Iterable<string>;
  /** The `Authorization` header for the next request; undefined where there is none to show. */
  authorization(): Promise<string | undefined>;
  /** True where a refusal is a demand that can be met; others are the server's answer. */
  concerns(status: number, challenge: string | undefined): boolean;
  /** A server took a request with this header for what it is. */
  accepted(authorization: string): void;
  /** Meets a demand, if need be by asking a person; of several at once the later ones share what the first one got. */
  meet(demand: Demand): Promise<Verdict>;
}
