import { expect } from 'vitest';

import type { Lane } from '../station.ts';
import type { Cell } from './cell.ts';

/** Getting to know each other, and what neither side knows. */
export function sessionCells({ server, sdk }: Lane): readonly Cell[] {
  const { ResultSchema } = sdk.types;
  return [
    {
      name: 'connect: the server introduces itself in the revision of the client',
      run: async ({ peer: { client, wire } }) => {
        expect(client.getServerVersion()).toMatchObject({
          name: `everything-${server}`,
          version: '1.0.0',
        });
        expect(wire.resultOf('initialize')).toMatchObject({
          protocolVersion: sdk.revision,
          instructions: 'A fixture: call any tool whose name starts with test_.',
        });
      },
    },
    {
      name: 'connect: the server promises all it has',
      run: async ({ peer: { client } }) => {
        expect(client.getServerCapabilities()).toMatchObject({
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          logging: {},
          completions: {},
        });
      },
    },
    {
      name: 'ping',
      run: async ({ peer: { client, wire } }) => {
        await client.ping();
        expect(wire.resultOf('ping')).toEqual({});
      },
    },
    {
      name: 'unknown method: the server says so itself',
      run: async ({ peer: { client } }) => {
        await expect(
          client.request({ method: 'x-unknown/method', params: { a: 1 } }, ResultSchema),
        ).rejects.toMatchObject({ code: -32601 });
      },
    },
    {
      name: 'unknown tool: the error names it',
      run: async ({ peer: { client } }) => {
        await expect(
          client.callTool({ name: 'no_such_tool', arguments: {} }),
        ).rejects.toMatchObject({
          code: -32602,
          message: expect.stringContaining('no_such_tool') as string,
        });
      },
    },
  ];
}
