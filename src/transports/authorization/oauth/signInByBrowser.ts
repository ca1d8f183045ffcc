import { randomBytes } from 'node:crypto';
import {
  exchangeAuthorization,
  OAuthErrorCode,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { isSafeUrl } from '../../../base/safeUrl.ts';
import { safeText } from '../../sample.ts';
import { isSameIssuer, type Grant } from '../grant.ts';
import type { Person, RedirectListener, WantedRedirect } from '../signIn.ts';
import { SignInProblem } from '../signInProblem.ts';
import { clientFor, informationOf, keyAuthentication } from './client.ts';
import type { Found } from './discover.ts';
import { explain } from './explain.ts';
import type { ObtainOptions } from './obtainOptions.ts';
import { tokensFrom } from './tokens.ts';

interface Request extends ObtainOptions {
  readonly found: Found;
  readonly scope: string | undefined;
}

/** Lets a person sign in on a page of the authorization server (2026-07-28, Authorization, Authorization Flow Steps). */
export async function signInByBrowser(person: Person, request: Request): Promise<Grant> {
  const { found, grants } = request;
  // An absent list means that there is no PKCE (2026-07-28, Authorization Code Protection). A server that says nothing of
  // its authorization is one of 2025-03-26, which did not demand the list.
  const methods = found.metadata?.code_challenge_methods_supported;
  const isProtected = methods === undefined ? !found.isDescribed : methods.includes('S256');
  if (!isProtected) {
    throw new SignInProblem(
      `${safeText(found.issuer)} does not say that it protects authorization codes (PKCE by S256), so it is not used.`,
    );
  }
  const redirects = await person.listen(redirectWanted(request, grants, found));
  try {
    return await withRedirects(redirects, person, request);
  } finally {
    await redirects.close();
  }
}

/** The port that the configuration fixes, else where an earlier registration said that it would be redirected to. */
function redirectWanted(
  { settings }: Request,
  grants: readonly Grant[],
  found: Found,
): WantedRedirect {
  if (settings.callbackPort !== undefined)
    return { address: `http://127.0.0.1:${settings.callbackPort}/callback`, isFixed: true };
  const registered = grants.find(
    ({ issuer, client }) => isSameIssuer(issuer, found.issuer) && client.from === 'registration',
  );
  return { address: registered?.client.redirect };
}

async function withRedirects(
  redirects: RedirectListener,
  person: Person,
  request: Request,
): Promise<Grant> {
  const { found, scope, settings, signIn, grants, fetch } = request;
  const { metadata } = found;
  const client = await clientFor(
    settings,
    found,
    grants,
    redirects.url,
    scope,
    signIn.program,
    fetch,
  );
  const state = randomBytes(32).toString('base64url');
  const common = {
    ...(metadata !== undefined && { metadata }),
    clientInformation: informationOf(client, settings),
    resource: found.resource,
  };
  const { authorizationUrl, codeVerifier } = await startAuthorization(found.address, {
    ...common,
    redirectUrl: redirects.url,
    state,
    ...(scope !== undefined && { scope }),
  });
  // Read as an address, some texts look harmless that others read otherwise.
  const written = metadata?.authorization_endpoint ?? authorizationUrl.href;
  if (!isSafeUrl(written) || !isSafeUrl(authorizationUrl.href)) {
    throw new SignInProblem(
      `${safeText(found.issuer)} names a page to sign in at that is not safe to open.`,
    );
  }
  const patience = AbortSignal.timeout(person.patienceMs);
  // A browser may be back before the call that opened it is, and that one may take its time.
  const coming = redirects.next(state, AbortSignal.any([request.signal, patience]));
  person.open(authorizationUrl);
  const redirected = await coming;
  if (redirected === undefined) {
    throw new SignInProblem(
      patience.aborted
        ? `Nobody signed in within ${Math.round(person.patienceMs / 60_000)} minutes.`
        : 'The sign-in was given up.',
    );
  }
  try {
    const { code, iss } = readAnswer(redirected.parameters, found);
    const authentication = keyAuthentication(client, settings, found);
    const tokens = await exchangeAuthorization(found.address, {
      ...common,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
      codeVerifier,
      redirectUri: redirects.url,
      ...(authentication !== undefined && { addClientAuthentication: authentication }),
      fetchFn: fetch,
    });
    const grant: Grant = {
      issuer: found.issuer,
      client,
      ...(scope !== undefined && { scope }),
      tokens: tokensFrom(tokens),
    };
    redirected.tell('You are signed in. You can close this page.');
    return grant;
  } catch (error) {
    redirected.tell(`The sign-in failed: ${explain(error)}`);
    throw error;
  }
}

/** The code in an answer, once the answer is known to come from where it was asked (RFC 9207, section 2.4). */
function readAnswer(
  parameters: URLSearchParams,
  { metadata }: Found,
): { readonly code: string; readonly iss: string | undefined } {
  const iss = parameters.get('iss') ?? undefined;
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const code = parameters.get('code');
  if (code !== null) return { code, iss };
  const refusal = parameters.get('error');
  const words = [refusal, parameters.get('error_description')]
    .flatMap((word) => (word === null ? [] : [safeText(word.slice(0, 200))]))
    .join(': ');
  throw new SignInProblem(
    `The authorization server refused: ${words === '' ? 'no reason given' : words}.`,
    { isScopeRefused: refusal === OAuthErrorCode.InvalidScope },
  );
}
