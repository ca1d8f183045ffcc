import {
  CALL,
  openSession,
  openStream,
  post,
  POST_HEADERS,
  silent,
  startEndpoint,
  type Endpoint,
  type LiveReply,
} from './endpoint.ts';
import { until } from './peers.ts';

export const NEWEST = { 'mcp-protocol-version': '2025-11-25' };

export interface Event {
  readonly id: string | undefined;
  readonly data: unknown;
}

/** The events of a stream so far; of an empty one the data are undefined. */
export function eventsOf(text: string): Event[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
  return whole
    .split('\n\n')
    .filter((event) => event !== '' && !event.startsWith(':'))
    .map((event) => {
      const data = /^data: (.*)$/m.exec(event)?.[1] ?? '';
      const id = /^id: (.*)$/m.exec(event)?.[1];
      return { id, data: data === '' ? undefined : (JSON.parse(data) as unknown) };
    });
}

/** The messages of a stream so far, as far as they tell one from another. */
export function messagesOf(reply: { text(): string }): unknown[] {
  return eventsOf(reply.text()).flatMap(({ data }) => {
    const { params, id, method } = (data ?? {}) as Record<string, unknown>;
    if (data === undefined) return [];
    return [method === undefined ? { answer: id } : (params ?? method)];
  });
}

export function lastIdOf(reply: { text(): string }): string {
  return eventsOf(reply.text()).at(-1)?.id ?? '';
}
/** An endpoint with one session of a client of the newest legacy revision. */
export async function start(options: Parameters<typeof startEndpoint>[1] = {}) {
  const endpoint = await startEndpoint({ 'tools/call': silent }, { patienceMs: 5, ...options });
  const headers = { ...POST_HEADERS, ...NEWEST, ...(await openSession(endpoint.port)) };
  return { ...endpoint, headers };
}

export type Started = Endpoint & { readonly headers: Readonly<Record<string, string>> };

/** Calls, and resolves once the answer has begun to come as a stream. */
export async function call({ port, headers }: Started): Promise<LiveReply> {
  const reply = await openStream(port, { method: 'POST', headers, body: JSON.stringify(CALL) });
  await until(() => reply.text() !== '');
  return reply;
}

/** Breaks a connection off, and resolves once the server has noticed. */
export async function breakOff(reply: LiveReply, { port, headers }: Started): Promise<void> {
  reply.destroy();
  await until(() => reply.ended());
  // Whatever is sent later on another connection is read later.
  for (let turn = 0; turn < 3; turn++) await post(port, { jsonrpc: '2.0', method: 'x' }, headers);
}

export function resume({ port, headers }: Started, lastEventId: string): Promise<LiveReply> {
  return openStream(port, { headers: { ...headers, 'last-event-id': lastEventId } });
}
