import { openRequests } from '../http/dispatcher.ts';
import { networkFailure } from '../http/httpFailure.ts';
import type { Network, Requests } from '../http/requests.ts';
import { wholeResponse } from '../http/wholeResponse.ts';
import { FORBIDDEN_ADDRESS, Reachable } from './reach.ts';
import { isSignInProblem, SignInProblem } from './signInProblem.ts';

/** How long one request of a sign-in may take. */
const REQUEST_MS = 30_000;
/** The largest document that is read. */
const MAX_BYTES = 1024 * 1024;

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface SignInFetchOptions {
  /** The server that is signed in to. */
  readonly server: URL;
  /** Where the proxy settings are read. */
  readonly environment: NodeJS.ProcessEnv;
  /** That of the environment where absent. */
  readonly network: Network | undefined;
  /** Gives up every request. */
  readonly signal: AbortSignal;
}

/**
 * The requests of a sign-in: to addresses that a server has named, and that no stranger may choose freely. Only `https:`
 * (2026-07-28, Security Considerations, Communication Security), but for this machine and for the server itself; only
 * where the server may send the bridge; never with the configured headers of the server. Redirects are the caller's.
 */
export class SignInFetch {
  readonly #options: SignInFetchOptions;
  readonly #reachable: Reachable;
  readonly #requests = new Map<string, Promise<Requests>>();

  constructor(options: SignInFetchOptions) {
    this.#options = options;
    this.#reachable = new Reachable(options.server);
  }

  /** Rejects with a `SignInProblem` and nothing else. */
  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    await this.#check(url);
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(REQUEST_MS)]);
    const request = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: bodyOf(init),
    } as const;
    try {
      const limits = { signal, maxBytes: MAX_BYTES, tooLarge: new SignInProblem(TOO_LARGE) };
      const { status, headers, body } = await wholeResponse(await this.#open(url), request, limits);
      const received = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, [value].flat().join(', ')]],
      );
      // Of the class that the OAuth client knows, which is not that of the HTTP client.
      return new Response(NO_BODY.has(status) ? null : body, { status, headers: received });
    } catch (error) {
      throw this.#problem(url, error);
    }
  };

  async close(): Promise<void> {
    await Promise.all([...this.#requests.values()].map(async (each) => (await each).destroy()));
  }

  async #check(url: URL): Promise<void> {
    const isPlain = url.protocol === 'http:';
    const isAllowedPlain = LOOPBACK.has(url.hostname) || url.origin === this.#options.server.origin;
    if (url.protocol !== 'https:' && !(isPlain && isAllowedPlain)) {
      throw new SignInProblem(`${url.origin} is not asked: a sign-in needs https.`);
    }
    if (url.username !== '' || url.password !== '') {
      throw new SignInProblem(`${url.origin} is not asked: its address holds credentials.`);
    }
    if (!(await this.#reachable.allows(url))) throw this.#outOfReach(url);
  }

  #open(url: URL): Promise<Requests> {
    const { environment, network } = this.#options;
    const known = this.#requests.get(url.origin);
    const requests = known ?? openRequests({ url, network }, environment, this.#reachable.lookup);
    this.#requests.set(url.origin, requests);
    return requests;
  }

  #problem(url: URL, error: unknown): SignInProblem {
    if (isSignInProblem(error)) return error;
    if (this.#options.signal.aborted) return new SignInProblem('The sign-in was given up.');
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      return new SignInProblem(`${url.origin} did not answer within ${REQUEST_MS / 1000} s.`);
    }
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === FORBIDDEN_ADDRESS) return this.#outOfReach(url);
    return new SignInProblem(
      networkFailure({ origin: url.origin, secrets: [] }, error, false).message,
    );
  }

  #outOfReach(url: URL): SignInProblem {
    return new SignInProblem(
      `${url.origin} is not asked: the server ${this.#options.server.origin} may not send the bridge to an address inside of this network.`,
    );
  }
}

const TOO_LARGE = 'A document of the sign-in is too large.';

/** The OAuth client sends forms and JSON. */
function bodyOf({ body }: RequestInit): Buffer | null {
  if (body instanceof URLSearchParams) return Buffer.from(body.toString());
  return typeof body === 'string' ? Buffer.from(body) : null;
}
