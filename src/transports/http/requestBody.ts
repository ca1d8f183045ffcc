import type { IncomingMessage } from 'node:http';
import { Pieces } from '../pieces.ts';

/** How reading a request's body ended; `aborted`: the client went away in the middle of it. */
export type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'aborted' };

/** Reads a body up to a limit. What comes beyond it is read and dropped, so that the client sees its answer. */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  return new Promise((resolve) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    const pieces = new Pieces();
    let open = true;
    const finish = (body: Body): void => {
      open = false;
      pieces.clear();
      resolve(body);
    };
    request.on('data', (chunk: Buffer) => {
      if (!open) return;
      pieces.append(chunk);
      if (pieces.length > limit) finish({ kind: 'too-large' });
    });
    request.on('end', () => {
      if (open) finish({ kind: 'whole', bytes: Buffer.concat(pieces.parts()) });
    });
    request.on('close', () => {
      if (open) finish({ kind: 'aborted' });
    });
    request.on('error', () => {
      if (open) finish({ kind: 'aborted' });
    });
    if (declared > limit) finish({ kind: 'too-large' });
  });
}
