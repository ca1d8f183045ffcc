/** The schemes of the addresses of local sockets. */
const SCHEMES: ReadonlySet<string> = new Set(['unix:', 'pipe:']);

/** True for an address that means a local socket, whether or not it is a good one. */
export function isSocketUrl(text: string): boolean {
  return /^(unix|pipe):/i.test(text);
}

/** What is wrong with the address of a local socket, as the predicate of a sentence; undefined where it can be used. */
export function describeSocketProblem(text: string): string | undefined {
  const advice = 'write one such as unix:///tmp/server.sock, or on Windows pipe:///pipe/server';
  if (!URL.canParse(text)) return `is not an address; ${advice}`;
  const { protocol, host, pathname, search, hash } = new URL(text);
  if (!SCHEMES.has(protocol)) return 'must start with unix:/// or pipe:///';
  if (host !== '' || !pathname.startsWith('/')) return 'needs three slashes before its path';
  if (search !== '' || hash !== '') {
    return 'has something behind the path of the socket; HTTP over a socket is not supported';
  }
  if (pathOf(pathname) === undefined) return 'holds a "%" that stands for no character; write %25';
  return pathname.replaceAll('/', '') === '' ? `names no socket; ${advice}` : undefined;
}

/** The path that the system knows a socket by, from an address that has no problem. */
export function socketPath(url: string): string {
  const { protocol, pathname } = new URL(url);
  const path = pathOf(pathname) ?? pathname;
  return protocol === 'pipe:' ? `\\\\.${path.replaceAll('/', '\\')}` : path;
}

function pathOf(pathname: string): string | undefined {
  try {
    const path = decodeURIComponent(pathname);
    return path.includes('\0') ? undefined : path;
  } catch {
    // Not the encoding of any text.
    return undefined;
  }
}
