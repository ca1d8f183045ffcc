import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { RenewingTransport } from '../../../src/bridge/renewingTransport.ts';
import {
  answer,
  notify,
  request,
  type Frame,
  type IdToken,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../../../src/protocol/frame.ts';
import { getMember, toRaw } from '../../../src/protocol/rawJson.ts';
import type {
  ClientTransport,
  ClientTransportListener,
  TransportFailure,
} from '../../../src/transports/transport.ts';

// A server that forgets sessions whenever it likes, on wires that keep to the contract of a transport and no more: what
// the owner sees must hold whatever the order of losses, answers, questions, cancellations and the end, and whether a
// request, a notification, an answer or the standing stream meets the loss.

/** One session of the server: what was sent in it, and what it has not dealt with. */
class Wire implements ClientTransport {
  readonly kind = 'streamableHttp';
  readonly sent: Frame[] = [];
  readonly open = new Map<IdToken, RequestFrame>();
  /** What was sent without being a request, and may not have been taken. */
  readonly told: (NotifyFrame | ResponseFrame)[] = [];
  /** The owner was told so. */
  lost = false;
  closed = false;
  #legacy = false;
  #listener: ClientTransportListener | undefined;

  get cancelsByClosing(): boolean {
    return !this.#legacy;
  }
  start(listener: ClientTransportListener): void {
    this.#listener = listener;
  }
  negotiated(): void {
    this.#legacy = true;
  }
  send(frame: Frame): void {
    if (this.closed) return;
    this.sent.push(frame);
    if (frame.kind === 'request') this.open.set(frame.id, frame);
    else this.told.push(frame);
  }
  abandon(): void {
    // As over HTTP in the legacy era: the answer is still read.
  }
  async close(): Promise<void> {
    await Promise.resolve();
    this.breakOff({ kind: 'closed', message: 'closed' });
  }

  tell(frame: Frame): void {
    this.#listener?.onFrame(frame, undefined);
  }
  answer(asked: RequestFrame): void {
    this.open.delete(asked.id);
    this.tell(answer(asked, toRaw(RESULTS.get(asked.method) ?? {})));
  }
  fail(asked: RequestFrame, failure: TransportFailure): void {
    this.open.delete(asked.id);
    if (failure === LOST) this.lost = true;
    this.#listener?.onRequestFailed(asked.id, failure);
  }
  /** The server did not take something, for want of the session that it named. */
  unhear(unheard: NotifyFrame | ResponseFrame): void {
    this.told.splice(this.told.indexOf(unheard), 1);
    this.lost = true;
    this.#listener?.onSessionDoubt?.({ unheard, failure: LOST });
  }
  /** The standing stream is refused; whether the session is lost is to be found out. */
  refuse(): void {
    this.#listener?.onSessionDoubt?.({ failure: LOST });
  }
  breakOff(failure: TransportFailure): void {
    const listener = this.#listener;
    this.closed = true;
    this.open.clear();
    this.#listener = undefined;
    listener?.onClose(failure);
  }
}

const RESULTS = new Map<string, object>([
  ['initialize', { protocolVersion: '2025-11-25', capabilities: { tools: {} } }],
  ['tools/list', { tools: [{ name: 'read', annotations: { readOnlyHint: true } }] }],
]);
const LOST: TransportFailure = { kind: 'session-lost', message: 'lost', status: 404 };
const BROKEN: TransportFailure = { kind: 'network', message: 'broken' };
/** What makes sense in every session, and what in its own alone. */
const NOTES = ['notifications/roots/list_changed', 'notifications/x', 'notifications/progress'];
const HARMLESS = ['read', 'ping', 'subscribe'];

/** A question as its session has it. */
interface Question {
  readonly wire: Wire;
  readonly id: IdToken;
  readonly text: string;
}

class Scene {
  readonly wires: Wire[] = [];
  readonly outcomes = new Map<IdToken, string[]>();
  readonly cancelled = new Map<IdToken, number>();
  readonly names = new Map<IdToken, string>();
  readonly questions = new Map<IdToken, string>();
  readonly withdrawn: string[] = [];
  readonly asked: Question[] = [];
  readonly late: string[] = [];
  /** The notifications of the client by what is in them, and how often they were not taken. */
  readonly notes = new Map<string, { readonly method: string; unheard: number }>();
  ended = 0;
  closing = false;
  readonly transport = new RenewingTransport({
    connect: () => {
      const wire = new Wire();
      this.wires.push(wire);
      return wire;
    },
    startMs: 60_000,
    isAsking: () => false,
    report: () => undefined,
  });
  #ids = 0;

  async open(): Promise<void> {
    const told = (id: IdToken, outcome: string): void => {
      if (this.ended > 0) this.late.push(`${outcome} ${id}`);
      if (!this.outcomes.has(id)) this.late.push(`${outcome} ${id}, which nobody asked`);
      this.outcomes.get(id)?.push(outcome);
    };
    this.transport.start({
      onFrame: (frame) => {
        if (frame.kind === 'response') told(frame.id ?? '', 'answered');
        else if (this.ended > 0) this.late.push(frame.method);
        if (frame.kind === 'request') {
          expect(this.questions.has(frame.id), 'ids of open questions differ').toBe(false);
          this.questions.set(frame.id, String(frame.params));
        } else if (frame.kind === 'notify' && frame.method === 'notifications/cancelled') {
          const id = String(frame.params && getMember(frame.params, 'requestId'));
          this.withdrawn.push(this.questions.get(id) ?? 'a question that is not open');
          this.#reply(id);
        }
      },
      onRequestFailed: (id, { kind }) => told(id, kind),
      onNoise: () => undefined,
      onOversized: () => undefined,
      onClose: () => this.ended++,
    });
    for (const method of ['initialize', 'tools/list']) {
      this.call(method, request('0', method));
      this.serve(0);
      if (method === 'initialize') this.transport.negotiated('2025-11-25');
      if (method === 'initialize') this.transport.send(notify('notifications/initialized'));
      await turn();
    }
  }

  call(name: string, frame: RequestFrame = toolCall(name)): void {
    if (this.closing || this.ended > 0) return;
    const id = String(++this.#ids);
    this.names.set(id, name);
    this.outcomes.set(id, []);
    this.transport.send({ ...frame, id });
  }

  cancel(pick: number): void {
    const open = [...this.outcomes].filter(
      ([id, outcomes]) => outcomes.length === 0 && !this.cancelled.has(id),
    );
    const id = open[pick % open.length]?.[0];
    if (id === undefined || this.closing) return;
    const seen = this.#sent(id);
    this.transport.send(notify('notifications/cancelled', toRaw({ requestId: Number(id) })));
    this.transport.abandon(id);
    this.cancelled.set(id, seen);
  }

  serve(pick: number): void {
    this.#deal(pick, (wire, asked) => wire.answer(asked));
  }
  lose(pick: number): void {
    this.#deal(pick, (wire, asked) => {
      // No handshake and no server without sessions says so.
      wire.fail(asked, asked.method === 'initialize' ? BROKEN : LOST);
    });
  }
  fail(pick: number): void {
    this.#deal(pick, (wire, asked) => {
      if (asked.method === 'initialize') wire.answer(asked);
      else wire.fail(asked, BROKEN);
    });
  }
  note(pick: number): void {
    if (this.closing || this.ended > 0) return;
    const method = NOTES[pick % NOTES.length] ?? '';
    const params = toRaw({ n: this.notes.size });
    this.notes.set(String(params), { method, unheard: 0 });
    this.transport.send(notify(method, params));
  }
  unhear(pick: number): void {
    const all = this.wires.flatMap((wire) => wire.told.map((frame) => ({ wire, frame })));
    const one = all[pick % all.length];
    if (one === undefined || one.wire.closed) return;
    const note = one.frame.kind === 'notify' && this.notes.get(String(one.frame.params));
    if (note) note.unheard++;
    one.wire.unhear(one.frame);
  }
  refuse(pick: number): void {
    const wires = this.wires.filter(({ closed, cancelsByClosing }) => !closed && !cancelsByClosing);
    wires[pick % wires.length]?.refuse();
  }
  /** Time passes: more than a server gets for an answer, or than a session that is lost again is left alone for. */
  wait(): void {
    vi.advanceTimersByTime(700_000);
  }
  ask(pick: number): void {
    const wires = this.wires.filter(({ closed, cancelsByClosing }) => !closed && !cancelsByClosing);
    const wire = wires[pick % wires.length];
    if (wire === undefined) return;
    // Each session counts from the start.
    const id = String(this.asked.filter((each) => each.wire === wire).length);
    const text = `{"text":"${this.asked.length}"}`;
    this.asked.push({ wire, id, text });
    wire.tell(request(id, 'elicitation/create', Buffer.from(text)));
  }
  withdraw(pick: number): void {
    const live = this.asked.filter(({ wire }) => !wire.closed);
    const question = live[pick % live.length];
    if (question === undefined || ![...this.questions.values()].includes(question.text)) return;
    const before = this.withdrawn.length;
    const params = toRaw({ requestId: Number(question.id) });
    question.wire.tell(notify('notifications/cancelled', params));
    expect(this.withdrawn.slice(before)).toEqual([question.text]);
  }
  reply(pick: number): void {
    const ids = [...this.questions.keys()];
    const id = ids[pick % ids.length];
    if (id !== undefined && !this.closing) this.#reply(id);
  }
  close(): void {
    this.closing = true;
    void this.transport.close();
  }

  async drain(): Promise<void> {
    for (let quiet = 0; quiet < 2; quiet++) {
      await turn();
      while (this.wires.some(({ open }) => open.size > 0)) {
        quiet = 0;
        this.serve(0);
        await turn();
      }
      // What waits for its time has it now.
      if (vi.getTimerCount() > 0) quiet = -1;
      vi.advanceTimersByTime(300_000);
    }
    for (const id of [...this.questions.keys()]) this.#reply(id);
    await turn();
  }

  check(): void {
    expect(this.late).toEqual([]);
    expect(this.ended).toBeLessThan(2);
    const over = this.closing || this.ended > 0;
    for (const [id, outcomes] of this.outcomes) {
      const name = this.names.get(id) ?? '';
      const cancelled = this.cancelled.get(id);
      if (cancelled === undefined && !over) expect(outcomes, name).toHaveLength(1);
      expect(outcomes.length, name).toBeLessThan(2);
      expect(this.#sent(id), name).toBeLessThan(HARMLESS.includes(name) ? 3 : 2);
      if (cancelled !== undefined) expect(this.#sent(id), 'after its end').toBe(cancelled);
    }
    for (const [text, note] of this.notes) this.#checkNote(text, note, over);
    for (const [index, wire] of this.wires.entries()) this.#checkWire(wire, index);
    this.#checkAnswers();
    // What was lost is let go, or each session that a server forgets would cost something for ever.
    const alive = this.wires.filter(({ closed }) => !closed);
    expect(alive).toHaveLength(over ? 0 : 1);
    expect(
      alive.map(({ lost }) => lost),
      'the last session is there',
    ).toEqual(over ? [] : [false]);
  }

  /** A notification is told once, and once more where it was not taken and makes sense in another session. */
  #checkNote(text: string, note: { method: string; unheard: number }, over: boolean): void {
    const times = this.wires
      .flatMap(({ sent }) => sent)
      .filter((frame) => frame.kind === 'notify' && String(frame.params) === text).length;
    const again = note.method !== 'notifications/progress' && note.unheard > 0 ? 1 : 0;
    if (over) expect(times).toBeLessThanOrEqual(1 + again);
    else expect(times, note.method).toBe(1 + again);
  }

  /** A session begins as the first did, and nothing else is said before it is set as that was. */
  #checkWire({ sent }: Wire, index: number): void {
    const methods = sent.flatMap((frame) => (frame.kind === 'response' ? [] : [frame.method]));
    expect(['initialize', undefined]).toContain(methods[0]);
    expect(['notifications/initialized', undefined]).toContain(methods[1]);
    expect(methods.lastIndexOf('initialize')).toBeLessThan(1);
    if (index === 0) return;
    const own = sent.findLastIndex(
      (frame) => frame.kind === 'request' && frame.id.startsWith('"') && frame.method !== 'ping',
    );
    const [first] = sent.flatMap((frame, at) =>
      frame.kind === 'request' && !frame.id.startsWith('"') ? [at] : [],
    );
    if (first !== undefined) expect(own, 'settings come first').toBeLessThan(first);
  }

  /** Each answer reached the session of its question, under the id that it has there, and only once. */
  #checkAnswers(): void {
    for (const { wire, id, text } of this.asked) {
      const answers = wire.sent.filter((frame) => frame.kind === 'response' && frame.id === id);
      expect(answers.length).toBeLessThan(2);
      for (const frame of answers)
        expect(String(frame.kind === 'response' && frame.result)).toBe(text);
    }
    const all = this.wires.flatMap(({ sent }) => sent.filter(({ kind }) => kind === 'response'));
    expect(all.length).toBeLessThanOrEqual(this.asked.length);
    if (!this.closing && this.ended === 0) expect([...this.questions]).toEqual([]);
  }

  #reply(id: IdToken): void {
    const text = this.questions.get(id);
    if (text === undefined) return;
    this.questions.delete(id);
    this.transport.send(answer(request(id, ''), Buffer.from(text)));
  }

  #sent(id: IdToken): number {
    return this.wires.flatMap(({ sent }) =>
      sent.filter((frame) => frame.kind === 'request' && frame.id === id),
    ).length;
  }

  #deal(pick: number, how: (wire: Wire, asked: RequestFrame) => void): void {
    const open = this.wires.flatMap((wire) =>
      [...wire.open.values()].map((asked) => ({ wire, asked })),
    );
    const one = open[pick % open.length];
    if (one !== undefined) how(one.wire, one.asked);
  }
}

