import { expect } from 'vitest';

import { isModernClient, says, type Lane } from '../lane.ts';
import type { Cell } from './cell.ts';

/** Getting to know each other, and what neither side knows. */
export function sessionCells(lane: Lane): readonly Cell[] {
  return [
    {
      thing: 'connect, who the server is',
      outcome: 'crosses',
      run: async ({ peer }) => {
        const { info, instructions, revision } = peer.introduction();
        expect(info).toMatchObject({ name: `everything-${lane.server}`, version: '1.0.0' });
        expect(revision).toBe(lane.sdk.revision);
        // The oldest SDK cannot give any.
        expect(instructions).toBe(
          says(lane, '2025-03-26')
            ? 'A fixture: call any tool whose name starts with test_.'
            : undefined,
        );
      },
    },
    {
      thing: 'connect, what the server promises',
      outcome: 'crosses',
      run: async ({ peer }) => {
        expect(peer.introduction().capabilities).toMatchObject({
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          logging: {},
          ...(says(lane, '2025-03-26') && { completions: {} }),
        });
      },
    },
    isModernClient(lane)
      ? {
          thing: 'ping',
          outcome: 'unsaid',
          run: ({ peer }) =>
            expect(peer.ping()).rejects.toMatchObject({
              code: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
            }),
        }
      : {
          thing: 'ping',
          outcome: 'crosses',
          run: async ({ peer }) => {
            await peer.ping();
            expect(peer.wire.resultOf('ping')).toEqual({});
          },
        },
    {
      thing: 'an unknown method, as the server takes it',
      outcome: 'crosses',
      run: async ({ peer }) => {
        const answer = peer.request('x-unknown/method', { a: 1 });
        if (!isModernClient(lane) || lane.face === 'stdio') {
          await expect(answer).rejects.toMatchObject({ code: -32601 });
          return;
        }
        // Over HTTP it is a 404 with the error in it (2026-07-28, Streamable HTTP), which the SDK does not unpack.
        await expect(answer).rejects.toMatchObject({
          message: expect.stringContaining('"code":-32601') as string,
        });
        expect(peer.wire.problems.splice(0)).toHaveLength(1);
        peer.complaints.splice(0);
      },
    },
    {
      thing: 'an unknown tool, as the server takes it',
      outcome: 'crosses',
      run: ({ peer }) =>
        expect(peer.callTool('no_such_tool')).rejects.toMatchObject({
          code: -32602,
          message: expect.stringContaining('no_such_tool') as string,
        }),
    },
  ];
}
