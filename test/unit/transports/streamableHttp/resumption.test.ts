import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answer, notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import {
  ask,
  CALL,
  openSession,
  openStream,
  post,
  POST_HEADERS,
  requestBytes,
  silent,
  startEndpoint,
} from './endpoint.ts';
import {
  breakOff,
  call,
  eventsOf,
  lastIdOf,
  messagesOf,
  NEWEST,
  resume,
  start,
} from './streams.ts';
import { until } from './peers.ts';

const BODY_FIRST = { accept: 'application/json, text/event-stream' };
const STREAM_FIRST = { accept: 'text/event-stream, application/json' };

const progress = (n: number) => notify('notifications/progress', toRaw({ n }));
const done = answer(request('5', ''), toRaw({}));

describe('a client is told how to come back', () => {
  const first = /^id: \S+\nretry: 1000\ndata: \n\n/;

  test.each<[string, Record<string, string>, boolean]>([
    ['of 2025-11-25', NEWEST, true],
    ['of 2025-06-18', { 'mcp-protocol-version': '2025-06-18' }, false],
    ['of 2025-03-26', { 'mcp-protocol-version': '2025-03-26' }, false],
    ['that does not say of which revision it is', {}, false],
  ])('%s: %j', async (_name, version, primed) => {
    const { port, sessions } = await startEndpoint(
      { 'tools/call': silent },
      { patienceMs: 5, keepAliveMs: 30 },
    );
    const headers = { ...POST_HEADERS, ...version, ...(await openSession(port)) };
    const body = JSON.stringify(CALL);
    const reply = await openStream(port, { method: 'POST', headers, body });
    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    const standing = await openStream(port, { headers });
    sessions[0]?.channel.send(progress(1), '5');
    sessions[0]?.channel.send(progress(2));
    for (const stream of [reply, standing]) {
      await until(() => messagesOf(stream).length === 1);
      expect(first.test(stream.text())).toBe(primed);
      expect(stream.text().includes('retry:')).toBe(primed);
    }
  });

  test.each([
    ['a plain body where it would rather have one', BODY_FIRST, 'application/json'],
    ['a stream at once where it would rather have one', STREAM_FIRST, 'text/event-stream'],
    [
      'what it weighs more',
      { accept: 'text/event-stream;q=0.1, application/json' },
      'application/json',
    ],
  ])('and gets %s', async (_name, accept, type) => {
    const { port } = await startEndpoint();
    const headers = { ...NEWEST, ...accept, ...(await openSession(port)) };
    const reply = await post(port, { ...CALL, method: 'ping' }, headers);
    expect(reply.headers['content-type']).toBe(type);
    if (type === 'application/json') return;
    expect(reply.body).toMatch(first);
    expect(eventsOf(reply.body).map(({ data }) => data)).toEqual([
      undefined,
      { jsonrpc: '2.0', id: 5, result: {} },
    ]);
  });
});

