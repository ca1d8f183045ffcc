import { specTypeSchemas } from '@modelcontextprotocol/client';
import { ListToolsResultSchema as from20251125 } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { ListToolsResultSchema as from20241105 } from 'sdk-2024-11-05/types.js';
import { ListToolsResultSchema as from20250326 } from 'sdk-2025-03-26/types.js';
import { ListToolsResultSchema as from20250618 } from 'sdk-2025-06-18/types.js';
import { describe, expect, test } from 'vitest';
import { parseRaw } from '../../../../src/protocol/rawJson.ts';
import { REVISIONS } from '../../../../src/protocol/revision.ts';
import { PERMISSIVE, STRICT } from '../../../../src/translate/policy.ts';
import { lowerText, lowerTools, textOf, type Setting } from './lowering.ts';

const junk = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string({ maxLength: 4 }),
  fc.constant([]),
  fc.constant({}),
  fc.constant(['a', 1]),
);

/** Mostly the value a place wants, at times anything. */
const often = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: junk });

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = often(tie('schema'));
  const map = often(fc.dictionary(fc.constantFrom('a', 'b', 'c/d'), inner, { maxKeys: 3 }));
  const list = often(fc.array(inner, { maxLength: 3 }));
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: often(
      fc.oneof(fc.constantFrom(...TYPES), fc.subarray(TYPES, { minLength: 1, maxLength: 3 })),
    ),
    $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/definitions/c~1d', '#here'),
    $defs: map,
    definitions: map,
    $anchor: fc.constant('here'),
    properties: map,
    patternProperties: map,
    required: often(fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 })),
    items: fc.oneof(inner, list),
    prefixItems: list,
    unevaluatedProperties: inner,
    unevaluatedItems: inner,
    additionalProperties: inner,
    dependentRequired: often(fc.constant({ a: ['b'] })),
    dependentSchemas: map,
    dependencies: map,
    contains: inner,
    minContains: often(fc.nat(3)),
    maxContains: often(fc.nat(3)),
    allOf: list,
    anyOf: list,
    not: inner,
    if: inner,
    enum: often(fc.array(fc.integer({ max: 2, min: 0 }), { maxLength: 3 })),
    exclusiveMinimum: often(fc.boolean()),
    minimum: often(fc.integer()),
    minLength: often(fc.nat()),
    description: often(fc.string({ maxLength: 3 })),
    $schema: fc.constantFrom(
      'http://json-schema.org/draft-07/schema#',
      'https://json-schema.org/draft/2020-12/schema',
      'https://e.example/s',
      7,
    ),
    default: junk,
  };
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.constant({}),
      fc
        .array(
          fc.oneof(
            ...Object.entries(keywords).map(([key, value]) => fc.tuple(fc.constant(key), value)),
          ),
          { maxLength: 5 },
        )
        .map((members) => Object.fromEntries(members) as unknown),
    ),
  };
});

const hint = often(fc.boolean());
const text = often(fc.string({ maxLength: 5 }));

const tool = often(
  fc.record(
    {
      name: often(fc.string({ maxLength: 5 })),
      title: text,
      description: text,
      inputSchema: often(schema),
      outputSchema: often(schema),
      annotations: often(
        fc.record(
          { title: text, readOnlyHint: hint, destructiveHint: hint, 'x-new': junk },
          { requiredKeys: [] },
        ),
      ),
      icons: often(
        fc.array(
          often(
            fc.record(
              { src: text, mimeType: text, sizes: often(fc.array(fc.string())), theme: text },
              { requiredKeys: ['src'] },
            ),
          ),
          { maxLength: 2 },
        ),
      ),
      execution: often(fc.record({ taskSupport: often(fc.constant('optional')) })),
      _meta: often(fc.dictionary(fc.string(), junk, { maxKeys: 2 })),
      'x-new': junk,
    },
    { requiredKeys: [] },
  ),
);

const list = fc.record(
  { tools: fc.array(tool, { maxLength: 4 }), nextCursor: text, _meta: fc.constantFrom(null, {}) },
  { requiredKeys: ['tools'] },
);

const policies = fc.constantFrom(STRICT, PERMISSIVE);

