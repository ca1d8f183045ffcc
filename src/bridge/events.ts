import type { RawJson } from '../protocol/rawJson.ts';
import type { Era, Revision } from '../protocol/revision.ts';
import type { Refusal, Step } from '../translate/report.ts';
import type { WarningTopic } from './connection.ts';

/** How a server fares, for whoever shows it. */
export type ServerState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'running';
      readonly revision: Revision;
      readonly era: Era;
      /** How the era was told. */
      readonly evidence: string;
    }
  /** A person is asked to sign in, and the server is waited for until then. */
  | { readonly kind: 'signingIn' }
  /** Somebody has to sign in before it can be used; `message` says how. */
  | { readonly kind: 'needsSignIn'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Which message an event speaks of. */
export interface Subject {
  readonly session: string;
  readonly method: string;
  /** The tool's own name, where the message is about one. */
  readonly tool?: string | undefined;
  readonly from: Revision;
  readonly to: Revision;
}

/** What a bridge tells those who watch it; nothing of it changes what the bridge does. */
export type BridgeEvent =
  | ({ readonly kind: 'report'; readonly steps: readonly Step[] } & Subject)
  | ({ readonly kind: 'refusal'; readonly refusal: Refusal } & Subject)
  /** A fault of a peer's that cost nothing yet; `count` is how often it has been seen. */
  | {
      readonly kind: 'warning';
      readonly topic:
        | WarningTopic
        | 'negotiation'
        | 'list-changed'
        | 'pagination'
        | 'client'
        | 'transport'
        | 'undeliverable'
        | 'sign-in';
      readonly message: string;
      readonly count: number;
    }
  | { readonly kind: 'state'; readonly state: ServerState }
  | { readonly kind: 'stderr'; readonly line: string }
  | { readonly kind: 'session'; readonly session: string; readonly client: SessionInfo | undefined }
  /** The server's tools as it wrote them, whenever a whole list has passed. */
  | { readonly kind: 'tools'; readonly tools: readonly RawJson[] };

/** Who is connected, for the tree and the log. */
export interface SessionInfo {
  readonly name: string;
  readonly revision: Revision;
}
