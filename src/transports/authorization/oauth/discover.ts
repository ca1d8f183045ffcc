import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  IssuerMismatchError,
  resourceUrlFromServerUrl,
  type AuthorizationServerMetadata,
  type FetchLike,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { safeText } from '../../sample.ts';
import { isSameIssuer } from '../grant.ts';
import { isSignInProblem, SignInProblem } from '../signInProblem.ts';

/** The authorization server of a server, and what it publishes about itself. */
export interface Found {
  /** The address that the server named, or its own root. */
  readonly address: string;
  /** The authorization server's own name for itself. */
  readonly issuer: string;
  /** Undefined only for a server of revision 2025-03-26 that publishes nothing. */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** What the `resource` parameter says (2026-07-28, Authorization, Canonical Server URI). */
  readonly resource: string;
  /** The scopes that the server names as its basic ones. */
  readonly scope: string | undefined;
  /** Whether the server publishes anything about its authorization, as all do since revision 2025-06-18. */
  readonly isDescribed: boolean;
}

export interface DiscoverOptions {
  readonly server: URL;
  /** The `resource_metadata` of the challenge. */
  readonly metadataUrl: string | undefined;
  /** The only authorization server that may be used. */
  readonly issuer: string | undefined;
  /** Those that are known already; of several that a server names, one of them is taken. */
  readonly known: readonly string[];
  readonly fetch: FetchLike;
}

/** Finds the authorization server (2026-07-28, Authorization Server Discovery; 2025-03-26, Server Metadata Discovery). */
export async function discover(options: DiscoverOptions): Promise<Found> {
  const { server, fetch } = options;
  const description = await describe(options);
  const address = chooseServer(description, options);
  const metadata = await metadataOf(address, fetch);
  const isDescribed = description !== undefined;
  if (metadata === undefined && isDescribed) {
    throw new SignInProblem(`The authorization server ${safeText(address)} publishes no metadata.`);
  }
  const issuer = metadata?.issuer ?? address;
  if (options.issuer !== undefined && !isSameIssuer(options.issuer, issuer)) {
    throw otherServer(issuer, options.issuer);
  }
  const own = resourceUrlFromServerUrl(server);
  const resource = description?.resource;
  if (
    resource !== undefined &&
    // A name of a server has no fragment (RFC 8707, section 2).
    (resource.includes('#') ||
      !checkResourceAllowed({ requestedResource: own, configuredResource: resource }))
  ) {
    throw new SignInProblem(
      `${server.origin} says that it is ${safeText(resource)}, which it is not; no sign-in is made for another server.`,
    );
  }
  return {
    address,
    issuer,
    metadata,
    // A bare origin goes without the slash that URLs have.
    resource: resource ?? own.href.replace(/^([^/]*\/\/[^/]*)\/$/, '$1'),
    scope: description?.scopes_supported?.join(' '),
    isDescribed,
  };
}

async function metadataOf(
  address: string,
  fetchFn: FetchLike,
): Promise<AuthorizationServerMetadata | undefined> {
  try {
    return await discoverAuthorizationServerMetadata(address, { fetchFn });
  } catch (error) {
    if (isSignInProblem(error) || error instanceof IssuerMismatchError) throw error;
    throw new SignInProblem(
      `What the authorization server ${safeText(address)} publishes about itself cannot be read: it is incomplete or wrong, or the server failed.`,
    );
  }
}

/** What the server publishes: where its challenge says, else at the well-known places. */
async function describe(
  options: DiscoverOptions,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const { server, metadataUrl, fetch } = options;
  const places = metadataUrl === undefined ? [undefined] : [metadataUrl, undefined];
  for (const place of places) {
    try {
      const where = place === undefined ? {} : { resourceMetadataUrl: place };
      return await discoverOAuthProtectedResourceMetadata(server, where, fetch);
    } catch (error) {
      // Not there, or not readable: the next place may have it.
      if (isSignInProblem(error)) throw error;
    }
  }
  return undefined;
}

function chooseServer(
  description: OAuthProtectedResourceMetadata | undefined,
  { server, issuer, known }: DiscoverOptions,
): string {
  const named = description?.authorization_servers ?? [];
  const [first] = named;
  if (first === undefined) return new URL('/', server).href;
  const isNamed = (wanted: string): string | undefined =>
    named.find((each) => isSameIssuer(each, wanted));
  if (issuer !== undefined) {
    const allowed = isNamed(issuer);
    if (allowed === undefined) throw otherServer(first, issuer);
    return allowed;
  }
  return known.map(isNamed).find((each) => each !== undefined) ?? first;
}

function otherServer(named: string, allowed: string): SignInProblem {
  return new SignInProblem(
    `The server names the authorization server ${safeText(named)}, and the configuration allows only ${safeText(allowed)} ("oauth.issuer").`,
  );
}
