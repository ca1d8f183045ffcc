import { expect } from 'vitest';

import { isAtLeast } from '../../../../src/protocol/revision.ts';
import { isModernServer, reads, says, serverRevision, type Lane } from '../lane.ts';
import { textOf, type Cell } from './cell.ts';

/** The list of tools, and calls that go wrong. */
export function toolCells(lane: Lane): readonly Cell[] {
  return [
    {
      thing: 'tools/list, with the output schemas that the results keep',
      outcome: 'crosses',
      run: async ({ peer }) => {
        const names = (await peer.listTools()).map(({ name }) => name);
        expect(names).toContain('test_simple_text');
        expect(names.includes('test_audio_content')).toBe(says(lane, '2025-03-26'));
        expect(names.includes('test_elicitation')).toBe(says(lane, '2025-06-18'));
        expect(names.includes('test_array_output')).toBe(isModernServer(lane));
        const listed = peer.wire.resultOf('tools/list')?.['tools'] as readonly {
          readonly name: string;
          readonly outputSchema?: object;
          readonly annotations?: object;
        }[];
        const schemas = listed.filter(({ outputSchema }) => outputSchema !== undefined);
        expect(schemas.map(({ name }) => name)).toEqual(promised(lane));
        expect(listed.find(({ name }) => name === 'test_slow')?.annotations).toEqual(
          says(lane, '2025-03-26') ? { readOnlyHint: true } : undefined,
        );
      },
    },
    {
      thing: 'tools/call, an argument of each JSON kind',
      outcome: 'crosses',
      run: async ({ peer }) => {
        const address = { street: 'Main St 1', city: 'Oslo' };
        const args = { name: 'Zoë \u2028 😀', address, contactMethod: 'phone', phone: '1' };
        const result = await peer.callTool('json_schema_2020_12_tool', args);
        expect(JSON.parse(textOf(result))).toEqual(args);
      },
    },
    {
      thing: 'tools/call, the error of a tool in its own words',
      outcome: 'crosses',
      run: async ({ peer }) => {
        const result = await peer.callTool('test_error_handling');
        expect(result.isError).toBe(true);
        expect(textOf(result)).toContain('This tool intentionally returns an error for testing');
      },
    },
  ];
}

/** The tools whose structured results both sides have words for. */
function promised(lane: Lane): readonly string[] {
  const objects = ['test_structured_object', 'test_structured_only'];
  if (!says(lane, '2025-06-18')) return [];
  // Where both agreed on a revision before it, it is a member that neither knows, and crosses as such.
  if (!isAtLeast(serverRevision(lane), '2025-06-18')) return objects;
  if (!reads(lane, '2025-06-18')) return [];
  const both = reads(lane, '2026-07-28') && says(lane, '2026-07-28');
  return both
    ? [...objects, 'test_array_output', 'test_number_output', 'test_array_only']
    : objects;
}
