import { unescape } from 'node:querystring';
import type { Authorizer } from '../authorization/authorizer.ts';
import { secretsIn } from '../sample.ts';
import type { Address } from './dispatcher.ts';
import type { Place } from './httpFailure.ts';

/** Header names have no letter case; one spelling keeps a configured one from being sent twice. */
export function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** What every request to a server says: the configured headers, and the user information of its address. */
export function configuredHeaders(
  url: URL,
  configured: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { username, password } = url;
  const headers = lowerCase(configured);
  if (username === '' && password === '') return headers;
  const pair = `${unescape(username)}:${unescape(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}`, ...headers };
}

/** The authorizer, unless the user has said already what to show to the server. */
export function authorizerFor(
  headers: Readonly<Record<string, string>>,
  authorizer: Authorizer | undefined,
): Authorizer | undefined {
  return 'authorization' in headers ? undefined : authorizer;
}

/** Where requests go, with the secrets of the headers and those that come to be meanwhile. */
export function placeOf(
  { url, socketPath }: Address,
  headers: Readonly<Record<string, string>>,
  later: Iterable<string> = [],
): Place {
  const configured = secretsIn(headers);
  return {
    origin: socketPath ?? url.origin,
    get secrets() {
      return [...configured, ...later];
    },
  };
}
