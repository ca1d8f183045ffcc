import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer, notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { KeptRoom } from '../../../../src/transports/streamableHttp/keptRoom.ts';
import type { ServerChannel } from '../../../../src/transports/transport.ts';
import {
  ask,
  CALL,
  openSession,
  openStream,
  post,
  POST_HEADERS,
  silent,
  startEndpoint,
  type LiveReply,
} from './endpoint.ts';
import { breakOff, eventsOf, lastIdOf, messagesOf, NEWEST, resume } from './streams.ts';
import { until } from './peers.ts';

const LIMIT = 10_000;
const note = (n: number, size = 0) =>
  notify('notifications/message', toRaw({ n, text: 'x'.repeat(size) }));
const numbers = (reply: LiveReply): unknown[] =>
  messagesOf(reply).map((params) => (params as { n?: unknown }).n ?? params);

/** An endpoint of little room, whose sessions each have one call under way that is a stream already. */
async function start(sessions: number) {
  const room = new KeptRoom(LIMIT);
  const endpoint = await startEndpoint({ 'tools/call': silent }, { room, patienceMs: 1 });
  const open = async () => {
    const headers = { ...POST_HEADERS, ...NEWEST, ...(await openSession(endpoint.port)) };
    const body = JSON.stringify(CALL);
    const reply = await openStream(endpoint.port, { method: 'POST', headers, body });
    await until(() => eventsOf(reply.text()).length > 0);
    const channel = endpoint.sessions.at(-1)?.channel;
    if (channel === undefined) throw new Error('no session was opened');
    return { ...endpoint, headers, reply, channel, first: lastIdOf(reply) };
  };
  const opened: Awaited<ReturnType<typeof open>>[] = [];
  for (let n = 0; n < sessions; n++) opened.push(await open());
  return { room, endpoint, opened };
}

const done = answer(request('5', ''), toRaw({}));