function toolCall(name: string): RequestFrame {
  if (name === 'ping') return request('0', 'ping');
  if (name === 'subscribe') return request('0', 'resources/subscribe', toRaw({ uri: 'a:b' }));
  return request('0', 'tools/call', toRaw({ name }));
}

beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterAll(() => void vi.useRealTimers());

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const step = fc.oneof(
  fc.record({ what: fc.constant('call' as const), name: fc.constantFrom(...HARMLESS, 'write') }),
  fc.record({
    what: fc.constantFrom(...(['lose', 'serve', 'ask', 'note', 'unhear', 'refuse'] as const)),
    pick: fc.nat(9),
  }),
  fc.record({
    what: fc.constantFrom(
      'cancel' as const,
      'fail' as const,
      'reply' as const,
      'withdraw' as const,
      'wait' as const,
    ),
    pick: fc.nat(9),
  }),
);

test('whatever a server forgets, and when: one outcome for each request, answers where they belong', async () => {
  const run = fc.record({
    steps: fc.array(fc.tuple(step, fc.boolean()), { minLength: 10, maxLength: 40, size: 'max' }),
    closes: fc.option(fc.nat(40)),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ steps, closes }) => {
      const scene = new Scene();
      await scene.open();
      for (const [index, [one, waits]] of steps.entries()) {
        if (one.what === 'call') scene.call(one.name);
        else scene[one.what](one.pick);
        if (index === closes) scene.close();
        if (waits) await turn();
      }
      await scene.drain();
      scene.check();
      await scene.transport.close();
    }),
    { numRuns: 500 },
  );
});

test('a server that keeps no session is asked for one less and less often', async () => {
  const scene = new Scene();
  await scene.open();
  const minutes = 120;
  for (let minute = 0; minute < minutes; minute++) {
    for (let second = 0; second < 60; second++) {
      const [wire] = scene.wires.slice(-1);
      if (wire?.lost === false) for (const frame of [...wire.told]) wire.unhear(frame);
      scene.serve(0);
      await turn();
      vi.advanceTimersByTime(1000);
    }
  }
  // At once, after 1, 2, 4 … s, and every five minutes in the end.
  expect(scene.wires.length).toBeGreaterThan(minutes / 5);
  expect(scene.wires.length).toBeLessThan(minutes / 5 + 12);
  await scene.transport.close();
});
