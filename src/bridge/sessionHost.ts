import type { RequestFrame } from '../protocol/frame.ts';
import type { Reader } from '../protocol/profile.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import type { BridgeEvent } from './events.ts';
import type { SessionPort } from './exchange.ts';
import type { Route } from './route.ts';

/** What a session needs of the bridge it belongs to. */
export interface SessionHost {
  readonly name: string;
  readonly reader: Reader;
  readonly policy: DegradePolicy;
  /** Finds the way to the server for this client, opening the server where need be. */
  connect(
    session: SessionPort,
    initialize: RequestFrame,
    onMissedChanges: () => void,
  ): Promise<{ route: Route } | { failure: string }>;
  emit(event: BridgeEvent): void;
  warn(topic: 'list-changed' | 'pagination' | 'client' | 'undeliverable', message: string): void;
  /** The session with this id is over. */
  onEnd(session: string): void;
}
