import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  request,
  type Frame,
  type IdToken,
  type RequestFrame,
} from '../../../../src/protocol/frame.ts';
import { messageBytes } from '../../../../src/protocol/jsonRpc.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import {
  StreamableHttpClient,
  type StreamableHttpClientOptions,
} from '../../../../src/transports/streamableHttp/streamableHttpClient.ts';
import type {
  ClientTransportListener,
  Noise,
  SessionDoubt,
  TransportFailure,
} from '../../../../src/transports/transport.ts';
import { plain } from './peers.ts';

/** What a client of ours was told, in order. */
export class RecordingListener implements ClientTransportListener {
  readonly frames: { frame: unknown; stream: IdToken | undefined; status?: number }[] = [];
  readonly failures: { id: IdToken; failure: TransportFailure }[] = [];
  readonly doubts: SessionDoubt[] = [];
  readonly noise: Noise[] = [];
  readonly closes: TransportFailure[] = [];
  readonly rawLengths: number[] = [];

  onFrame(frame: Frame, stream: IdToken | undefined, status?: number): void {
    this.rawLengths.push(messageBytes(frame).length);
    this.frames.push({
      frame: plain(frame),
      stream,
      ...(status !== undefined && { status }),
    });
  }
  onRequestFailed(id: IdToken, failure: TransportFailure): void {
    this.failures.push({ id, failure });
  }
  onSessionDoubt(doubt: SessionDoubt): void {
    this.doubts.push(doubt);
  }
  onNoise(noise: Noise): void {
    this.noise.push(noise);
  }
  onOversized(): void {
    throw new Error('not over HTTP');
  }
  onClose(failure: TransportFailure): void {
    this.closes.push(failure);
  }
}

export type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface Upstream {
  readonly url: URL;
  readonly requests: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
}

/** A bare HTTP server that records what it gets and answers as the test says; it ends with the test. */
export async function startUpstream(handle: Handle): Promise<Upstream> {
  const requests: Upstream['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { method = '', url = '', headers } = request;
      requests.push({ method, path: url, headers, body });
      handle(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), requests, close };
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export interface Pair {
  readonly client: StreamableHttpClient;
  readonly listener: RecordingListener;
  readonly upstream: Upstream;
  readonly reports: string[];
}

/** A client of ours at an address; it is closed with the test. */
export function connect(
  options: StreamableHttpClientOptions,
): Pick<Pair, 'client' | 'listener' | 'reports'> {
  const reports: string[] = [];
  const client = new StreamableHttpClient({
    report: (message) => void reports.push(message),
    ...options,
  });
  const listener = new RecordingListener();
  client.start(listener);
  onTestFinished(() => client.close());
  return { client, listener, reports };
}

/** A client of ours and the bare server that it talks to. */
export async function start(
  handle: Handle,
  options: Partial<StreamableHttpClientOptions> = {},
): Promise<Pair> {
  const upstream = await startUpstream(handle);
  return { upstream, ...connect({ url: upstream.url, ...options }) };
}

export function call(id = '1'): RequestFrame {
  return request(id, 'tools/call', toRaw({ name: 'x' }));
}

export function result(id: unknown = 1): object {
  return { jsonrpc: '2.0', id, result: { ok: true } };
}

/** A message as an event, with more fields before it. */
export function sseEvent(value: unknown, more = ''): string {
  return `${more}data: ${JSON.stringify(value)}\n\n`;
}

export const SSE = { 'content-type': 'text/event-stream' };
