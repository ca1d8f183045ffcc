import { unescape } from 'node:querystring';

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
