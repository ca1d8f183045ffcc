import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redirected, RedirectListener, WantedRedirect } from './signIn.ts';
import { SignInProblem } from './signInProblem.ts';

const HOST = '127.0.0.1';
const PATH = '/callback';
/** A browser that has its page soon goes; one that has not must not keep the program. */
const CLOSE_MS = 1000;

/**
 * Listens on this machine alone for the redirect of a sign-in (RFC 8252, section 7.3): on the wanted port where that is
 * free, else on any, unless it is fixed. Rejects where no port can be had, with a `SignInProblem` where that is a fixed one.
 */
export async function listenForRedirect({
  address,
  isFixed = false,
}: WantedRedirect = {}): Promise<RedirectListener> {
  const listener = new LoopbackRedirect();
  const port = portOf(address);
  try {
    await listener.listen(port);
  } catch (error) {
    if (isFixed) throw new SignInProblem(takenMessage(port, error));
    await listener.listen(0);
  }
  return listener;
}

function takenMessage(port: number, error: unknown): string {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const why = isTaken
    ? 'another program listens there. End that one'
    : 'this user may not listen there. Allow it';
  return `The browser is to come back to port ${port} ("oauth.callbackPort"), and ${why}, or set another port that is registered.`;
}

function portOf(wanted: string | undefined): number {
  if (wanted === undefined || !URL.canParse(wanted)) return 0;
  const { hostname, port } = new URL(wanted);
  // The other name is the one that forwarded ports go by.
  return hostname === HOST || hostname === 'localhost' ? Number(port) : 0;
}

class LoopbackRedirect implements RedirectListener {
  readonly #server: Server = createServer((request, response) => this.#serve(request, response));
  #state: string | undefined;
  #take: ((redirected: Redirected | undefined) => void) | undefined;

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${HOST}:${port}${PATH}`;
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, HOST, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  next(state: string, signal: AbortSignal): Promise<Redirected | undefined> {
    return new Promise((resolve) => {
      const giveUp = (): void => this.#take?.(undefined);
      this.#state = state;
      this.#take = (redirected) => {
        this.#take = undefined;
        signal.removeEventListener('abort', giveUp);
        resolve(redirected);
      };
      signal.addEventListener('abort', giveUp);
      if (signal.aborted) giveUp();
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#take?.(undefined);
      const timer = setTimeout(() => this.#server.closeAllConnections(), CLOSE_MS);
      this.#server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      this.#server.closeIdleConnections();
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    // Not read as an address: whoever is on this machine can ask for what is none.
    const [, path, query] = /^([^?]*)\??(.*)$/s.exec(request.url ?? '') ?? [];
    if (request.method !== 'GET' || path !== PATH) {
      answer(response, 404, 'There is nothing here.');
      return;
    }
    // Whoever does not know the state was not sent by the page that was opened (RFC 6749, section 10.12).
    const parameters = new URLSearchParams(query);
    if (this.#take === undefined || parameters.get('state') !== this.#state) {
      answer(response, 400, 'This sign-in is over, or was never asked for.');
      return;
    }
    this.#take({
      parameters,
      tell: (outcome) => answer(response, 200, outcome),
    });
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`MCP Rosetta: ${text}\n`);
}
