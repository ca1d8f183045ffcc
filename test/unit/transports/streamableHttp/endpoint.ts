import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  answer,
  type Frame,
  type IdToken,
  type RequestFrame,
} from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import {
  listenStreamableHttp,
  type StreamableHttpServerOptions,
} from '../../../../src/transports/streamableHttp/streamableHttpServer.ts';
import type {
  Noise,
  ServerChannel,
  ServerChannelListener,
} from '../../../../src/transports/transport.ts';
import { INITIALIZE, plain } from './peers.ts';

export type Handler = (request: RequestFrame, channel: ServerChannel) => void;

/** One session of a scripted endpoint: records what arrives and answers requests by method. */
export class ScriptedSession implements ServerChannelListener {
  readonly channel: ServerChannel;
  readonly received: unknown[] = [];
  readonly abandoned: IdToken[] = [];
  readonly undeliverable: IdToken[] = [];
  readonly noise: Noise[] = [];
  closes = 0;
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(channel: ServerChannel, handlers: Readonly<Record<string, Handler>>) {
    this.channel = channel;
    this.#handlers = handlers;
  }

  onFrame(frame: Frame): void {
    this.received.push(plain(frame));
    if (frame.kind === 'request') this.#handlers[frame.method]?.(frame, this.channel);
  }
  onBatch(frames: readonly Frame[], reply: (frames: readonly Frame[]) => void): void {
    this.received.push(frames.map(plain));
    for (const frame of frames) {
      if (frame.kind === 'request') this.#handlers[frame.method]?.(frame, this.channel);
    }
    reply(frames.flatMap((frame) => (frame.kind === 'request' ? [answer(frame, toRaw({}))] : [])));
  }
  onAbandoned(id: IdToken): void {
    this.abandoned.push(id);
  }
  onNoise(noise: Noise): void {
    this.noise.push(noise);
  }
  onUndeliverable(id: IdToken): void {
    this.undeliverable.push(id);
  }
  onClose(): void {
    this.closes++;
  }
}

export const respond =
  (result: unknown): Handler =>
  (request, channel) =>
    channel.send(answer(request, toRaw(result)));

export const INITIALIZE_RESULT = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, logging: {} },
  serverInfo: { name: 'scripted', version: '1' },
};

/** Never answers, so that a test decides when. */
export const silent: Handler = () => undefined;

export interface Endpoint {
  readonly port: number;
  readonly url: string;
  readonly sessions: ScriptedSession[];
  readonly reports: string[];
  close(): Promise<void>;
}

/** A server of ours with one scripted endpoint at `/mcp`; it ends with the test. */
export async function startEndpoint(
  handlers: Readonly<Record<string, Handler>> = {},
  options: Partial<StreamableHttpServerOptions> = {},
): Promise<Endpoint> {
  const sessions: ScriptedSession[] = [];
  const reports: string[] = [];
  const all = { initialize: respond(INITIALIZE_RESULT), ping: respond({}), ...handlers };
  const listening = await listenStreamableHttp({
    endpoints: (path) =>
      path !== '/mcp'
        ? undefined
        : (channel) => {
            const session = new ScriptedSession(channel, all);
            sessions.push(session);
            return session;
          },
    report: (message) => reports.push(message),
    ...options,
  });
  if (listening.kind === 'failed') throw new Error(listening.message);
  const { port, transport } = listening;
  onTestFinished(() => transport.close());
  return {
    port,
    url: `${transport.address}/mcp`,
    sessions,
    reports,
    close: () => transport.close(),
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export const POST_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** One HTTP request, header by header as the test wants it. */
export function ask(port: number, { method = 'POST', path = '/mcp', headers, body }: Ask = {}) {
  return new Promise<Reply>((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, agent: false, headers: headers ?? {} },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Posts one message (or any value) as a client would. */
export function post(
  port: number,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const body = JSON.stringify(message);
  return ask(port, { headers: { ...POST_HEADERS, ...headers }, body });
}

/** Opens a session and returns the headers that its further requests need. */
export async function openSession(
  port: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const reply = await post(port, INITIALIZE, headers);
  return { 'mcp-session-id': String(reply.headers['mcp-session-id']) };
}

/** A response that is read while it comes. */
export interface LiveReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  text(): string;
  ended(): boolean;
  /** The client goes away. */
  destroy(): void;
}

/** Like `ask`, but resolves with the head. */
export function openStream(port: number, { method = 'GET', path = '/mcp', headers, body }: Ask) {
  return new Promise<LiveReply>((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, agent: false, headers: headers ?? {} },
      (response) => {
        let text = '';
        let ended = false;
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => (ended = true));
        response.on('error', () => (ended = true));
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: () => text,
          ended: () => ended,
          destroy: () => request.destroy(),
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

export const CALL = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'x' } };

export function errorOf(body: string): unknown {
  return (JSON.parse(body) as { error: unknown }).error;
}

/** A message as this server writes it into a stream. */
export function event(value: unknown): string {
  return `event: message\ndata: ${JSON.stringify(value)}\n\n`;
}

/** The text of a stream without its event ids, which are random. */
export function withoutIds(text: string): string {
  return text.replaceAll(/^id: .*\n/gm, '');
}

/** The bytes of a request, for a client that is rougher than Node's own. */
export function requestBytes(
  method: string,
  port: number,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const all = { ...headers, host: `localhost:${port}` };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
