import { describe, expect, test } from 'vitest';
import { messageBytes } from '../../../../src/protocol/jsonRpc.ts';
import { answer, notify, request } from '../../../../src/protocol/frame.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { Replay } from '../../../../src/transports/streamableHttp/replay.ts';

const frame = (size = 0) => notify('notifications/x', toRaw({ text: 'x'.repeat(size) }));
const SMALL = messageBytes(frame()).length;

function create(events: number, bytes = 1_000_000) {
  const dropped: [number, boolean][] = [];
  const limits = { events, bytes };
  const replay = new Replay<string>({ written: limits, owed: limits }, ({ sequence }, owed) =>
    dropped.push([sequence, owed]),
  );
  const kept = (stream = 'a', after = 0): number[] =>
    replay.after(stream, after).map(({ sequence }) => sequence);
  return { replay, dropped, kept };
}

describe('what is kept for clients that come back', () => {
  test('are the last events, as far as there is room', () => {
    const { replay, dropped, kept } = create(3);
    for (let n = 1; n <= 5; n++) replay.keep('a', n, frame(), false);
    expect(kept()).toEqual([3, 4, 5]);
    expect(kept('a', 4)).toEqual([5]);
    expect(kept('b')).toEqual([]);
    expect(dropped).toEqual([
      [1, false],
      [2, false],
    ]);
  });

  test('is bounded in bytes, but for the newest', () => {
    const { replay, dropped, kept } = create(100, 3 * SMALL);
    for (let n = 1; n <= 3; n++) replay.keep('a', n, frame(), false);
    expect(dropped).toEqual([]);
    replay.keep('a', 4, frame(10_000), false);
    expect(kept()).toEqual([4]);
    replay.keep('a', 5, frame(), false);
    expect(kept()).toEqual([5]);
  });

  test('are notifications no longer than there is room for answers', () => {
    const { replay, dropped, kept } = create(2);
    const done = answer(request('1', ''), toRaw({}));
    replay.keep('a', 1, done, true);
    for (let n = 1; n <= 3; n++) replay.keep('b', n, frame(), true);
    expect([kept('a'), kept('b')]).toEqual([[1], [3]]);
    for (let n = 2; n <= 3; n++) replay.keep('a', n, done, true);
    expect([kept('a'), kept('b')]).toEqual([[2, 3], []]);
    expect(dropped.map(([sequence]) => sequence)).toEqual([1, 2, 3, 1]);
  });

  test('gives way to nothing that was written while it is owed', () => {
    const { replay, dropped, kept } = create(2);
    const owed = replay.keep('a', 1, frame(), true);
    for (let n = 1; n <= 5; n++) replay.keep('b', n, frame(), false);
    expect([kept('a'), kept('b')]).toEqual([[1], [4, 5]]);
    expect(replay.owed()).toEqual([owed]);
    for (let n = 2; n <= 3; n++) replay.keep('a', n, frame(), true);
    expect(dropped.at(-1)).toEqual([1, true]);
    expect(kept('a')).toEqual([2, 3]);
  });

  test('is kept in order, whoever has taken what', () => {
    const { replay, kept } = create(10);
    const [one, two] = [replay.keep('a', 1, frame(), true), replay.keep('a', 2, frame(), true)];
    replay.settle(two);
    replay.keep('a', 3, frame(), false);
    expect(kept()).toEqual([1, 2, 3]);
    expect([replay.withdraw(two), replay.withdraw(one), replay.withdraw(one)]).toEqual([
      false,
      true,
      false,
    ]);
    replay.forget('a');
    expect([kept(), replay.owed()]).toEqual([[], []]);
  });
});
