import type { LookupFunction } from 'node:net';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';
import { PROXY_CLOSED } from './httpFailure.ts';
import { NodeRequests } from './nodeRequests.ts';
import type { Network, Requests } from './requests.ts';

/** Where a server is reached: at the host of a URL, or on a local socket. */
export interface Address {
  readonly url: URL;
  readonly socketPath?: string | undefined;
  /** That of the environment where absent. */
  readonly network?: Network | undefined;
}

const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/** True for a name or address that can only mean this machine. */
function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

/**
 * A pool of connections to a proxy. Where a proxy closes the connection instead of opening a tunnel, undici would try
 * again without a pause for as long as the request waits, unless the error has another code than it gave it.
 */
function proxyPool(undici: typeof Undici, proxy: URL, options: object): Dispatcher {
  const pool = new undici.Pool(proxy.origin, options);
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: async (tunnel: Dispatcher.ConnectOptions) => {
      try {
        return await connect(tunnel);
      } catch (cause) {
        const closed = cause instanceof undici.errors.SocketError;
        throw closed
          ? Object.assign(new Error('closed', { cause }), { code: PROXY_CLOSED })
          : cause;
      }
    },
  });
}

/**
 * Opens what makes the requests to a server, on whose way they take. `lookup` takes the place of the system's own
 * look-up of names, where no proxy does that.
 */
export async function openRequests(
  address: Address,
  environment: NodeJS.ProcessEnv,
  lookup?: LookupFunction,
): Promise<Requests> {
  const { url, socketPath, network } = address;
  const isElsewhere = socketPath === undefined && !isLoopback(url);
  if (network === 'editor' && isElsewhere) return new NodeRequests(lookup);
  return openDispatcher(address, environment, lookup);
}

/**
 * Loads the HTTP client, which costs too much for the start path, and opens a pool of connections. The proxy of the
 * environment is used, but never for this machine, nor before a socket. Time-outs are decided by whoever waits, not
 * here.
 */
export async function openDispatcher(
  { url, socketPath }: Address,
  environment: NodeJS.ProcessEnv,
  lookup?: LookupFunction,
): Promise<Dispatcher> {
  const undici = await import('undici');
  const options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(lookup !== undefined && { connect: { lookup } }),
  };
  if (socketPath !== undefined) return new undici.Agent({ ...options, socketPath });
  const proxied = PROXY_VARIABLES.some((name) => (environment[name] ?? '') !== '');
  if (!proxied || isLoopback(url)) return new undici.Agent(options);
  return new undici.EnvHttpProxyAgent({
    ...options,
    // Empty strings keep it from reading the variables of this process instead.
    httpProxy: environment['http_proxy'] ?? environment['HTTP_PROXY'] ?? '',
    httpsProxy: environment['https_proxy'] ?? environment['HTTPS_PROXY'] ?? '',
    noProxy: environment['no_proxy'] ?? environment['NO_PROXY'] ?? '',
    proxyTunnel: false,
    clientFactory: (proxy, poolOptions) => proxyPool(undici, proxy, poolOptions),
  });
}
