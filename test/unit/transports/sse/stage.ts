import { onTestFinished } from 'vitest';
import { listenHttp } from '../../../../src/transports/http/httpListener.ts';
import { serveSse, type SseServerOptions } from '../../../../src/transports/sse/sseServer.ts';
import {
  ask,
  INITIALIZE_RESULT,
  openStream,
  respond,
  ScriptedSession,
  type Endpoint,
  type Handler,
  type LiveReply,
  type Reply,
} from '../streamableHttp/endpoint.ts';
import { until } from '../streamableHttp/peers.ts';

/** A server of ours with one scripted endpoint at `/sse`; it ends with the test. */
export async function startSse(
  handlers: Readonly<Record<string, Handler>> = {},
  options: Partial<SseServerOptions> & { readonly token?: string } = {},
): Promise<Endpoint> {
  const sessions: ScriptedSession[] = [];
  const reports: string[] = [];
  const all = { initialize: respond(INITIALIZE_RESULT), ping: respond({}), ...handlers };
  const service = serveSse({
    endpoints: (path) =>
      path !== '/sse'
        ? undefined
        : (channel) => {
            const session = new ScriptedSession(channel, all);
            sessions.push(session);
            return session;
          },
    report: (message) => reports.push(message),
    ...options,
  });
  const listening = await listenHttp({ services: [service], token: options.token });
  if (listening.kind === 'failed') throw new Error(listening.message);
  const { port, transport } = listening;
  onTestFinished(() => transport.close());
  const close = (): Promise<void> => transport.close();
  return { port, url: `${transport.address}/sse`, sessions, reports, close };
}

/** A client that has opened its event stream. */
export interface OpenSession {
  readonly stream: LiveReply;
  /** Where its messages go, as the server has told. */
  readonly path: string;
  /** Sends a message, or any text. */
  send(message: unknown): Promise<Reply>;
  /** The messages on the stream so far. */
  messages(): unknown[];
}

export async function openSse(port: number): Promise<OpenSession> {
  const stream = await openStream(port, { path: '/sse' });
  await until(() => stream.text().includes('\n\n'));
  const path = /^event: endpoint\ndata: (.*)\n\n/.exec(stream.text())?.[1] ?? '';
  return {
    stream,
    path,
    send: (message) =>
      ask(port, {
        path,
        headers: { 'content-type': 'application/json' },
        body: typeof message === 'string' ? message : JSON.stringify(message),
      }),
    messages: () =>
      [...stream.text().matchAll(/^event: message\ndata: (.*)$/gm)].map(
        ([, data = '']) => JSON.parse(data) as unknown,
      ),
  };
}
