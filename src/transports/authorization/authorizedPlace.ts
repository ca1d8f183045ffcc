import type { Place } from '../http/httpFailure.ts';
import type { Authorizer } from './authorizer.ts';

/** A place whose secrets are the configured ones and, at each moment, those that signing in has brought. */
export function authorizedPlace(
  origin: string,
  configured: Place['secrets'],
  authorizer: Authorizer | undefined,
): Place {
  return {
    origin,
    get secrets() {
      return [...configured, ...(authorizer?.secrets ?? [])];
    },
  };
}
