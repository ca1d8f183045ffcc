import { expect, onTestFinished, test } from 'vitest';
import { answer } from '../../../../src/protocol/frame.ts';
import { toRaw, type RawJson } from '../../../../src/protocol/rawJson.ts';
import { listenZap } from '../../../../src/transports/zap/zapServer.ts';
import { PeerClient } from '../../../fixtures/zapPeer/client.ts';
import { payload } from '../../../fixtures/zapPeer/socket.ts';
import { until } from '../../../support/until.ts';
import { freshPath } from '../unixSocket/support.ts';

/** What serves a conversation: how many messages it was told, and whether it is over. */
interface Served {
  messages: number;
  closed: boolean;
}

/** A listener that gives every request the same answer. */
async function listen(result: RawJson): Promise<{
  readonly path: string;
  readonly served: readonly Served[];
  readonly reports: readonly string[];
}> {
  const path = freshPath();
  const served: Served[] = [];
  const reports: string[] = [];
  const listening = await listenZap({
    address: { kind: 'unix', path },
    accept: (channel) => {
      const one: Served = { messages: 0, closed: false };
      served.push(one);
      return {
        onFrame: (frame) => {
          one.messages++;
          if (frame.kind === 'request') channel.send(answer(frame, result));
        },
        onBatch: () => undefined,
        onAbandoned: () => undefined,
        onUndeliverable: () => undefined,
        onNoise: () => undefined,
        onClose: () => (one.closed = true),
      };
    },
    report: (message) => reports.push(message),
  });
  if (listening.kind === 'failed') throw new Error(listening.message);
  onTestFinished(() => listening.transport.close());
  return { path, served, reports };
}

test('a request waits until the answers before it have been read', async () => {
  const { path, served } = await listen(toRaw({ text: 'x'.repeat(2 * 1024 * 1024) }));
  const client = await PeerClient.open({ path });
  onTestFinished(() => client.close());
  client.socket.pause();
  for (let id = 1; id <= 8; id++) {
    client.write({ kind: 'request', id: String(id), method: 'large', params: payload({}) });
  }
  client.notify('notifications/after');
  await until(() => (served[0]?.messages ?? 0) > 0);
  client.socket.resume();
  const ids: unknown[] = [];
  for (let count = 0; count < 8; count++) {
    ids.push((await client.next())?.id);
    // What was taken is never more than an answer or two ahead of what has been read.
    expect(served[0]?.messages).toBeLessThanOrEqual(count + 3);
  }
  expect(ids).toEqual(Array.from({ length: 8 }, (_, index) => String(index + 1)));
  await until(() => served[0]?.messages === 9);
});

test('a client finds room though a thousand came and went, of whom the last may still come back', async () => {
  const { path, served, reports } = await listen(toRaw({}));
  const visit = async (session: string): Promise<void> => {
    const client = await PeerClient.open({ path }, session);
    await client.call('ping');
    await client.close();
  };
  for (let index = 0; index < 1024; index++) await visit(`s${index}`);
  await visit('s0');
  await visit('one more');
  expect(served).toHaveLength(1025);
  // The one that was used longest ago made room.
  expect(served.flatMap(({ closed }, index) => (closed ? [index] : []))).toEqual([1]);
  expect(reports).toEqual([
    'There are 1024 sessions; one without a connection was ended for a new one.',
  ]);
  await visit('s1023');
  expect(served).toHaveLength(1025);
});
