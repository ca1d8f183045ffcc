import { randomBytes } from 'node:crypto';
import type { ModernService } from '../../transports/streamableHttp/modernEndpoint.ts';
import type { Listening } from '../../transports/http/httpListener.ts';
import type { AcceptChannel } from '../../transports/transport.ts';

/** Where the editor reaches the bridge, and what lets it in. */
export interface Address {
  readonly url: string;
  /** Stays in memory: whoever holds it can call every server. */
  readonly token: string;
}

/** Who serves a path, for the clients of either era. */
export interface Endpoints {
  readonly endpoint: (path: string) => AcceptChannel | undefined;
  readonly modernEndpoint: (path: string) => ModernService | undefined;
}

/** The one listener of this window, on the loopback interface; started when the editor first needs it. */
export class Listener {
  readonly #endpoints: Endpoints;
  readonly #report: (message: string) => void;
  readonly #token = randomBytes(32).toString('base64url');
  #listening: Promise<Listening> | undefined;

  /** `report` is told what went wrong without being anybody's answer. */
  constructor(endpoints: Endpoints, report: (message: string) => void) {
    this.#endpoints = endpoints;
    this.#report = report;
  }

  /** Throws in words for the user where nothing can listen. */
  async address(): Promise<Address> {
    this.#listening ??= this.#listen();
    const listening = await this.#listening;
    if (listening.kind === 'failed') {
      this.#listening = undefined;
      throw new Error(listening.message);
    }
    return { url: listening.transport.address, token: this.#token };
  }

  async close(): Promise<void> {
    const listening = await this.#listening;
    if (listening?.kind === 'listening') await listening.transport.close();
  }

  async #listen(): Promise<Listening> {
    const [{ listenStreamableHttp }, { serveModern }] = await Promise.all([
      import('../../transports/streamableHttp/streamableHttpServer.ts'),
      import('../../transports/streamableHttp/modernEndpoint.ts'),
    ]);
    const { endpoint, modernEndpoint } = this.#endpoints;
    const report = this.#report;
    return listenStreamableHttp({
      endpoints: endpoint,
      acceptModern: serveModern({ service: modernEndpoint, report }),
      token: this.#token,
      report,
    });
  }
}