describe('what all the sessions keep together', () => {
  test('has a limit; what was left first gives way, and its client gets what one that is late gets', async () => {
    const { room, endpoint, opened } = await start(3);
    for (const one of opened) {
      await breakOff(one.reply, one);
      one.channel.send(note(1, 4000), '5');
      one.channel.send(done);
    }
    expect(room.bytes).toBeLessThanOrEqual(LIMIT);
    const answers = [];
    for (const one of opened) answers.push(await resume(one, one.first));
    expect(answers.map(({ status }) => status)).toEqual([405, 200, 200]);
    for (const reply of answers.slice(1)) {
      await until(() => reply.ended());
      expect(numbers(reply)).toEqual([1, { answer: 5 }]);
    }
    expect(endpoint.reports).toEqual([
      expect.stringMatching(/Nobody is there to read notifications\/message/),
      expect.stringMatching(/Nobody is there to read the response to 5/),
      expect.stringMatching(/for an answer that is kept no more/),
    ]);
  });

  test('leaves a request under way its stream, and a question its end', async () => {
    const { endpoint, opened } = await start(2);
    const [one, two] = opened;
    if (one === undefined || two === undefined) return;
    await breakOff(one.reply, one);
    one.channel.send(request('7', 'elicitation/create', toRaw({})), '5');
    await breakOff(two.reply, two);
    two.channel.send(note(1, LIMIT), '5');
    expect(endpoint.sessions[0]?.undeliverable).toEqual(['7']);
    one.channel.send(done);
    const reply = await resume(one, one.first);
    await until(() => reply.ended());
    expect(numbers(reply)).toEqual([{ answer: 5 }]);
  });

  test('takes nothing from who reads', async () => {
    const { room, opened } = await start(3);
    const [reads, ...others] = opened;
    if (reads === undefined) return;
    for (let n = 0; n < 5; n++) reads.channel.send(note(n, LIMIT), '5');
    for (const one of others) {
      await breakOff(one.reply, one);
      one.channel.send(note(1, 100), '5');
    }
    const again = await resume(reads, reads.first);
    await until(() => messagesOf(again).length === 5);
    expect(numbers(again)).toEqual([0, 1, 2, 3, 4]);
    for (const { port, headers } of opened) await ask(port, { method: 'DELETE', headers });
    expect(room.bytes).toBe(0);
  });

  test('whoever leaves, comes back and ends: nobody who stays misses anything, and nothing is kept in the end', async () => {
    const step = fc.record({
      who: fc.nat(3),
      what: fc.constantFrom('say', 'say', 'say', 'leave', 'resume', 'answer'),
    });
    const steps = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const { room, opened } = await start(4);
        const readers = opened.map((one) => new Reader(one));
        for (const { who, what } of taken) await readers[who]?.[what]();
        const left = readers.filter((reader) => reader.isAway);
        if (left.length === readers.length) {
          expect(room.bytes).toBeLessThanOrEqual(Math.max(LIMIT, ...left.map(({ size }) => size)));
        }
        for (const reader of readers) await reader.finish();
        for (const { port, headers } of opened) await ask(port, { method: 'DELETE', headers });
        expect(room.bytes).toBe(0);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});

type Opened = Awaited<ReturnType<typeof start>>['opened'][number];

/** The client of one call. */
class Reader {
  readonly #one: Opened & { readonly channel: ServerChannel };
  readonly #said: unknown[] = [];
  readonly #read: unknown[] = [];
  #reply: LiveReply | undefined;
  #lastId: string;
  #everLeft = false;
  #answered = false;
  /** What was said to it, in bytes at most. */
  size = 0;

  constructor(one: Opened) {
    this.#one = one;
    this.#reply = one.reply;
    this.#lastId = one.first;
  }

  get isAway(): boolean {
    return this.#reply === undefined;
  }

  say(): void {
    if (this.#answered) return;
    this.#one.channel.send(note(this.#said.length, 3000), '5');
    this.#said.push(this.#said.length);
    this.size += 3200;
  }

  answer(): void {
    if (this.#answered) return;
    this.#answered = true;
    this.#one.channel.send(done);
    this.#said.push({ answer: 5 });
    this.size += 200;
  }

  async leave(): Promise<void> {
    const reply = this.#reply;
    if (reply === undefined) return;
    this.#everLeft = true;
    await breakOff(reply, this.#one);
    this.#take(reply);
  }

  async resume(): Promise<void> {
    if (this.#reply !== undefined) return;
    const reply = await resume(this.#one, this.#lastId);
    if (reply.status === 200) this.#reply = reply;
    else expect(reply.status).toBe(405);
  }

  async finish(): Promise<void> {
    this.answer();
    await this.resume();
    const reply = this.#reply;
    if (reply !== undefined) {
      await until(() => reply.ended());
      this.#take(reply);
    }
    if (!this.#everLeft) expect(this.#read).toEqual(this.#said);
    // Each at most once, and in order.
    const places = this.#read.map((each) =>
      this.#said.findIndex((said) => JSON.stringify(said) === JSON.stringify(each)),
    );
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  }

  #take(reply: LiveReply): void {
    this.#reply = undefined;
    this.#read.push(...numbers(reply));
    this.#lastId = lastIdOf(reply) || this.#lastId;
  }
}

describe('sessions whose clients are away', () => {
  const away = async (awayLimit: number, sessions: number) => {
    const endpoint = await startEndpoint({ 'tools/call': silent }, { awayLimit });
    const opened: Record<string, string>[] = [];
    for (let n = 0; n < sessions; n++) opened.push(await openSession(endpoint.port));
    const isThere = async (n: number): Promise<boolean> => {
      const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
      return (await post(endpoint.port, body, opened[n])).status === 200;
    };
    return { ...endpoint, opened, isThere };
  };

  test('are no more than there may be; the one that was left first ends', async () => {
    const { port, sessions, opened, isThere, reports } = await away(3, 3);
    expect(await isThere(0)).toBe(true);
    for (let n = 3; n < 5; n++) opened.push(await openSession(port));
    expect(sessions.map(({ closes }) => closes)).toEqual([0, 1, 0, 0, 0]);
    expect(await isThere(1)).toBe(false);
    expect(reports).toEqual([expect.stringMatching(/more than 3 sessions are away/)]);
  });

  test('do not count while they are heard, and go before those with work under way', async () => {
    const endpoint = await away(1, 2);
    const { port, sessions, opened } = endpoint;
    const [first, second] = opened.map((one) => ({ ...POST_HEADERS, ...NEWEST, ...one }));
    await openStream(port, { headers: first ?? {} });
    const call = await openStream(port, {
      method: 'POST',
      headers: { ...second, accept: 'text/event-stream, application/json' },
      body: JSON.stringify(CALL),
    });
    await until(() => call.text() !== '');
    await breakOff(call, { ...endpoint, headers: first ?? {} });
    for (let n = 0; n < 3; n++) opened.push(await openSession(port));
    expect(sessions.map(({ closes }) => closes)).toEqual([0, 0, 1, 1, 0]);
  });
});
