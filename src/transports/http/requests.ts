/** One request as it is put to a client of HTTP. */
export interface RequestOptions {
  readonly origin: string;
  readonly path: string;
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
}

/** The headers of a response, of which each may stand more than once. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Ends a request. */
export interface RequestController {
  abort(reason: Error): void;
}

/** What is told of a request: its start, then a head, data and an end, or an error at any point. */
export interface RequestHandler {
  onRequestStart(controller: RequestController): void;
  /** Also called for statuses below 200, which are no answer. */
  onResponseStart(controller: RequestController, status: number, headers: ReceivedHeaders): void;
  onResponseData(controller: RequestController, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: RequestController, error: Error): void;
}

/** What makes requests: a dispatcher of undici, or Node's own client. */
export interface Requests {
  /** Never calls the handler before it returned; throws where the request cannot be made of its options. */
  dispatch(options: RequestOptions, handler: RequestHandler): unknown;
  /** Ends every request, and closes every connection. */
  destroy(): Promise<void>;
}

/**
 * Whose way requests to other machines take: that of the environment, or that of the editor, which puts its proxies, its
 * sign-in to them and its certificates into Node's own client.
 */
export type Network = 'environment' | 'editor';
