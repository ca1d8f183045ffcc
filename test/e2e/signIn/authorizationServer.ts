import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import Provider, { type Configuration } from 'oidc-provider';

const SCOPES = 'mcp:basic mcp:write';

/** An authorization server that we did not write, with a person who agrees to everything. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** The grants that tokens were issued under, in their order. */
  readonly issued: string[];
  /** Every token and code that was issued. */
  readonly secrets: Set<string>;
  /** Where the browser was sent back to, sign-in by sign-in. */
  readonly redirects: string[];
  /** The ids of the clients that registered themselves. */
  readonly registered: string[];
  /** True for a token that may be shown to the server. */
  isGood(token: string): Promise<boolean>;
  /** True for a token with the scope `mcp:write`. */
  mayWrite(token: string): Promise<boolean>;
  /** Ends an access token. */
  expire(token: string): Promise<void>;
  /** Ends all that came of one sign-in. */
  revoke(token: string): Promise<void>;
  isRefreshable(token: string): Promise<boolean>;
  close(): Promise<void>;
}

function configuration(clients: Configuration['clients'], registers: boolean): Configuration {
  return {
    ...(clients !== undefined && { clients }),
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: async () => true,
    cookies: { keys: ['test'] },
    ttl: {
      Session: 60,
      Grant: 60,
      Interaction: 60,
      AccessToken: 60,
      RefreshToken: 60,
      ClientCredentials: 60,
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registers },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_context, resource) => ({
          scope: SCOPES,
          audience: resource,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  };
}

/** Starts one that knows these clients, and others that register themselves, where it lets them. */
export async function startAuthorizationServer(
  clients?: Configuration['clients'],
  registers = true,
): Promise<AuthorizationServer> {
  let serve = (_request: IncomingMessage, response: ServerResponse): void => void response.end();
  const server = createServer((request, response) => serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration(clients, registers));
  const callback = provider.callback();
  serve = (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) void agree(provider, request, response);
    else void callback(request, response);
  };
  const issued: string[] = [];
  const secrets = new Set<string>();
  const registered: string[] = [];
  const redirects: string[] = [];
  provider.on('grant.success', (context) => {
    issued.push(String(context.oidc.params?.['grant_type']));
    const redirect = context.oidc.params?.['redirect_uri'];
    if (typeof redirect === 'string') redirects.push(redirect);
    const { access_token, refresh_token } = context.body as Record<string, string | undefined>;
    const code = context.oidc.params?.['code'];
    for (const secret of [access_token, refresh_token, code]) {
      if (typeof secret === 'string') secrets.add(secret);
    }
  });
  provider.on('registration_create.success', (_context, client) => {
    registered.push(client.clientId);
  });
  return {
    issuer,
    issued,
    secrets,
    redirects,
    registered,
    isGood: async (token) =>
      (await provider.AccessToken.find(token)) !== undefined ||
      (await provider.ClientCredentials.find(token)) !== undefined,
    mayWrite: async (token) =>
      (await provider.AccessToken.find(token))?.scopes.has('mcp:write') === true,
    expire: async (token) => void (await (await provider.AccessToken.find(token))?.destroy()),
    revoke: async (token) => {
      const found = await provider.AccessToken.find(token);
      await found?.destroy();
      if (found?.grantId !== undefined) {
        await provider.RefreshToken.revokeByGrantId(found.grantId);
      }
    },
    isRefreshable: async (token) => (await provider.RefreshToken.find(token)) !== undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The person signs in and agrees to what is asked for. */
async function agree(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: 'ada', clientId: String(params['client_id']) });
  grant.addOIDCScope('openid offline_access');
  grant.addResourceScope(String(params['resource']), SCOPES);
  await provider.interactionFinished(request, response, {
    login: { accountId: 'ada' },
    consent: { grantId: await grant.save() },
  });
}
