import { describe, expect, test } from 'vitest';
import { lowerText, lowerTools, textOf } from './lowering.ts';

const listed = (outputSchema: unknown): unknown[] => [
  { name: 'tags', inputSchema: { type: 'object' }, outputSchema },
  { name: 'ok', inputSchema: { type: 'object' } },
];

const bare =
  '{"tools":[{"name":"tags","inputSchema":{"type":"object"}},{"name":"ok","inputSchema":{"type":"object"}}]}';

test('a schema of an array leaves the entry, not the tool the list, and the pair stays told', () => {
  const text =
    '{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{"name":"tags","inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"type":"string"}}},{"name":"ok","inputSchema":{"type":"object"}}]}';
  const outcome = lowerText(text);
  expect(textOf(outcome, text)).toBe(
    '{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{"name":"tags","inputSchema":{"type":"object"}},{"name":"ok","inputSchema":{"type":"object"}}]}',
  );
  expect(outcome.steps).toEqual([
    {
      tool: 'tags',
      feature: 'tool-structured-any',
      path: '/outputSchema',
      before: 'a schema that is not of type "object"',
      after: 'absent',
      loss: 'lossy',
    },
  ]);
  expect(outcome.tools.map(({ outputSchema }) => outputSchema)).toEqual(['removed', 'absent']);
});

test.each([
  { type: 'array' },
  { type: 'string' },
  { properties: {} },
  { oneOf: [{ type: 'object' }] },
  { type: ['object', 'null'] },
  { type: 'object', properties: [] },
  { type: 'object', required: 'a' },
  true,
])('%j is taken out for 2025-06-18 and 2025-11-25', (schema) => {
  for (const to of ['2025-06-18', '2025-11-25'] as const) {
    const outcome = lowerTools(listed(schema), { to });
    expect(textOf(outcome, '')).toBe(bare);
    expect(outcome.steps).toMatchObject([{ feature: 'tool-structured-any', loss: 'lossy' }]);
  }
});

test.each([
  { type: 'array' },
  { properties: {} },
  { $schema: 'https://json-schema.org/draft/2020-12/schema' },
])('%j stays for a reader that types any schema', (schema) => {
  const outcome = lowerTools(listed(schema), { to: '2026-07-28' });
  expect(outcome.kind).toBe('unchanged');
  expect(outcome.tools[0]?.outputSchema).toBe('kept');
});

test.each(['2024-11-05', '2025-03-26'] as const)(
  'any schema is taken out for %s, whose clients get no structured results',
  (to) => {
    const outcome = lowerTools(listed({ type: 'object' }), { to });
    expect(textOf(outcome, '')).toBe(bare);
    expect(outcome.steps).toMatchObject([{ feature: 'tool-structured-output', loss: 'lossy' }]);
  },
);

test.each(['2024-11-05', '2025-03-26'] as const)(
  'a schema that neither revision knows stays for %s, whose clients get what it promises',
  (to) => {
    const outcome = lowerTools(listed({ type: 'object' }), { from: '2024-11-05', to });
    expect(outcome.kind).toBe('unchanged');
    expect(outcome.steps).toEqual([]);
  },
);

test('a schema that neither revision knows, and a client of 2025-03-26 cannot type, leaves the entry', () => {
  const outcome = lowerTools(listed({ type: 'array' }), { from: '2025-03-26', to: '2025-03-26' });
  expect(textOf(outcome, '')).toBe(bare);
});

test('a schema whose dialect is no address leaves the entry', () => {
  for (const to of ['2025-11-25', '2026-07-28'] as const) {
    const outcome = lowerTools(listed({ $schema: 7, type: 'object' }), { to });
    expect(textOf(outcome, '')).toBe(bare);
    expect(outcome.steps).toMatchObject([{ feature: 'tool-definition', loss: 'lossy' }]);
  }
});

test('a dialect of null is absent', () => {
  for (const to of ['2025-11-25', '2026-07-28'] as const) {
    const outcome = lowerTools(listed({ $schema: null, type: 'object' }), { to });
    expect(textOf(outcome, '')).toBe(JSON.stringify({ tools: listed({ type: 'object' }) }));
  }
});

test('a schema of an object stays byte for byte', () => {
  const tools = listed({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' });
  for (const reader of ['spec', 'vscode'] as const) {
    expect(lowerTools(tools, { reader }).kind).toBe('unchanged');
  }
});

test('a schema whose result was broken once is not repeated', () => {
  const outcome = lowerTools(listed({ type: 'object' }), { unpromised: new Set(['tags']) });
  expect(textOf(outcome, '')).toBe(bare);
  expect(outcome.tools[0]?.outputSchema).toBe('removed');
});

describe('small repairs', () => {
  test.each([
    [{ type: ['object'] }, { type: 'object' }],
    [
      { type: 'object', properties: { a: true, b: null } },
      { type: 'object', properties: { a: {}, b: {} } },
    ],
    [{ type: 'object', required: null }, { type: 'object' }],
  ])('%j keeps the pair', (schema, repaired) => {
    const outcome = lowerTools(listed(schema));
    expect(textOf(outcome, '')).toBe(JSON.stringify({ tools: listed(repaired) }));
    expect(outcome.tools[0]?.outputSchema).toBe('kept');
    expect(outcome.steps.every(({ loss }) => loss === 'none')).toBe(true);
  });
});

test.each([
  { type: 'object', properties: { a: { $ref: 'https://example.com/s.json' } } },
  { type: 'object', properties: { a: { $ref: '#/$defs/None' } } },
])('%j, over which clients throw, leaves the entry', (schema) => {
  for (const to of ['2025-11-25', '2026-07-28'] as const) {
    const outcome = lowerTools(listed(schema), { to });
    expect(textOf(outcome, '')).toBe(bare);
    expect(outcome.steps).toMatchObject([{ feature: 'schema-reference', loss: 'lossy' }]);
  }
});
