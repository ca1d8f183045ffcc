import type {
  ErrorFrame,
  Frame,
  IdToken,
  NotifyFrame,
  RequestFrame,
  ResponseFrame,
} from '../protocol/frame.ts';
import type { NoiseReason } from '../protocol/jsonRpc.ts';
import type { Revision } from '../protocol/revision.ts';
import type { TransportKind } from '../protocol/transportKind.ts';

/**
 * Why a peer cannot be reached or is gone, for a person: `message` says what happened and what to do. Never thrown.
 */
export interface TransportFailure {
  readonly kind:
    | 'spawn-failed'
    | 'exited'
    | 'network'
    | 'http-status'
    | 'unauthorized'
    /** Somebody has to sign in to the server. */
    | 'sign-in'
    /** The server no longer knows the session that the request named. */
    | 'session-lost'
    | 'too-large'
    | 'malformed'
    | 'closed';
  readonly message: string;
  /** The HTTP status, for `http-status`, `unauthorized`, `sign-in` and `session-lost`. */
  readonly status?: number;
  /** The `WWW-Authenticate` header that came with `unauthorized` or `sign-in`. */
  readonly challenge?: string;
}

/** Something the peer wrote that is no message; `sample` is its start, with control characters made visible. */
export interface Noise {
  readonly reason: NoiseReason | 'too-large';
  readonly sample: string;
}

/** What tells of a lost session without being the failure of a request. */
export interface SessionDoubt {
  /**
   * What the server did not take because it does not know the session. Absent where the standing stream was refused:
   * servers without one do that, too.
   */
  readonly unheard?: NotifyFrame | ResponseFrame;
  readonly failure: TransportFailure;
}

/** What a transport tells its owner. Every callback is called after `start` was called, never inside `send`. */
export interface ClientTransportListener {
  /**
   * A message from the server. `stream` is the id of the request on whose HTTP response it came, where that is known;
   * it says which call a notification or a question belongs to. `status` is given where the HTTP response was not a
   * success, as the error of a modern server is; it helps to tell a server's era.
   */
  onFrame(frame: Frame, stream: IdToken | undefined, status?: number): void;
  /** This one request will get no response; the connection is still good. */
  onRequestFailed(id: IdToken, failure: TransportFailure): void;
  /** The server may have forgotten the session; an owner that does nothing about it need not hear of it. */
  onSessionDoubt?(doubt: SessionDoubt): void;
  onNoise(noise: Noise): void;
  /** A message over the size limit was skipped; `head` is its beginning, where its id may still be found. */
  onOversized(head: Buffer): void;
  /** The connection is gone, once and for all; nothing is called afterwards. */
  onClose(failure: TransportFailure): void;
}

/** Beside the message itself, what an HTTP request must say in headers. Other transports ignore it. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** The client's end of a connection to a server: moves frames and never looks at a method. */
export interface ClientTransport {
  readonly kind: TransportKind;
  /** True where a request is cancelled by closing its stream, so that no notification may be sent. */
  readonly cancelsByClosing: boolean;
  start(listener: ClientTransportListener): void;
  send(frame: Frame, options?: SendOptions): void;
  /** The handshake of the legacy era is done: what follows is of this revision's session. */
  negotiated(revision: Revision): void;
  /** Lets go of what is held open for one request that was cancelled; does nothing where nothing is. */
  abandon(id: IdToken): void;
  /** Ends the connection and all that belongs to it (process tree, streams); resolves when it is gone. */
  close(): Promise<void>;
}

/** Whether a server that is reached so can only answer: what it tells and asks of its own accord has no way. */
export function answersOnly(kind: ClientTransport['kind']): boolean {
  return kind === 'zap';
}

/** One client's conversation with the bridge. */
export interface ServerChannel {
  /** Given where nothing but responses has a way to the client. */
  readonly answersOnly?: true;
  /**
   * Sends a message to the client. `relatedTo` is the request it belongs to: over HTTP it travels on that request's
   * response; without it, on the standing stream.
   */
  send(frame: Frame, relatedTo?: IdToken): void;
  /**
   * A request will get no answer, because the client cancelled it: what is held open for it is let go, and its id may
   * come again.
   */
  drop(id: IdToken): void;
  /** Ends the conversation from the bridge's side. */
  close(): void;
}

/** What a server transport tells whoever serves a channel. */
export interface ServerChannelListener {
  onFrame(frame: Frame): void;
  /**
   * Several messages in one array; `reply` sends the array of answers, and nothing where there are none. A single error
   * without an id refuses the array as a whole and is sent as itself.
   */
  onBatch(frames: readonly Frame[], reply: (frames: readonly Frame[]) => void): void;
  /** The client went away from one request (its HTTP connection closed) without cancelling it by a message. */
  onAbandoned(id: IdToken): void;
  /**
   * A question cannot reach the client, so that no answer to it will come; may be called inside `send`.
   */
  onUndeliverable(id: IdToken): void;
  onNoise(noise: Noise): void;
  onClose(): void;
}

/** The error among the answers to an array that refuses it as a whole (JSON-RPC 2.0, section 6). */
export function refusalOfAll(answers: readonly Frame[]): ErrorFrame | undefined {
  const [only, ...others] = answers;
  if (only?.kind !== 'response' || only.error === undefined || others.length > 0) return undefined;
  return only.id === undefined ? only : undefined;
}

/** Accepts a new conversation; called with its first request, which is then delivered through the listener. */
export type AcceptChannel = (channel: ServerChannel, first: RequestFrame) => ServerChannelListener;

/** A server transport that is listening. */
export interface ServerTransport {
  readonly address: string;
  close: () => Promise<void>;
}
