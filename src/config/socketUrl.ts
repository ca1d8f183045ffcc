/** The schemes of the addresses of local sockets. */
const SCHEMES: ReadonlySet<string> = new Set(['unix:', 'pipe:']);

/** True for an address that means a local socket, whether or not it is a good one. */
export function isSocketUrl(text: string): boolean {
  return /^(unix|pipe):/i.test(text);
}

/** True for one whose server speaks lines, as over stdio: only HTTP has a path of its own, behind the `#`. */
export function isLineSocketUrl(text: string): boolean {
  return isSocketUrl(text) && !text.includes('#');
}

/** What is wrong with the address of a local socket, as the predicate of a sentence; undefined where it can be used. */
export function describeSocketProblem(text: string): string | undefined {
  const problem = describePathProblem(text);
  if (problem !== undefined) return problem;
  const { search, hash } = new URL(text);
  return search !== '' || hash !== ''
    ? 'has something behind the path of the socket; for HTTP over it write "type": "http"'
    : undefined;
}

/** The same for a server that speaks HTTP over its socket; VS Code writes the path of the request behind a `#`, too. */
export function describeHttpSocketProblem(text: string): string | undefined {
  const problem = describePathProblem(text);
  if (problem !== undefined) return problem;
  const { hash } = new URL(text);
  return hash === '' || hash.startsWith('#/')
    ? undefined
    : 'needs the path of the request behind its "#", as in unix:///tmp/server.sock#/mcp';
}

function describePathProblem(text: string): string | undefined {
  const advice = 'write one such as unix:///tmp/server.sock, or on Windows pipe:///pipe/server';
  if (!URL.canParse(text)) return `is not an address; ${advice}`;
  const { protocol, host, pathname } = new URL(text);
  if (!SCHEMES.has(protocol)) return 'must start with unix:/// or pipe:///';
  if (host !== '' || !pathname.startsWith('/')) return 'needs three slashes before its path';
  if (pathOf(pathname) === undefined) return 'holds a "%" that stands for no character; write %25';
  return pathname.replaceAll('/', '') === '' ? `names no socket; ${advice}` : undefined;
}

/** The path that the system knows a socket by, from an address that has no problem. */
export function socketPath(url: string): string {
  const { protocol, pathname } = new URL(url);
  const path = pathOf(pathname) ?? pathname;
  return protocol === 'pipe:' ? `\\\\.${path.replaceAll('/', '\\')}` : path;
}

/** Where requests go to an address without problem: over a socket or not, and to which URL. */
export function httpAddress(text: string): { readonly url: URL; readonly socketPath?: string } {
  if (!isSocketUrl(text)) return { url: new URL(text) };
  const { hash, search } = new URL(text);
  const url = new URL(`http://localhost${hash.slice(1) || '/'}`);
  if (search !== '') url.search = search;
  return { url, socketPath: socketPath(text) };
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
