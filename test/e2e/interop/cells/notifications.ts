import { expect } from 'vitest';

import { until } from '../../../support/until.ts';
import type { Lane } from '../station.ts';
import type { Cell, Scene } from './cell.ts';

const TOOL = 'test_tool_with_progress';
const CALLS = 5;
const ATTEMPTS = 5;

let token = 0;

/** What the server says on its way to an answer. */
export function notificationCells({ sdk, server }: Lane): readonly Cell[] {
  return [
    {
      name: 'progress: all of it reaches the caller',
      run: async ({ peer: { client, complaints } }) => {
        const whole = [0, 50, 100].map((progress) => [progress, 100]);
        let seen: unknown[] = [];
        // A client that is kept from running reads progress and answer in one, and loses the progress; directly it
        // loses it nearly always, so that one call of these few says enough.
        for (let attempt = 0; attempt < ATTEMPTS && seen.length < whole.length; attempt++) {
          seen = [];
          await client.callTool({ name: TOOL, arguments: {} }, undefined, {
            onprogress: ({ progress, total }) => seen.push([progress, total]),
          });
        }
        expect(seen).toEqual(whole);
        complaints.splice(0);
      },
    },
    {
      name: `progress: of ${CALLS} calls at once each gets its own, ahead of its answer`,
      run: async ({ peer: { client, wire, complaints } }) => {
        const from = wire.received.length;
        const requests = wire.sent.length;
        const call = { method: 'tools/call', params: { name: TOOL, arguments: {} } } as const;
        await Promise.all(
          Array.from({ length: CALLS }, () =>
            client.request(
              { ...call, params: { ...call.params, _meta: { progressToken: `t${++token}` } } },
              sdk.types.CallToolResultSchema,
            ),
          ),
        );
        const came = wire.received.slice(from);
        const histories = wire.sent.slice(requests).map(({ id, params }) => {
          const own = (params?.['_meta'] as { progressToken: string }).progressToken;
          return came
            .filter((message) => message.id === id || message.params?.['progressToken'] === own)
            .map((message) => message.params?.['progress'] ?? 'answer');
        });
        expect(histories).toEqual(Array.from({ length: CALLS }, () => [0, 50, 100, 'answer']));
        // The SDK gives no tokens but numbers, and says of each message that this one is not its own.
        expect(complaints.splice(0)).toHaveLength(3 * CALLS);
      },
    },
    {
      name: 'progress: a token that is a text comes back as that text',
      run: async ({ peer: { client, wire, complaints } }) => {
        const from = wire.received.length;
        const params = { name: TOOL, arguments: {}, _meta: { progressToken: 'a "token"' } };
        await client.request({ method: 'tools/call', params }, sdk.types.CallToolResultSchema);
        const told = wire.heard('notifications/progress', from);
        expect(told.map(({ params: heard }) => heard)).toMatchObject(
          [0, 50, 100].map((progress) => ({ progressToken: 'a "token"', progress, total: 100 })),
        );
        expect(complaints.splice(0)).toHaveLength(3);
      },
    },
    {
      name: 'progress: none for a call that asked for none',
      run: async ({ peer: { client, wire } }) => {
        const from = wire.received.length;
        await client.callTool({ name: TOOL, arguments: {} });
        expect(wire.heard('notifications/progress', from)).toEqual([]);
      },
    },
    {
      name: 'cancellation: reaches the server, and no answer follows',
      run: async ({ peer: { client, wire }, station }) => {
        const line = station.log.lines.length;
        const from = wire.received.length;
        const abort = new AbortController();
        const call = client.callTool({ name: 'test_slow', arguments: { ms: 60_000 } }, undefined, {
          signal: abort.signal,
        });
        await station.log.waitFor('test_slow started', line);
        abort.abort('enough');
        await expect(call).rejects.toThrow();
        await station.log.waitFor('test_slow cancelled', line);
        await client.ping();
        expect(wire.received.slice(from)).toHaveLength(1);
      },
    },
    ...(server === 'modern'
      ? [
          {
            name: 'logging: a level that the server does not reach keeps it quiet',
            run: async (scene: Scene) => expect(await logged(scene, 'error')).toEqual([]),
          },
        ]
      : []),
    {
      name: 'logging: setLevel, then each message of the call arrives',
      run: async (scene) => {
        const messages = await logged(scene, 'info');
        expect(messages).toEqual(
          ['Tool execution started', 'Tool processing data', 'Tool execution completed'].map(
            (data) => ({ level: 'info', data }),
          ),
        );
      },
    },
  ];
}

/** The log messages of one call after the client has set a level. */
async function logged(
  { peer: { client, wire } }: Scene,
  level: 'info' | 'error',
): Promise<unknown[]> {
  await client.setLoggingLevel(level);
  const from = wire.received.length;
  const tool = 'test_tool_with_logging';
  await client.callTool({ name: tool, arguments: {} });
  await until(() => wire.received.length > from);
  return wire
    .heard('notifications/message', from)
    .map(({ params }) => ({ level: params?.['level'], data: params?.['data'] }));
}
