import { expect } from 'vitest';

import { isAtLeast } from '../../../../src/protocol/revision.ts';
import type { Lane } from '../station.ts';
import { textOf, type Cell } from './cell.ts';

/** The list of tools, and calls that go wrong. */
export function toolCells({ sdk, server }: Lane): readonly Cell[] {
  const promised = isAtLeast(sdk.revision, '2025-06-18')
    ? ['test_structured_object', 'test_structured_only']
    : [];
  return [
    {
      name: `list tools: output schemas promised for ${promised.join(', ') || 'none'}`,
      run: async ({ peer: { client, wire } }) => {
        const { tools } = await client.listTools();
        const names = tools.map(({ name }) => name);
        expect(names).toContain('test_simple_text');
        expect(names.includes('test_array_output')).toBe(server === 'modern');
        const listed = wire.resultOf('tools/list')?.['tools'] as readonly {
          readonly name: string;
          readonly outputSchema?: object;
          readonly annotations?: object;
        }[];
        const schemas = listed.filter(({ outputSchema }) => outputSchema !== undefined);
        expect(schemas.map(({ name }) => name)).toEqual(promised);
        expect(listed.find(({ name }) => name === 'test_slow')?.annotations).toEqual({
          readOnlyHint: true,
        });
      },
    },
    {
      name: 'call: an argument of each JSON kind arrives',
      run: async ({ peer: { client } }) => {
        const address = { street: 'Main St 1', city: 'Oslo' };
        const args = { name: 'Zoë \u2028 😀', address, contactMethod: 'phone', phone: '1' };
        const result = await client.callTool({ name: 'json_schema_2020_12_tool', arguments: args });
        expect(JSON.parse(textOf(result))).toEqual(args);
      },
    },
    {
      name: 'call: the error of a tool arrives in its own words',
      run: async ({ peer: { client } }) => {
        const result = await client.callTool({ name: 'test_error_handling', arguments: {} });
        expect(result.isError).toBe(true);
        expect(textOf(result)).toContain('This tool intentionally returns an error for testing');
      },
    },
  ];
}
