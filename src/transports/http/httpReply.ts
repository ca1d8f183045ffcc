import type { ServerResponse } from 'node:http';
import { makeError, type ErrorFrame, type Frame, type IdToken } from '../../protocol/frame.ts';
import { writeMessage } from '../../protocol/jsonRpc.ts';

const SMALL = 64 * 1024;

/** A reply to a POST that is decided without asking anybody: an HTTP status and a JSON-RPC error that says why. */
export interface ErrorReply {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly id?: IdToken | undefined;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes a body of JSON with its length, so that it is never a chunked one. */
export function sendJson(
  response: ServerResponse,
  status: number,
  chunks: readonly Buffer[],
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': length,
    ...headers,
  });
  if (length < SMALL) {
    response.end(Buffer.concat(chunks, length));
    return;
  }
  for (const chunk of chunks) response.write(chunk);
  response.end();
}

export function sendError(response: ServerResponse, reply: ErrorReply): void {
  const frame: ErrorFrame = {
    kind: 'response',
    id: reply.id,
    error: makeError(reply.code, reply.message, reply.data),
  };
  sendJson(response, reply.status, writeMessage(frame), reply.headers);
}

export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Length': 0 }).end();
}

/** Several messages as one JSON array. */
export function batchBytes(frames: readonly Frame[]): Buffer[] {
  const chunks: Buffer[] = [];
  frames.forEach((frame, index) => {
    chunks.push(Buffer.from(index === 0 ? '[' : ','), ...writeMessage(frame));
  });
  return [...chunks, Buffer.from(frames.length === 0 ? '[]' : ']')];
}
