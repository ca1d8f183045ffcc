import { createPrivateKey } from 'node:crypto';
import {
  createPrivateKeyJwtAuth,
  isStrictScopeSuperset,
  registerClient,
  RegistrationRejectedError,
  type AddClientAuthentication,
  type FetchLike,
  type OAuthClientInformationMixed,
} from '@modelcontextprotocol/client';
import { isSameIssuer, type Grant, type GrantClient } from '../grant.ts';
import type { SignIn, SignInSettings } from '../signIn.ts';
import { SignInProblem } from '../signInProblem.ts';
import type { Found } from './discover.ts';

/** The client that the configuration names, bound to the first authorization server that it was used with. */
export function configuredClient(
  settings: SignInSettings,
  found: Found,
  grants: readonly Grant[],
): GrantClient | undefined {
  const { clientId } = settings;
  if (clientId === undefined) return undefined;
  const bound = grants.find(
    ({ client }) => client.from === 'configuration' && client.id === clientId,
  );
  // What was registered by hand at one place means nothing at another, and its secret must not get there.
  const isElsewhere = bound !== undefined && !isSameIssuer(bound.issuer, found.issuer);
  if (settings.issuer === undefined && isElsewhere) {
    throw new SignInProblem(
      `"oauth.clientId" has been used with ${bound.issuer}, and the server now names ${found.issuer}. If that is right, set "oauth.issuer".`,
    );
  }
  return { id: clientId, from: 'configuration' };
}

/**
 * The client to sign in with: the configured one, else the program's metadata document, else one that registers itself
 * (2026-07-28, Client Registration). `redirect` is where the browser will come back to.
 */
export async function clientFor(
  settings: SignInSettings,
  found: Found,
  grants: readonly Grant[],
  redirect: string,
  scope: string | undefined,
  program: SignIn['program'],
  fetch: FetchLike,
): Promise<GrantClient> {
  const configured = configuredClient(settings, found, grants);
  if (configured !== undefined) return configured;
  const { metadata } = found;
  const { clientMetadataUrl } = settings;
  if (clientMetadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true) {
    return { id: clientMetadataUrl, from: 'document' };
  }
  const registered = grants.find(
    ({ issuer, client }) =>
      isSameIssuer(issuer, found.issuer) &&
      client.from === 'registration' &&
      client.redirect === redirect,
  );
  // Some authorization servers grant a client nothing but what it was registered with.
  const isEnough = registered !== undefined && !isStrictScopeSuperset(scope, registered.scope);
  if (isEnough) return registered.client;
  if (metadata !== undefined && metadata.registration_endpoint === undefined) {
    throw new SignInProblem(
      `${found.issuer} lets no program register itself. Register one there with the redirect address ${registrable(redirect, settings)}, and set "oauth.clientId" in the server's entry.`,
    );
  }
  return register(found, redirect, scope, program, fetch);
}

/** A redirect as one registers it by hand: a port of this machine's is left out, where it can be any (RFC 8252, section 7.3). */
function registrable(redirect: string, { callbackPort }: SignInSettings): string {
  const url = new URL(redirect);
  if (url.protocol === 'http:' && callbackPort === undefined) url.port = '';
  return url.href;
}

async function register(
  { address, metadata }: Found,
  redirect: string,
  scope: string | undefined,
  program: SignIn['program'],
  fetch: FetchLike,
): Promise<GrantClient> {
  const options = {
    ...(metadata !== undefined && { metadata }),
    clientMetadata: {
      client_name: program.name,
      ...(program.uri !== undefined && { client_uri: program.uri }),
      software_version: program.version,
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: methodFor(metadata?.token_endpoint_auth_methods_supported),
    },
    fetchFn: fetch,
  };
  // Others know only scopes of their own there, and not those of the servers behind them.
  const answer = await registerClient(address, {
    ...options,
    ...(scope !== undefined && { scope }),
  }).catch((error: unknown) => {
    if (!(error instanceof RegistrationRejectedError) || scope === undefined) throw error;
    return registerClient(address, options);
  });
  const { client_secret: secret, token_endpoint_auth_method: method } = answer;
  return {
    id: answer.client_id,
    ...(secret !== undefined && { secret }),
    ...(method !== undefined && { method }),
    redirect,
    from: 'registration',
  };
}

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

/** A program on a person's machine keeps no secret, unless the authorization server insists on one. */
function methodFor(supported: readonly string[] = METHODS): string {
  return METHODS.find((method) => supported.includes(method)) ?? 'none';
}

/** What the OAuth client needs to know of a client. */
export function informationOf(
  client: GrantClient,
  settings: SignInSettings,
): OAuthClientInformationMixed {
  const secret = client.from === 'configuration' ? settings.clientSecret : client.secret;
  return {
    client_id: client.id,
    ...(secret !== undefined && { client_secret: secret }),
    ...(client.method !== undefined && { token_endpoint_auth_method: client.method }),
  };
}

/** How a client with a configured key shows who it is (RFC 7523, section 2.2); undefined for those without. */
export function keyAuthentication(
  client: GrantClient,
  { privateKey }: SignInSettings,
  found: Found,
): AddClientAuthentication | undefined {
  if (client.from !== 'configuration' || privateKey === undefined) return undefined;
  // Environment variables often hold a key on one line.
  const pem = privateKey.includes('\n') ? privateKey : privateKey.replaceAll('\\n', '\n');
  const supported = found.metadata?.token_endpoint_auth_signing_alg_values_supported;
  const names = Array.isArray(supported) ? supported.map(String) : [];
  return createPrivateKeyJwtAuth({
    issuer: client.id,
    subject: client.id,
    privateKey: pem,
    alg: algorithmOf(pem, names),
    audience: found.issuer,
  });
}

const CURVES: ReadonlyMap<string | undefined, string> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

function algorithmOf(pem: string, supported: readonly string[]): string {
  let key;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new SignInProblem('"oauth.privateKey" is no private key in PEM (PKCS#8).');
  }
  if (key.asymmetricKeyType === 'rsa') {
    return supported.includes('PS256') && !supported.includes('RS256') ? 'PS256' : 'RS256';
  }
  const algorithm = CURVES.get(key.asymmetricKeyDetails?.namedCurve);
  if (algorithm === undefined) {
    throw new SignInProblem(
      '"oauth.privateKey" must be an RSA or an elliptic-curve key (P-256, P-384, P-521).',
    );
  }
  return algorithm;
}
