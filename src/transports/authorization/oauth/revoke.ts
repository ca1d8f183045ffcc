import {
  discoverAuthorizationServerMetadata,
  selectClientAuthMethod,
  type FetchLike,
} from '@modelcontextprotocol/client';
import type { Grant } from '../grant.ts';
import type { SignInSettings } from '../signIn.ts';
import { informationOf } from './client.ts';

function isRevocation([name]: [string, unknown]): boolean {
  return name === 'revocation_endpoint';
}

/** Tells an authorization server that its tokens are not used any more (RFC 7009); whether it listens is its affair. */
export async function revoke(
  { issuer, client, tokens }: Grant,
  settings: SignInSettings,
  fetch: FetchLike,
): Promise<void> {
  try {
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
    // OpenID has no word for it, and those who publish in its way say it all the same.
    const endpoint: unknown = metadata && Object.entries(metadata).find(isRevocation)?.[1];
    if (tokens === undefined || typeof endpoint !== 'string') return;
    const information = informationOf(client, settings);
    const { client_secret: secret = '' } = information;
    const methods = metadata?.token_endpoint_auth_methods_supported ?? [];
    const isBasic = selectClientAuthMethod(information, methods) === 'client_secret_basic';
    const pair = `${encodeURIComponent(client.id)}:${encodeURIComponent(secret)}`;
    // Of the one that renews the other, the end is the end of both.
    for (const token of [tokens.refresh, tokens.access]) {
      if (token === undefined) continue;
      await fetch(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(isBasic && { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
        },
        body: new URLSearchParams({
          token,
          ...(!isBasic && { client_id: client.id }),
          ...(!isBasic && secret !== '' && { client_secret: secret }),
        }),
      });
    }
  } catch {
    // The tokens are gone here, which is what was asked for.
  }
}
