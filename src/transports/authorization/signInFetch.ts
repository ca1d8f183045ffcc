import type { Dispatcher } from 'undici';
import { openDispatcher } from '../http/dispatcher.ts';
import { networkFailure } from '../http/httpFailure.ts';
import { FORBIDDEN_ADDRESS, Reachable } from './reach.ts';
import { isSignInProblem, SignInProblem } from './signInProblem.ts';

/** How long one request of a sign-in may take. */
const REQUEST_MS = 30_000;
/** The largest document that is read. */
const MAX_BYTES = 1024 * 1024;

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The requests of a sign-in: to addresses that a server has named, and that no stranger may choose freely. Only `https:`
 * (2026-07-28, Security Considerations, Communication Security), but for this machine and for the server itself; only
 * where the server may send the bridge; never with the configured headers of the server. Redirects are the caller's.
 */
export class SignInFetch {
  readonly #server: URL;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;
  readonly #reachable: Reachable;
  readonly #dispatchers = new Map<string, Promise<Dispatcher>>();

  constructor(server: URL, environment: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.#server = server;
    this.#environment = environment;
    this.#signal = signal;
    this.#reachable = new Reachable(server);
  }

  /** Rejects with a `SignInProblem` and nothing else. */
  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    await this.#check(url);
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_MS)]);
    try {
      const dispatcher = await this.#dispatcher(url);
      const { body } = init;
      const { statusCode, headers, ...answer } = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        // The OAuth client sends forms and JSON.
        body:
          body instanceof URLSearchParams
            ? body.toString()
            : typeof body === 'string'
              ? body
              : null,
        signal,
      });
      const bytes = await read(answer.body);
      const received = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, [value].flat().join(', ')]],
      );
      // Of the class that the OAuth client knows, which is not that of the HTTP client.
      return new Response(NO_BODY.has(statusCode) ? null : bytes, {
        status: statusCode,
        headers: received,
      });
    } catch (error) {
      throw this.#problem(url, error);
    }
  };

  async close(): Promise<void> {
    await Promise.all([...this.#dispatchers.values()].map(async (each) => (await each).destroy()));
  }

  async #check(url: URL): Promise<void> {
    const isPlain = url.protocol === 'http:';
    const isAllowedPlain = LOOPBACK.has(url.hostname) || url.origin === this.#server.origin;
    if (url.protocol !== 'https:' && !(isPlain && isAllowedPlain)) {
      throw new SignInProblem(`${url.origin} is not asked: a sign-in needs https.`);
    }
    if (url.username !== '' || url.password !== '') {
      throw new SignInProblem(`${url.origin} is not asked: its address holds credentials.`);
    }
    if (!(await this.#reachable.allows(url))) throw this.#outOfReach(url);
  }

  #dispatcher(url: URL): Promise<Dispatcher> {
    const known = this.#dispatchers.get(url.origin);
    const dispatcher = known ?? openDispatcher({ url }, this.#environment, this.#reachable.lookup);
    this.#dispatchers.set(url.origin, dispatcher);
    return dispatcher;
  }

  #problem(url: URL, error: unknown): SignInProblem {
    if (isSignInProblem(error)) return error;
    if (this.#signal.aborted) return new SignInProblem('The sign-in was given up.');
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
      `${url.origin} is not asked: the server ${this.#server.origin} may not send the bridge to an address inside of this network.`,
    );
  }
}

async function read(body: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new SignInProblem('A document of the sign-in is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
