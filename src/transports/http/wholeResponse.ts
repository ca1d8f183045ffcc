import { Pieces } from '../pieces.ts';
import type { ReceivedHeaders, RequestController, RequestOptions, Requests } from './requests.ts';

export interface WholeResponse {
  readonly status: number;
  readonly headers: ReceivedHeaders;
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * Makes one request and reads all of its response. Rejects with what went wrong, with the reason of `signal` once that is
 * aborted, and with `tooLarge` for a body of more than `maxBytes`.
 */
export function wholeResponse(
  requests: Requests,
  options: RequestOptions,
  { signal, maxBytes, tooLarge }: { signal: AbortSignal; maxBytes: number; tooLarge: Error },
): Promise<WholeResponse> {
  return new Promise((resolve, reject) => {
    const pieces = new Pieces();
    let head: Omit<WholeResponse, 'body'> | undefined;
    let controller: RequestController | undefined;
    const end = (error: Error): void => {
      reject(error);
      controller?.abort(error);
    };
    const onAbort = (): void => end(reasonOf(signal));
    signal.addEventListener('abort', onAbort);
    const leave = (): void => signal.removeEventListener('abort', onAbort);
    requests.dispatch(options, {
      onRequestStart: (started) => {
        controller = started;
        if (signal.aborted) end(reasonOf(signal));
      },
      onResponseStart: (_controller, status, headers) => {
        if (status >= 200) head = { status, headers };
      },
      onResponseData: (_controller, chunk) => {
        pieces.append(chunk);
        if (pieces.length > maxBytes) end(tooLarge);
      },
      onResponseEnd: () => {
        leave();
        if (head === undefined) reject(new Error('no response'));
        else resolve({ ...head, body: Buffer.concat(pieces.parts()) });
      },
      onResponseError: (_controller, error) => {
        leave();
        reject(error);
      },
    });
  });
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('aborted');
}
