import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { RequestController, RequestHandler, RequestOptions, Requests } from './requests.ts';

/** Makes requests by Node's own client, as whatever has patched it wants them made. */
export class NodeRequests implements Requests {
  readonly #lookup: LookupFunction | undefined;
  readonly #open = new Set<ClientRequest>();

  /** `lookup` takes the place of the system's own look-up of names. */
  constructor(lookup?: LookupFunction) {
    this.#lookup = lookup;
  }

  dispatch({ origin, path, method, headers, body }: RequestOptions, handler: RequestHandler): void {
    // Read anew each time: an editor patches the modules when it is ready, and again.
    const { request: open } = origin.startsWith('https:') ? https : http;
    const request = open(`${origin}${path}`, {
      method,
      headers,
      ...(this.#lookup && { lookup: this.#lookup }),
    });
    const controller: RequestController = { abort: (reason) => void request.destroy(reason) };
    let isAnswered = false;
    let isOver = false;
    const fail = (error: Error): void => {
      if (isOver) return;
      isOver = true;
      handler.onResponseError(controller, error);
    };
    this.#open.add(request);
    request.once('close', () => {
      this.#open.delete(request);
      // Not each end before an answer is an error to Node: an answer that changes the protocol is none.
      if (!isAnswered) fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    });
    request.on('error', fail);
    request.once('response', (response: IncomingMessage) => {
      isAnswered = true;
      response.on('error', fail);
      response.on('data', (chunk: Buffer) => handler.onResponseData(controller, chunk));
      response.once('end', () => {
        if (isOver) return;
        isOver = true;
        handler.onResponseEnd();
      });
      handler.onResponseStart(controller, response.statusCode ?? 0, response.headersDistinct);
    });
    process.nextTick(() => handler.onRequestStart(controller));
    request.end(body ?? undefined);
  }

  async destroy(): Promise<void> {
    for (const request of this.#open) request.destroy();
    await Promise.resolve();
  }
}
