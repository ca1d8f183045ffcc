/** How the bridge is known to one authorization server. */
export interface GrantClient {
  readonly id: string;
  /** Only of a client that registered itself: a configured secret stays in the configuration. */
  readonly secret?: string;
  /** How it shows who it is at the token endpoint, as it was registered. */
  readonly method?: string;
  /** Where it said it would be redirected to. */
  readonly redirect?: string;
  readonly from: 'configuration' | 'document' | 'registration';
}

export interface Tokens {
  readonly access: string;
  readonly refresh?: string;
}

/** What one authorization server has given the bridge for one server. */
export interface Grant {
  /** The authorization server, by its own name for itself: what is kept is shown to no other. */
  readonly issuer: string;
  readonly client: GrantClient;
  /** The scopes asked for so far, with spaces between them. */
  readonly scope?: string;
  /** The scopes that the server has demanded since, when nobody was there to be asked for them. */
  readonly wanted?: string;
  readonly tokens?: Tokens;
}

const ORIGINS: readonly unknown[] = ['configuration', 'document', 'registration'];

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function holdsTexts(
  value: Members,
  needed: readonly string[],
  possible: readonly string[],
): boolean {
  return (
    needed.every((name) => typeof value[name] === 'string') &&
    possible.every((name) => value[name] === undefined || typeof value[name] === 'string')
  );
}

function isGrant(value: unknown): value is Grant {
  if (!isObject(value) || !holdsTexts(value, ['issuer'], ['scope', 'wanted'])) return false;
  const { client, tokens } = value;
  if (!isObject(client) || !holdsTexts(client, ['id'], ['secret', 'method', 'redirect']))
    return false;
  if (!ORIGINS.includes(client['from'])) return false;
  return tokens === undefined || (isObject(tokens) && holdsTexts(tokens, ['access'], ['refresh']));
}

/** The grants in what a store has kept, the latest first; none where it is damaged. */
export function readGrants(value: unknown): readonly Grant[] {
  return Array.isArray(value) ? value.filter(isGrant) : [];
}

/** A name with and without a slash at its end is the same, since URLs gain one where they are parsed. */
export function isSameIssuer(a: string, b: string): boolean {
  return a.replace(/\/$/, '') === b.replace(/\/$/, '');
}

/** Whether a grant is of the client that the configuration means: the one of this id, or the bridge's own. */
export function isOfClient({ client }: Grant, clientId: string | undefined): boolean {
  return clientId === undefined ? client.from !== 'configuration' : client.id === clientId;
}

/** The grants with this one put first, in place of an older one of the same authorization server and client. */
export function withGrant(grants: readonly Grant[], grant: Grant): readonly Grant[] {
  const clientId = grant.client.from === 'configuration' ? grant.client.id : undefined;
  const others = grants.filter(
    (each) => !(isSameIssuer(each.issuer, grant.issuer) && isOfClient(each, clientId)),
  );
  return [grant, ...others];
}

/** The grants, none of whose registrations will be used for another sign-in: it may be the reason why one failed. */
export function withoutRegistrations(grants: readonly Grant[]): readonly Grant[] {
  return grants.map((grant) => {
    const { redirect, ...client } = grant.client;
    return redirect === undefined ? grant : { ...grant, client };
  });
}

/** The grants, of which none says any more which scopes to ask for: the authorization server has refused them. */
export function withoutScopes(grants: readonly Grant[]): readonly Grant[] {
  return grants.map(({ issuer, client, tokens }) => ({
    issuer,
    client,
    ...(tokens !== undefined && { tokens }),
  }));
}