describe('a stream whose connection broke', () => {
  test('goes on where its client left off, and answers as often as it is asked to', async () => {
    const started = await start();
    const [session] = started.sessions;
    const reply = await call(started);
    session?.channel.send(progress(1), '5');
    await until(() => messagesOf(reply).length === 1);
    await breakOff(reply, started);
    session?.channel.send(progress(2), '5');
    session?.channel.send(done);
    for (let time = 0; time < 2; time++) {
      const rest = await resume(started, lastIdOf(reply));
      await until(() => rest.ended());
      expect(messagesOf(rest)).toEqual([{ n: 2 }, { answer: 5 }]);
    }
    expect(session?.abandoned).toEqual([]);
    expect(started.reports).toEqual([]);
  });

  test('goes on while the request is under way', async () => {
    const started = await start();
    const [session] = started.sessions;
    const reply = await call(started);
    await breakOff(reply, started);
    const rest = await resume(started, lastIdOf(reply));
    session?.channel.send(progress(1), '5');
    await until(() => messagesOf(rest).length === 1);
    await breakOff(rest, started);
    session?.channel.send(done);
    const end = await resume(started, lastIdOf(rest));
    await until(() => end.ended());
    expect(messagesOf(end)).toEqual([{ answer: 5 }]);
  });

  test('is taken over from a connection that nobody has seen break', async () => {
    const started = await start();
    const reply = await call(started);
    const rest = await resume(started, lastIdOf(reply));
    await until(() => reply.ended());
    started.sessions[0]?.channel.send(done);
    await until(() => rest.ended());
    expect([messagesOf(reply), messagesOf(rest)]).toEqual([[], [{ answer: 5 }]]);
  });

  test('says on the old connection nothing of what is said on the new one', async () => {
    const started = await start({ settleMs: 100 });
    const [session] = started.sessions;
    const reply = await call(started);
    session?.channel.send(progress(1), '5');
    // Behind a notification an answer waits for a moment.
    session?.channel.send(done);
    const rest = await resume(started, lastIdOf(reply));
    await until(() => rest.ended() && reply.ended());
    expect(messagesOf(rest)).toEqual([{ n: 1 }, { answer: 5 }]);
    expect(messagesOf(reply)).not.toContainEqual({ answer: 5 });
  });

  test('holds nothing more for an old connection that nobody reads', async () => {
    const started = await start();
    const reply = await call(started);
    await breakOff(reply, started);
    const text = 'x'.repeat(32 * 1024 * 1024);
    started.sessions[0]?.channel.send(answer(request('5', ''), toRaw({ text })));
    const headers = { ...started.headers, 'last-event-id': lastIdOf(reply) };
    const unread = connect(started.port, '127.0.0.1');
    onTestFinished(() => void unread.destroy());
    unread.on('error', () => undefined).write(requestBytes('GET', started.port, headers));
    await once(unread, 'readable');
    const rest = await resume(started, lastIdOf(reply));
    await until(() => rest.ended());
    expect(rest.text().length).toBeGreaterThan(text.length);
    let length = 0;
    unread.on('data', (chunk: Buffer) => (length += chunk.length));
    await until(() => unread.destroyed);
    expect(length).toBeLessThan(text.length);
  });

  test('has nothing for a client that has read it all', async () => {
    const started = await start();
    const reply = await call(started);
    started.sessions[0]?.channel.send(done);
    await until(() => reply.ended());
    const again = await resume(started, lastIdOf(reply));
    expect(again.status).toBe(405);
    expect(again.headers.allow).toBe('GET, POST, DELETE');
    expect(started.reports).toEqual([]);
  });

  test('ends where its request was cancelled meanwhile', async () => {
    const started = await start();
    const [session] = started.sessions;
    const reply = await call(started);
    const id = lastIdOf(reply);
    await breakOff(reply, started);
    session?.channel.drop('5');
    expect((await resume(started, id)).status).toBe(405);
    expect(started.reports).toEqual([]);
  });

  test('can be taken up by clients of older revisions, too, once they have read an event', async () => {
    const started = await start();
    const [session] = started.sessions;
    const headers = { ...started.headers, 'mcp-protocol-version': '2025-03-26' };
    const older = { ...started, headers };
    const body = JSON.stringify(CALL);
    const opening = openStream(started.port, { method: 'POST', headers, body });
    await until(() => session?.received.length === 2);
    session?.channel.send(progress(1), '5');
    const reply = await opening;
    await until(() => messagesOf(reply).length === 1);
    await breakOff(reply, older);
    session?.channel.send(done);
    const rest = await resume(older, lastIdOf(reply));
    await until(() => rest.ended());
    expect(messagesOf(rest)).toEqual([{ answer: 5 }]);
  });

  test('lets go of what was sent to its end, after a while, and says so to whoever comes later', async () => {
    const started = await start({ keptMs: 20 });
    const reply = await call(started);
    const id = lastIdOf(reply);
    started.sessions[0]?.channel.send(done);
    await until(() => reply.ended());
    let status = 200;
    while (status === 200) {
      const again = await resume(started, id);
      status = again.status;
      await until(() => again.ended());
    }
    expect(status).toBe(405);
    expect(started.reports).toEqual(['A client came back for an answer that is kept no more.']);
  });

  test('does not keep its session from ending when nobody comes back; what was kept is said', async () => {
    const started = await start({ idleMs: 40 });
    const [session] = started.sessions;
    await breakOff(await call(started), started);
    session?.channel.send(done);
    await until(() => session?.closes === 1);
    expect(started.reports).toEqual([
      'A session was idle for too long and has ended.',
      'Nobody is there to read the response to 5; it was dropped.',
    ]);
  });
});

