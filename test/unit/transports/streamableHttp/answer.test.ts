import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { answer, notify, request, type NotifyFrame } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import {
  CALL,
  event,
  openSession,
  openStream,
  post,
  silent,
  startEndpoint,
  POST_HEADERS,
  requestBytes,
  withoutIds,
} from './endpoint.ts';
import { NOTE, until } from './peers.ts';

describe('answers', () => {
  const progress = (n: number): NotifyFrame =>
    notify('notifications/progress', toRaw({ progress: n }));
  const progressEvent = (n: number): string =>
    event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: n } });

  test('a notification or a response is 202 without a body', async () => {
    const { port, sessions } = await startEndpoint();
    const headers = await openSession(port);
    const response = { jsonrpc: '2.0', id: 'q', result: {} };
    expect(await post(port, NOTE, headers)).toMatchObject({ status: 202, body: '' });
    expect(await post(port, response, headers)).toMatchObject({ status: 202, body: '' });
    expect(sessions[0]?.received.slice(1)).toEqual([NOTE, response]);
  });

  test('the bytes of a result are those the server sent', async () => {
    const raw = Buffer.from('{ "n": 1.0, "big": 12345678901234567890, "\\u0061": 1, "a":2 }');
    const { port } = await startEndpoint({
      'tools/call': (frame, channel) => channel.send(answer(frame, raw)),
    });
    const reply = await post(port, CALL, await openSession(port));
    expect(reply.body).toBe(`{"jsonrpc":"2.0","id":5,"result":${raw.toString()}}`);
    expect(Number(reply.headers['content-length'])).toBe(reply.body.length);
  });

  test('a large one arrives whole, as JSON and as an event', async () => {
    const big = toRaw({ text: 'ä'.repeat(5_000_000) });
    const { port } = await startEndpoint({
      'tools/call': (frame, channel) => channel.send(answer(frame, big)),
      'tools/list': (frame, channel) => {
        channel.send(progress(1), frame.id);
        channel.send(answer(frame, big));
      },
    });
    const headers = await openSession(port);
    const length = JSON.stringify({ jsonrpc: '2.0', id: 5, result: {} }).length - 2 + big.length;
    const asJson = await post(port, CALL, headers);
    expect(Buffer.byteLength(asJson.body)).toBe(length);
    const asEvent = await post(port, { ...CALL, method: 'tools/list' }, headers);
    const rest = withoutIds(asEvent.body).slice(progressEvent(1).length);
    expect(Buffer.byteLength(rest)).toBe(length + event('').length - 2);
  });

  test('a message before the answer makes it an event stream', async () => {
    const { port } = await startEndpoint({
      'tools/call': (frame, channel) => {
        channel.send(progress(1), frame.id);
        channel.send(request('"q"', 'elicitation/create', toRaw({})), frame.id);
        channel.send(progress(2), frame.id);
        channel.send(answer(frame, toRaw({ done: true })));
      },
    });
    const reply = await post(port, CALL, await openSession(port));
    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    const question = { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: {} };
    const done = { jsonrpc: '2.0', id: 5, result: { done: true } };
    expect(withoutIds(reply.body)).toBe(
      progressEvent(1) + event(question) + progressEvent(2) + event(done),
    );
  });

  test('the answer leaves in a later write than the notification before it', async () => {
    const { port } = await startEndpoint({
      'tools/call': (frame, channel) => {
        channel.send(progress(1), frame.id);
        channel.send(answer(frame, toRaw({})));
      },
    });
    const headers = await openSession(port);
    for (let run = 0; run < 50; run++) {
      const reads: string[] = [];
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1');
        const body = JSON.stringify(CALL);
        const head = { ...POST_HEADERS, ...headers, connection: 'close' };
        const length = { 'content-length': String(body.length) };
        socket.write(requestBytes('POST', port, { ...head, ...length }, body));
        socket.on('data', (chunk) => reads.push(chunk.toString()));
        socket.on('close', () => resolve());
      });
      const both = reads.filter((read) => read.includes('progress') && read.includes('result'));
      expect(both).toEqual([]);
    }
  });

  test('a long silence opens the event stream, which is then kept alive', async () => {
    const { port, sessions } = await startEndpoint({ 'tools/call': silent }, { keepAliveMs: 20 });
    const headers = { ...POST_HEADERS, ...(await openSession(port)) };
    const body = JSON.stringify(CALL);
    const reply = await openStream(port, { method: 'POST', headers, body });
    expect(reply.headers['content-type']).toBe('text/event-stream');
    await until(() => reply.text().startsWith(': keep-alive\n\n'.repeat(3)));
    sessions[0]?.channel.send(answer(request('5', ''), toRaw({})));
    await until(() => reply.ended());
    expect(withoutIds(reply.text()).replaceAll(': keep-alive\n\n', '')).toBe(
      event({ jsonrpc: '2.0', id: 5, result: {} }),
    );
  });

  test('many at once, out of order', async () => {
    const waiting: (() => void)[] = [];
    const { port } = await startEndpoint({
      'tools/call': (frame, channel) => {
        waiting.push(() => channel.send(answer(frame, toRaw({ was: frame.id }))));
      },
    });
    const headers = await openSession(port);
    const ids = Array.from({ length: 20 }, (_, index) => index + 10);
    const calls = ids.map((id) => post(port, { ...CALL, id }, headers));
    await until(() => waiting.length === ids.length);
    for (const release of waiting.reverse()) release();
    const results = (await Promise.all(calls)).map(({ body }) => JSON.parse(body) as unknown);
    expect(results).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, result: { was: String(id) } })));
  });
});
