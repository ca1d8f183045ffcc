import type { OAuthTokens } from '@modelcontextprotocol/client';
import type { Tokens } from '../grant.ts';
import { SignInProblem } from '../signInProblem.ts';

/** The tokens that can be shown in a header. */
export function tokensFrom({ access_token, token_type, refresh_token }: OAuthTokens): Tokens {
  if (token_type.toLowerCase() !== 'bearer' || !/^[\x21-\x7e]+$/.test(access_token)) {
    throw new SignInProblem('The authorization server issued something else than a bearer token.');
  }
  return {
    access: access_token,
    ...(refresh_token !== undefined && { refresh: refresh_token }),
  };
}
