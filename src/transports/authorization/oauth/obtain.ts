import {
  computeScopeUnion,
  fetchToken,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { isOfClient, isSameIssuer, withoutRegistrations, type Grant } from '../grant.ts';
import { SignInProblem } from '../signInProblem.ts';
import { configuredClient, informationOf, keyAuthentication } from './client.ts';
import { discover, type Found } from './discover.ts';
import type { ObtainOptions } from './obtainOptions.ts';
import { signInByBrowser } from './signInByBrowser.ts';
import { tokensFrom } from './tokens.ts';

export interface Obtained {
  readonly grant: Grant;
  /** False where the tokens continue what was granted before, which may have ended. */
  readonly isNew: boolean;
}

/** Gets tokens for a server by the cheapest way there is. Rejects where there is none; see `explain`. */
export async function obtain(options: ObtainOptions): Promise<Obtained> {
  const { settings, grants, signIn } = options;
  const found = await discover({
    server: options.server,
    metadataUrl: options.challenge.metadataUrl,
    issuer: settings.issuer,
    known: grants.flatMap(({ issuer, tokens }) => (tokens === undefined ? [] : [issuer])),
    fetch: options.fetch,
  });
  if (found.metadata === undefined && !options.isDemanded) {
    throw undescribed();
  }
  const known = grants.find(
    (grant) => isSameIssuer(grant.issuer, found.issuer) && isOfClient(grant, settings.clientId),
  );
  const scope = scopeFor(options, found, known);
  if (settings.grant === 'client_credentials') {
    return { grant: await byCredentials(options, found, scope), isNew: true };
  }
  const refreshed = options.mayRefresh ? await refresh(options, found, known) : 'spent';
  if (typeof refreshed === 'object') return { grant: refreshed, isNew: false };
  // Without metadata a server of 2025-03-26 can be signed in to; any other takes tokens that it issues elsewhere.
  const isUndescribed = found.metadata === undefined;
  if (signIn.person === undefined) {
    throw new SignInProblem('A person must sign in first.', { nobodyThere: true, isUndescribed });
  }
  options.onAsking();
  try {
    const grant = await signInByBrowser(signIn.person, {
      ...options,
      grants: refreshed === 'unknown-client' ? withoutRegistrations(grants) : grants,
      found,
      scope,
    });
    return { grant, isNew: true };
  } catch (error) {
    const isUnregistered = error instanceof RegistrationRejectedError;
    throw isUndescribed && isUnregistered ? undescribed() : error;
  }
}

function undescribed(): SignInProblem {
  return new SignInProblem('The server does not say how to sign in to it.', {
    isUndescribed: true,
  });
}

/**
 * The scopes to ask for: those that the server demands now, else its basic ones (2026-07-28, Authorization, Scope Selection
 * Strategy), and with them those that were asked for before, so that nothing granted is lost.
 */
function scopeFor(
  { settings, challenge }: ObtainOptions,
  { scope: basic, metadata }: Found,
  known: Grant | undefined,
): string | undefined {
  const first = known === undefined ? settings.scope : undefined;
  const scope = computeScopeUnion(
    known?.scope,
    first ?? challenge.scope ?? settings.scope ?? basic,
  );
  const scopes = metadata?.scopes_supported;
  const offersOffline = Array.isArray(scopes) && scopes.includes('offline_access');
  // A client that wants to be refreshed may ask for it (2026-07-28, Authorization, Refresh Tokens).
  const isPerson = settings.grant !== 'client_credentials';
  return scope !== undefined && offersOffline && isPerson
    ? computeScopeUnion(scope, 'offline_access')
    : scope;
}

/** What a refresh can be answered with that means: ask the person again. */
const SPENT: ReadonlyMap<string, 'spent' | 'unknown-client'> = new Map([
  [OAuthErrorCode.InvalidGrant, 'spent'],
  [OAuthErrorCode.InvalidScope, 'spent'],
  [OAuthErrorCode.UnsupportedGrantType, 'spent'],
  [OAuthErrorCode.InvalidClient, 'unknown-client'],
  [OAuthErrorCode.UnauthorizedClient, 'unknown-client'],
]);

async function refresh(
  { settings, fetch }: ObtainOptions,
  found: Found,
  known: Grant | undefined,
): Promise<Grant | 'spent' | 'unknown-client'> {
  if (known?.tokens?.refresh === undefined) return 'spent';
  const { client } = known;
  const authentication = keyAuthentication(client, settings, found);
  try {
    const tokens = await refreshAuthorization(found.address, {
      ...(found.metadata !== undefined && { metadata: found.metadata }),
      clientInformation: informationOf(client, settings),
      refreshToken: known.tokens.refresh,
      resource: found.resource,
      ...(authentication !== undefined && { addClientAuthentication: authentication }),
      fetchFn: fetch,
    });
    return { ...known, tokens: tokensFrom(tokens) };
  } catch (error) {
    const meaning = error instanceof OAuthError ? SPENT.get(error.code) : undefined;
    if (meaning === undefined) throw error;
    return meaning;
  }
}

/** A program that acts for itself (OAuth 2.1, section 4.2). */
async function byCredentials(
  { settings, grants, fetch }: ObtainOptions,
  found: Found,
  scope: string | undefined,
): Promise<Grant> {
  const client = configuredClient(settings, found, grants);
  if (client === undefined) throw new SignInProblem('"oauth.clientId" is missing.');
  const authentication = keyAuthentication(client, settings, found);
  const tokens = await fetchToken(
    {
      redirectUrl: undefined,
      clientMetadata: { redirect_uris: [] },
      clientInformation: () => ({ ...informationOf(client, settings), issuer: found.issuer }),
      prepareTokenRequest: (wanted) =>
        new URLSearchParams({
          grant_type: 'client_credentials',
          ...(wanted !== undefined && { scope: wanted }),
        }),
      ...(authentication !== undefined && { addClientAuthentication: authentication }),
      tokens: () => undefined,
      saveTokens: () => undefined,
      redirectToAuthorization: () => undefined,
      saveCodeVerifier: () => undefined,
      codeVerifier: () => '',
    },
    found.address,
    {
      ...(found.metadata !== undefined && { metadata: found.metadata }),
      resource: found.resource,
      ...(scope !== undefined && { scope }),
      fetchFn: fetch,
    },
  );
  return {
    issuer: found.issuer,
    client,
    ...(scope !== undefined && { scope }),
    tokens: tokensFrom(tokens),
  };
}
