import type { Profile } from '../protocol/profile.ts';
import { getAt, kindOf, type RawJson } from '../protocol/rawJson.ts';

/** Who the client is: what every modern request says of it, and what decides which questions may be put to it. */
export interface ClientIdentity {
  readonly profile: Profile;
  /** As the client wrote it; absent where it did not. */
  readonly info: RawJson | undefined;
  readonly capabilities: RawJson;
}

/** True where the client declared a capability, as `elicitation/url`. */
export function declares(client: ClientIdentity, ...path: string[]): boolean {
  const value = getAt(client.capabilities, path);
  return value !== undefined && kindOf(value) !== 'null' && value.toString('latin1') !== 'false';
}
