import { expect } from 'vitest';

import { until } from '../../../support/until.ts';
import { isModernClient, isModernServer, type Lane } from '../lane.ts';
import type { Peer } from '../peer.ts';
import type { Cell, Scene } from './cell.ts';

const TOOL = 'test_tool_with_progress';
const CALLS = 5;
const ATTEMPTS = 5;

let token = 0;

/** What the server says on its way to an answer. */
export function notificationCells(lane: Lane): readonly Cell[] {
  return [...progressCells, cancellation, ...loggingCells(lane)];
}

/** The steps that one call of the tool tells its caller. */
export async function progressOf(peer: Peer): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const onprogress = (news: { progress: number; total?: number | undefined }): void =>
    void seen.push([news.progress, news.total]);
  await peer.callTool(TOOL, {}, { onprogress });
  return seen;
}

export const progressAtCaller: Cell = {
  thing: 'progress, all of it at the caller',
  outcome: 'crosses',
  run: async ({ peer }) => {
    const whole = [0, 50, 100].map((progress) => [progress, 100]);
    let seen: readonly unknown[] = [];
    // A client that is kept from running reads progress and answer in one, and loses the progress; directly it
    // loses it nearly always, so that one call of these few says enough.
    for (let attempt = 0; attempt < ATTEMPTS && seen.length < whole.length; attempt++) {
      seen = await progressOf(peer);
    }
    expect(seen).toEqual(whole);
    peer.complaints.splice(0);
  },
};

const progressCells: readonly Cell[] = [
  progressAtCaller,
  {
    thing: `progress, of ${CALLS} calls at once each its own, ahead of its answer`,
    outcome: 'crosses',
    run: async ({ peer }) => {
      const { received, sent } = peer.wire;
      const from = received.length;
      const requests = sent.length;
      await Promise.all(
        Array.from({ length: CALLS }, () =>
          peer.callTool(TOOL, {}, { progressToken: `t${++token}` }),
        ),
      );
      const came = received.slice(from);
      const histories = sent.slice(requests).map(({ id, params }) => {
        const own = (params?.['_meta'] as { progressToken: string }).progressToken;
        return came
          .filter((message) => message.id === id || message.params?.['progressToken'] === own)
          .map((message) => message.params?.['progress'] ?? 'answer');
      });
      expect(histories).toEqual(Array.from({ length: CALLS }, () => [0, 50, 100, 'answer']));
      // The SDKs give no tokens but numbers, and say of each message that this one is not their own.
      expect(peer.complaints.splice(0)).toHaveLength(3 * CALLS);
    },
  },
  {
    thing: 'progress, a token that is a text',
    outcome: 'crosses',
    run: async ({ peer }) => {
      const from = peer.wire.received.length;
      await peer.callTool(TOOL, {}, { progressToken: 'a "token"' });
      const told = peer.wire.heard('notifications/progress', from);
      expect(told.map(({ params }) => params)).toMatchObject(
        [0, 50, 100].map((progress) => ({ progressToken: 'a "token"', progress, total: 100 })),
      );
      expect(peer.complaints.splice(0)).toHaveLength(3);
    },
  },
  {
    thing: 'progress, none for a call that asked for none',
    outcome: 'crosses',
    run: async ({ peer }) => {
      const from = peer.wire.received.length;
      await peer.callTool(TOOL);
      expect(peer.wire.heard('notifications/progress', from)).toEqual([]);
    },
  },
];

export const cancellation: Cell = {
  thing: 'cancellation, at the server, and no answer after it',
  outcome: 'crosses',
  run: async ({ peer, station }) => {
    const line = station.log.lines.length;
    const from = peer.wire.received.length;
    const abort = new AbortController();
    const call = peer.callTool('test_slow', { ms: 60_000 }, { signal: abort.signal });
    await station.log.waitFor('test_slow started', line);
    abort.abort('enough');
    await expect(call).rejects.toThrow();
    await station.log.waitFor('test_slow cancelled', line);
    await peer.listResources();
    expect(peer.wire.received.slice(from)).toHaveLength(1);
  },
};

const LOGGED = ['Tool execution started', 'Tool processing data', 'Tool execution completed'].map(
  (data) => ({ level: 'info', data }),
);

/** A legacy server sends what it likes to a legacy client; where either is modern, what is asked for is what comes. */
function loggingCells(lane: Lane): readonly Cell[] {
  const unasked = isModernClient(lane) || isModernServer(lane) ? [] : LOGGED;
  return [
    {
      thing: 'logging, where no level was named',
      outcome: 'crosses',
      run: async (scene) => expect(await logged(scene)).toEqual(unasked),
    },
    {
      thing: 'logging, a level that the server does not reach',
      outcome: 'crosses',
      run: async (scene) => {
        await scene.peer.setLogLevel('error');
        expect(await logged(scene)).toEqual(unasked);
      },
    },
    {
      thing: 'logging, a level that it reaches: each message of the call',
      outcome: 'crosses',
      run: async (scene) => {
        await scene.peer.setLogLevel('info');
        expect(await logged(scene)).toEqual(LOGGED);
      },
    },
  ];
}

/** The log messages of one call. */
async function logged({ peer }: Scene): Promise<unknown[]> {
  const from = peer.wire.received.length;
  await peer.callTool('test_tool_with_logging');
  await until(() => peer.wire.received.length > from);
  return peer.wire
    .heard('notifications/message', from)
    .map(({ params }) => ({ level: params?.['level'], data: params?.['data'] }));
}