/** What stands in a lowered list. */
function lowered(value: unknown, setting: Setting): { tools: Record<string, unknown>[] } {
  const before = JSON.stringify(value);
  return JSON.parse(textOf(lowerText(before, setting), before)) as {
    tools: Record<string, unknown>[];
  };
}

describe('whatever a server lists, each real client takes what comes out', () => {
  test.each([
    ['2024-11-05', from20241105],
    ['2025-03-26', from20250326],
    ['2025-06-18', from20250618],
    ['2025-11-25', from20251125],
  ] as const)('%s', (to, reader) => {
    fc.assert(
      fc.property(list, policies, (value, policy) => {
        expect(reader.safeParse(lowered(value, { to, policy })).error).toBeUndefined();
      }),
      { numRuns: 15000 },
    );
  });

  test('2026-07-28', () => {
    const reader = specTypeSchemas.ListToolsResult['~standard'];
    fc.assert(
      fc.property(list, policies, (value, policy) => {
        const result = lowered(value, { to: '2026-07-28', policy });
        // This schema serves all revisions at once; on the wire of this one the client does not look at it.
        for (const entry of result.tools) delete entry['execution'];
        const read = reader.validate(result);
        expect(read).not.toHaveProperty('issues');
      }),
      { numRuns: 15000 },
    );
  });
});

test('whatever a server lists, every input schema fits draft-07 and describes its arrays in the editor', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
  fc.assert(
    fc.property(list, policies, (value, policy) => {
      const { tools } = lowered(value, { reader: 'vscode', policy });
      expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
      for (const { inputSchema } of tools) {
        expect(ajv.validateSchema(inputSchema as object)).toBe(true);
        expect(() => ajv.compile(inputSchema as object)).not.toThrow();
        expect(arraysWithoutItems(inputSchema)).toEqual([]);
      }
    }),
    { numRuns: 15000 },
  );
});

test('what one reader was shown needs nothing when it is lowered for it again', () => {
  fc.assert(
    fc.property(list, policies, fc.constantFrom(...REVISIONS), (value, policy, to) => {
      for (const reader of ['spec', 'vscode'] as const) {
        const once = lowered(value, { to, reader, policy });
        expect(lowerTools(once.tools, { to, reader, policy }).kind).toBe('unchanged');
      }
    }),
    { numRuns: 5000 },
  );
});

test('tools that need nothing keep their bytes among those that need something', () => {
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 3 }), fc.constantFrom(...REVISIONS), (tools, to) => {
      const plain = '{ "name":"plain" , "inputSchema":{"type":"object" },"x":1.0e2,"x":"\\u0061"}';
      const entries = tools.map((entry) => JSON.stringify(entry));
      const outcome = lowerText(`{"tools":[${[plain, ...entries].join(' , ')}]}`, { to });
      const raw = outcome.kind === 'changed' ? outcome.raw.toString() : `[${plain}`;
      expect(raw).toContain(`[${plain}`);
      expect(outcome.kind === 'changed' ? parseRaw(outcome.raw) : {}).toBeDefined();
    }),
    { numRuns: 5000 },
  );
});

test('no bytes at all make it throw', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(...REVISIONS), (value, to) => {
      for (const reader of ['spec', 'vscode'] as const) {
        lowerText(`{"tools":[{"name":"a","inputSchema":${value}},${value}]}`, { to, reader });
        lowerText(value, { to, reader });
      }
    }),
    { numRuns: 5000 },
  );
});

/** Schemas of arrays, in places where Copilot looks, that do not say what is in them. */
function arraysWithoutItems(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Record<string, unknown>;
  const found = node['type'] === 'array' && !node['items'] ? [schema] : [];
  const maps = ['properties', 'patternProperties', 'dependencies'];
  const others = [
    'items',
    'anyOf',
    'allOf',
    'oneOf',
    'additionalProperties',
    'not',
    'if',
    'contains',
  ];
  const inside = [
    ...maps.flatMap((key): unknown[] => Object.values(node[key] ?? {})),
    ...others
      .map((key) => node[key])
      .flatMap((held): unknown[] => (Array.isArray(held) ? held : [held])),
  ];
  return [...found, ...inside.flatMap(arraysWithoutItems)];
}