describe('what is kept for a client that is away', () => {
  test('is bounded; the oldest gives way, which is said, and never the answer', async () => {
    const started = await start();
    const [session] = started.sessions;
    const reply = await call(started);
    await breakOff(reply, started);
    for (let n = 1; n <= 1001; n++) session?.channel.send(progress(n), '5');
    session?.channel.send(done);
    const dropped = 'Nobody is there to read notifications/progress; it was dropped.';
    expect(started.reports).toEqual([dropped, dropped]);
    const rest = await resume(started, lastIdOf(reply));
    await until(() => rest.ended());
    const messages = messagesOf(rest);
    expect([messages.length, messages[0], messages.at(-1)]).toEqual([
      1000,
      { n: 3 },
      { answer: 5 },
    ]);
    expect(started.reports[2]).toBe('A client came back for 1002 messages, 2 of them too late.');
  });

  test('may be one message of any size', async () => {
    const started = await start();
    const [session] = started.sessions;
    const reply = await call(started);
    await breakOff(reply, started);
    const text = 'x'.repeat(32 * 1024 * 1024);
    session?.channel.send(answer(request('5', ''), toRaw({ text })));
    const rest = await resume(started, lastIdOf(reply));
    await until(() => rest.ended());
    expect(rest.text().length).toBeGreaterThan(text.length);
    expect(started.reports).toEqual([]);
  });

  test('are questions for so long only', async () => {
    const started = await start({ questionMs: 30 });
    const [session] = started.sessions;
    const reply = await call(started);
    await breakOff(reply, started);
    session?.channel.send(request('"late"', 'elicitation/create'), '5');
    await until(() => session?.undeliverable.length === 1);
    session?.channel.send(request('"in time"', 'elicitation/create'), '5');
    const rest = await resume(started, lastIdOf(reply));
    await until(() => messagesOf(rest).length === 1);
    expect(rest.text()).toContain('"in time"');
    session?.channel.send(done);
    await until(() => rest.ended());
    expect(rest.text()).not.toContain('"late"');
    expect(session?.undeliverable).toEqual(['"late"']);
  });
});

describe('an event id', () => {
  test('of another session yields nothing and tells nothing', async () => {
    const started = await start();
    const { port, sessions } = started;
    const other = { ...started, headers: { ...started.headers, ...(await openSession(port)) } };
    const reply = await call(started);
    const standing = await openStream(port, { headers: started.headers });
    sessions[0]?.channel.send(progress(1), '5');
    sessions[0]?.channel.send(progress(2));
    await until(() => messagesOf(reply).length + messagesOf(standing).length === 2);
    const ids = [reply, standing].flatMap((each) => eventsOf(each.text()).map(({ id = '' }) => id));
    const made = ids.map((id) => id.replace(/^[^.]+/, 'AAAAAAAAAAAAAAAA'));
    const replies = new Set<string>();
    for (const id of [...ids, ...made, 'nonsense', '1', '../x']) {
      const headers = { ...other.headers, 'last-event-id': id };
      const { status, body } = await ask(port, { method: 'GET', headers });
      replies.add(`${status} ${body}`);
    }
    expect([...replies]).toEqual([
      expect.stringMatching(/^400 .*This session has no such event id/) as unknown,
    ]);
  });

  test('that was never given out is none', async () => {
    const started = await start();
    const reply = await call(started);
    const id = lastIdOf(reply);
    for (const made of [id.replace(/0$/, '1'), id.replace('.1.', '.9.'), `${id}x`]) {
      expect((await resume(started, made)).status).toBe(400);
    }
    const kind = id.replace('request', 'standing');
    expect((await resume(started, kind)).status).toBe(400);
  });
});

