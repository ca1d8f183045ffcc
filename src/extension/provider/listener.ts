import { randomBytes } from 'node:crypto';
import type { Listening } from '../../transports/http/httpListener.ts';
import type { AcceptChannel } from '../../transports/transport.ts';

/** Where the editor reaches the bridge, and what lets it in. */
export interface Address {
  readonly url: string;
  /** Stays in memory: whoever holds it can call every server. */
  readonly token: string;
}

/** The one listener of this window, on the loopback interface; started when the editor first needs it. */
export class Listener {
  readonly #endpoints: (path: string) => AcceptChannel | undefined;
  readonly #token = randomBytes(32).toString('base64url');
  #listening: Promise<Listening> | undefined;

  constructor(endpoints: (path: string) => AcceptChannel | undefined) {
    this.#endpoints = endpoints;
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
    const { listenStreamableHttp } =
      await import('../../transports/streamableHttp/streamableHttpServer.ts');
    return listenStreamableHttp({ endpoints: this.#endpoints, token: this.#token });
  }
}
