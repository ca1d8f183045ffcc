import type { Event } from '../base/emitter.ts';
import type { Redact } from '../config/redactor.ts';
import type { Reader } from '../protocol/profile.ts';
import type { Era, Revision } from '../protocol/revision.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import type { TaskMode } from '../translate/tasks/taskMode.ts';
import type { SignInEvent } from '../transports/authorization/oauthAuthorizer.ts';
import type { ClientTransport } from '../transports/transport.ts';
import type { ModernLimits } from './modernPeers.ts';
import type { Timeouts } from './timeouts.ts';

/** Remembers the era of a server's configuration, so that a legacy server is probed once in its life. */
export interface EraMemory {
  recall(): Era | undefined;
  remember(era: Era): void;
}

/** What the transport of a server wants to say beside its frames. */
export interface ConnectHooks {
  readonly onStderr: (line: string) => void;
  /** What went wrong without being the answer to a request. */
  readonly report: (message: string) => void;
}

/** The sign-in to a server, as far as a bridge must know of it. */
export interface BridgeSignIn {
  readonly onEvent: Event<SignInEvent>;
  /** True while a person is asked. */
  readonly isAsking: boolean;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

export interface BridgeOptions {
  readonly name: string;
  readonly transport: ClientTransport['kind'];
  /** Takes the secrets of the server out of the reasons that clients are told, which are often in its own words. */
  readonly redact?: Redact | undefined;
  /** Starts a connection to the server afresh: spawns its process, or makes an HTTP client. */
  readonly connect: (hooks: ConnectHooks) => ClientTransport;
  /** The same server over the transport that a refusal of the other one may mean; absent where there is none. */
  readonly connectOlder?: ((hooks: ConnectHooks) => ClientTransport) | undefined;
  readonly reader: Reader;
  readonly policy: DegradePolicy;
  readonly pinned?: Revision | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** What clients of 2025-11-25 see of the tasks of a server of the extension; they are awaited where it is not said. */
  readonly tasks?: TaskMode | undefined;
  readonly memory: EraMemory;
  readonly signIn?: BridgeSignIn | undefined;
  /** How long what belongs to modern clients lasts. */
  readonly modern?: Partial<ModernLimits> | undefined;
}
