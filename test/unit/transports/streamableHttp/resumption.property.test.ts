import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answer, notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import type { ServerChannel } from '../../../../src/transports/transport.ts';
import {
  CALL,
  openSession,
  openStream,
  POST_HEADERS,
  silent,
  startEndpoint,
  type Ask,
  type Endpoint,
  type LiveReply,
} from './endpoint.ts';
import { eventsOf, messagesOf, NEWEST } from './streams.ts';
import { until } from './peers.ts';

// A client whose connections break whenever they like, and who comes back with the last id that it has read: it reads
// each message of each stream once, and in order.

const END = '"end"';

/** A stream as its client has it. */
class Reader {
  readonly read: unknown[] = [];
  readonly said: unknown[] = [];
  readonly channel: ServerChannel;
  /** Undefined for the standing stream. */
  readonly id: string | undefined;
  readonly #open: (ask: Ask) => Promise<LiveReply>;
  #reply: LiveReply | undefined;
  #lastId = '';
  #answered = false;

  constructor(
    channel: ServerChannel,
    id: string | undefined,
    open: (ask: Ask) => Promise<LiveReply>,
  ) {
    this.channel = channel;
    this.id = id;
    this.#open = open;
  }

  async call(): Promise<void> {
    const body = JSON.stringify({ ...CALL, id: Number(this.id) });
    this.#reply = await this.#open(this.id === undefined ? {} : { method: 'POST', body });
    await until(() => eventsOf(this.#reply?.text() ?? '').length > 0);
  }

  say(): void {
    if (this.#answered) return;
    const params = { of: this.id ?? 'none', n: this.said.length };
    this.said.push(params);
    this.channel.send(notify('notifications/message', toRaw(params)), this.id);
  }

  answer(): void {
    if (this.#answered || this.id === undefined) return;
    this.#answered = true;
    this.said.push({ answer: Number(this.id) });
    this.channel.send(answer(request(this.id, ''), toRaw({})));
  }

  /** Reads what has come, and nothing more on this connection. */
  leave(): void {
    const reply = this.#reply;
    this.#reply = undefined;
    if (reply === undefined) return;
    this.read.push(...messagesOf(reply));
    this.#lastId = eventsOf(reply.text()).at(-1)?.id ?? this.#lastId;
  }

  breakOff(): void {
    this.#reply?.destroy();
    this.leave();
  }

  /** Comes back, though the connection before may still be there; false where nothing more is to come. */
  async resume(): Promise<boolean> {
    this.leave();
    const reply = await this.#open({ headers: { 'last-event-id': this.#lastId } });
    if (reply.status !== 200) {
      expect(reply.status).toBe(405);
      return false;
    }
    this.#reply = reply;
    return true;
  }

  async finish(): Promise<void> {
    if (this.id === undefined) {
      await this.resume();
      this.channel.send(notify('end', Buffer.from(END)));
      await until(() => this.#reply?.text().includes(END) === true);
      this.leave();
      this.said.push('end');
      return;
    }
    this.answer();
    while (await this.resume()) await until(() => this.#reply?.ended() !== false);
  }
}

async function openReaders({ port, sessions }: Endpoint): Promise<Reader[]> {
  const session = await openSession(port);
  const fixed = { ...POST_HEADERS, ...NEWEST, ...session };
  const open = (ask: Ask): Promise<LiveReply> =>
    openStream(port, {
      ...ask,
      headers: { ...fixed, accept: 'text/event-stream, application/json', ...ask.headers },
    });
  const channel = sessions.at(-1)?.channel;
  if (channel === undefined) throw new Error('no session was opened');
  const readers = ['5', '6', undefined].map((id) => new Reader(channel, id, open));
  for (const reader of readers) await reader.call();
  return readers;
}

const step = fc.record({
  reader: fc.nat(2),
  what: fc.constantFrom('say', 'say', 'say', 'answer', 'breakOff', 'resume', 'resume', 'turn'),
});

test('wherever connections break, a client that comes back reads each message once, and in order', async () => {
  const endpoint = await startEndpoint({ 'tools/call': silent }, { settleMs: 3 });
  const steps = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const readers = await openReaders(endpoint);
      for (const { reader, what } of taken) {
        const one = readers[reader];
        if (what === 'turn') await new Promise((resolve) => setImmediate(resolve));
        else if (what === 'resume') await one?.resume();
        else if (what !== undefined) one?.[what]();
      }
      for (const one of readers) {
        await one.finish();
        expect(one.read).toEqual(one.said);
      }
    }),
    { numRuns: 60, endOnFailure: true },
  );
  expect(endpoint.reports).toEqual([]);
});