describe('several streams at once', () => {
  test('share nothing: each message goes out on one, and comes again on that one', async () => {
    const started = await start();
    const { port, headers } = started;
    const [session] = started.sessions;
    const reply = await call(started);
    const body = JSON.stringify({ ...CALL, id: 6 });
    const other = await openStream(port, { method: 'POST', headers, body });
    const standing = await openStream(port, { headers });
    await until(() => [other, standing].every((each) => each.text() !== ''));
    const from = [reply, other, standing].map(lastIdOf);
    session?.channel.send(progress(5), '5');
    session?.channel.send(progress(6), '6');
    session?.channel.send(progress(0));
    const streams = [reply, other, standing];
    await until(() => streams.every((each) => messagesOf(each).length === 1));
    const expected = [[{ n: 5 }], [{ n: 6 }], [{ n: 0 }]];
    expect(streams.map(messagesOf)).toEqual(expected);
    const again = await Promise.all(from.map((id) => resume(started, id)));
    await until(() => again.every((each) => messagesOf(each).length === 1));
    expect(again.map(messagesOf)).toEqual(expected);
  });

  test('that stand take turns: the newest that is open gets what belongs to no request', async () => {
    const started = await start();
    const { port, headers } = started;
    const [session] = started.sessions;
    const older = await openStream(port, { headers });
    const newer = await openStream(port, { headers });
    expect([older.status, newer.status]).toEqual([200, 200]);
    session?.channel.send(progress(1));
    await until(() => messagesOf(newer).length === 1);
    await breakOff(newer, started);
    session?.channel.send(progress(2));
    await until(() => messagesOf(older).length === 1);
    const back = await resume(started, eventsOf(newer.text())[0]?.id ?? '');
    session?.channel.send(progress(3));
    await until(() => messagesOf(back).length === 2);
    expect([older, newer, back].map(messagesOf)).toEqual([
      [{ n: 2 }],
      [{ n: 1 }],
      [{ n: 1 }, { n: 3 }],
    ]);
  });

  test('that stand take up what came while none was open', async () => {
    const started = await start();
    const [session] = started.sessions;
    const standing = await openStream(started.port, { headers: started.headers });
    session?.channel.send(progress(1));
    await until(() => messagesOf(standing).length === 1);
    await breakOff(standing, started);
    session?.channel.send(progress(2));
    const back = await resume(started, lastIdOf(standing));
    await until(() => messagesOf(back).length === 1);
    expect(messagesOf(back)).toEqual([{ n: 2 }]);
  });

  test('that stand can be come back to though nothing of them is kept', async () => {
    const started = await start();
    const standing = await openStream(started.port, { headers: started.headers });
    await until(() => standing.text() !== '');
    await breakOff(standing, started);
    started.sessions[0]?.channel.send(progress(1));
    const back = await resume(started, lastIdOf(standing));
    await until(() => messagesOf(back).length === 1);
  });
});

describe('a connection that is held for so long only', () => {
  test('leaves its client to come back until it is answered', async () => {
    const started = await start({ holdMs: 20 });
    let reply = await call(started);
    const seen: unknown[] = [];
    for (let poll = 0; poll < 3; poll++) {
      await until(() => reply.ended());
      const id = lastIdOf(reply);
      if (poll === 1) started.sessions[0]?.channel.send(progress(1), '5');
      reply = await resume(started, id);
      expect(reply.status).toBe(200);
      await until(() => reply.ended());
      seen.push(...messagesOf(reply));
    }
    started.sessions[0]?.channel.send(done);
    const last = await resume(started, lastIdOf(reply));
    await until(() => last.ended());
    expect([...seen, ...messagesOf(last)]).toEqual([{ n: 1 }, { answer: 5 }]);
  });

  test('is never ended before a client that does not know how to come back', async () => {
    const started = await start({ holdMs: 5, keepAliveMs: 10 });
    const headers = { ...started.headers, 'mcp-protocol-version': '2025-06-18' };
    const reply = await call({ ...started, headers });
    await until(() => reply.text().length > 100);
    expect(reply.ended()).toBe(false);
  });
});
