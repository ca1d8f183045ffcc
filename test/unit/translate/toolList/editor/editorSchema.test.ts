import { describe, expect, test } from 'vitest';
import { PERMISSIVE } from '../../../../../src/translate/policy.ts';
import { lowerSchema, lowerText, lowerTools, textOf } from '../lowering.ts';

const inEditor = { reader: 'vscode' } as const;
const permissive = { ...inEditor, policy: PERMISSIVE } as const;

const property = (schema: unknown): object => ({ type: 'object', properties: { p: schema } });

describe('the dialect', () => {
  test('that is declared as another one is rewritten and no longer declared', () => {
    const text =
      '{"tools":[{"name":"shot","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"number","maximum":1.0}]}}},"outputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}}]}';
    const outcome = lowerText(text, inEditor);
    expect(textOf(outcome, text)).toBe(
      '{"tools":[{"name":"shot","inputSchema":{"type":"object","properties":{"p":{"type":"array","items":[{"type":"number","maximum":1.0}]}}},"outputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}}]}',
    );
    expect(outcome.steps.map(({ feature, path, loss }) => [feature, path, loss])).toEqual([
      ['schema-dialect', '/inputSchema/properties/p/prefixItems', 'none'],
      ['schema-dialect', '/inputSchema/$schema', 'none'],
    ]);
  });

  test.each(['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft-07/schema'])(
    'draft-07 stays declared: %s',
    ($schema) => {
      expect(lowerSchema({ $schema, type: 'object' }, inEditor).steps).toEqual([]);
    },
  );

  test.each([
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-06/schema#',
    'https://json-schema.org/draft/2019-09/schema',
  ])('%s is removed without loss', ($schema) => {
    expect(lowerSchema({ $schema, type: 'object' }, inEditor)).toEqual({
      schema: { type: 'object' },
      steps: ['schema-dialect /inputSchema/$schema none'],
      withheld: [],
    });
  });

  test('that nobody knows is judged by policy', () => {
    const schema = { $schema: 'https://example.com/schema', type: 'object' };
    expect(lowerSchema(schema, inEditor).withheld).toEqual(['schema-dialect /inputSchema/$schema']);
    expect(lowerSchema(schema, permissive).schema).toEqual({ type: 'object' });
    expect(lowerSchema(schema).steps).toEqual([]);
  });
});

describe('schemas that are not complete', () => {
  test.each<[unknown, unknown]>([
    [{ type: 'array' }, { type: 'array', items: {} }],
    [
      { type: 'array', items: true },
      { type: 'array', items: {} },
    ],
    [
      { type: 'array', items: false },
      { type: 'array', items: { not: {} } },
    ],
    [{ type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
    [{ anyOf: [true, { type: 'array' }] }, { anyOf: [{}, { type: 'array', items: {} }] }],
    [{ type: 'string', description: null }, { type: 'string' }],
    [{ enum: [1, 1, 1.0] }, { enum: [1] }],
    [
      { type: 'number', minimum: 0, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 0 },
    ],
    [
      { type: 'number', maximum: 9, exclusiveMaximum: false },
      { type: 'number', maximum: 9 },
    ],
    [
      { type: 'object', properties: { q: null } },
      { type: 'object', properties: { q: {} } },
    ],
  ])('%j is completed, which loses nothing', (schema, completed) => {
    const { schema: lowered, steps, withheld } = lowerSchema(property(schema), inEditor);
    expect(lowered).toEqual(property(completed));
    expect(withheld).toEqual([]);
    for (const step of steps) expect(step).toMatch(/^\S+ \/inputSchema\/properties\/p\S+ none$/);
  });

  test.each<[unknown, string]>([
    [{ type: 'any' }, '/type'],
    [{ type: 'string', required: true }, '/required'],
    [{ enum: [] }, '/enum'],
    [{ properties: [] }, '/properties'],
    [{ minLength: -1 }, '/minLength'],
    [{ multipleOf: 0 }, '/multipleOf'],
    [{ format: 5 }, '/format'],
    [{ items: [] }, '/items'],
    [{ anyOf: {} }, '/anyOf'],
    [{ properties: { q: 'string' } }, '/properties/q'],
    [{ dependencies: { q: [1] } }, '/dependencies'],
  ])('%j does not fit draft-07 and is judged by policy', (schema, path) => {
    const place = `/inputSchema/properties/p${path}`;
    expect(lowerSchema(property(schema), inEditor).withheld).toEqual([`schema-dialect ${place}`]);
    expect(lowerSchema(property(schema), permissive)).toMatchObject({
      steps: [`schema-dialect ${place} lossy`],
      withheld: [],
    });
  });

  test.each<unknown>([
    { default: null, const: null, examples: [null], 'x-new': null, deprecated: true },
    { additionalProperties: false, additionalItems: false },
    { pattern: '(?i)x', format: 'no-such-format' },
    { type: 'object', required: ['not-there'], oneOf: [{}, { minProperties: 1 }] },
  ])('%j is left alone', (schema) => {
    expect(lowerSchema(property(schema), inEditor)).toMatchObject({ steps: [], withheld: [] });
  });
});

const node = {
  type: 'object',
  properties: { kids: { type: 'array', items: { $ref: '#/$defs/Node' } } },
};
const kind = { enum: ['a', 'b'] };
const tree = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/Node' }, k: { $ref: '#/$defs/Kind' } },
  $defs: { Kind: kind, Node: node },
};

describe('references', () => {
  test('to parts are written out byte for byte', () => {
    const text =
      '{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"k": {"$ref":"#/$defs/K"} },"$defs":{"K":{ "maximum":12345678901234567890, "default":1.0,"description":"\\u0061" }}}}]}';
    const outcome = lowerText(text, inEditor);
    expect(textOf(outcome, text)).toBe(
      '{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"k": { "maximum":12345678901234567890, "default":1.0,"description":"\\u0061" } }}}]}',
    );
    expect(outcome.steps).toMatchObject([
      { feature: 'schema-reference', path: '/inputSchema', loss: 'none' },
    ]);
  });

  test('that recur stay where the policy allows no loss, and the others are written out', () => {
    expect(lowerSchema(tree, inEditor)).toEqual({
      schema: { ...tree, properties: { root: { $ref: '#/$defs/Node' }, k: kind } },
      steps: [
        'schema-reference /inputSchema/$defs/Node warning',
        'schema-reference /inputSchema none',
      ],
      withheld: [],
    });
  });

  test('that recur are cut three levels deep where the policy allows it', () => {
    const around = (items: unknown): unknown => ({
      type: 'object',
      properties: { kids: { type: 'array', items } },
    });
    expect(lowerSchema(tree, permissive)).toEqual({
      schema: { type: 'object', properties: { root: around(around(around({}))), k: kind } },
      steps: [
        'schema-reference /inputSchema/$defs/Node lossy',
        'schema-reference /inputSchema none',
      ],
      withheld: [],
    });
  });

  test('to the whole schema are recursive', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } } };
    expect(lowerSchema(schema, inEditor).schema).toEqual(schema);
    expect(lowerSchema(schema, permissive).schema).toEqual({
      type: 'object',
      properties: {
        next: {
          type: 'object',
          properties: {
            next: {
              type: 'object',
              properties: { next: { type: 'object', properties: { next: {} } } },
            },
          },
        },
      },
    });
  });

  test.each<[string, object, object]>([
    [
      'a description of its own',
      {
        properties: { a: { $ref: '#/$defs/K', description: 'mine' } },
        $defs: { K: { ...kind, description: 'its' } },
      },
      { properties: { a: { ...kind, description: 'mine' } } },
    ],
    [
      'constraints of another kind',
      { properties: { a: { $ref: '#/$defs/K', minLength: 2 } }, $defs: { K: { type: 'string' } } },
      { properties: { a: { type: 'string', minLength: 2 } } },
    ],
    [
      'constraints that meet',
      {
        properties: { a: { $ref: '#/$defs/K', properties: { y: {} } } },
        $defs: { K: { properties: { x: {} }, additionalProperties: false } },
      },
      {
        properties: {
          a: {
            properties: { y: {} },
            allOf: [{ properties: { x: {} }, additionalProperties: false }],
          },
        },
      },
    ],
    [
      'all of the root',
      {
        $ref: '#/$defs/Args',
        $defs: { Args: { type: 'object', properties: { x: kind }, required: ['x'] } },
      },
      { properties: { x: kind }, required: ['x'] },
    ],
    [
      'a name instead of a pointer',
      { properties: { a: { $ref: '#here' } }, $defs: { K: { $anchor: 'here', ...kind } } },
      { properties: { a: kind } },
    ],
    [
      'an address of its own',
      {
        $id: 'https://e.example/s',
        properties: { a: { $ref: 'https://e.example/part' } },
        definitions: { K: { $id: 'part', ...kind } },
      },
      { $id: 'https://e.example/s', properties: { a: kind } },
    ],
    [
      'a boolean behind it',
      { properties: { a: { $ref: '#/$defs/No', title: 'T' } }, $defs: { No: false } },
      { properties: { a: { not: {}, title: 'T' } } },
    ],
    [
      'a chain behind it',
      { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { $ref: '#/$defs/B' }, B: kind } },
      { properties: { a: kind } },
    ],
    [
      'an array to complete',
      { properties: { a: { type: 'array', $ref: '#/$defs/L' } }, $defs: { L: { maxItems: 3 } } },
      { properties: { a: { type: 'array', maxItems: 3, items: {} } } },
    ],
  ])('with %s are written out', (_, schema, expanded) => {
    const { schema: lowered, withheld } = lowerSchema({ type: 'object', ...schema }, inEditor);
    expect(withheld).toEqual([]);
    expect(lowered).toEqual({ type: 'object', ...expanded });
  });

  test('to a composition do not lose its unevaluated properties unseen', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/B', unevaluatedProperties: false } },
      $defs: { B: { properties: { x: {} } } },
    };
    expect(lowerSchema(schema, inEditor).withheld).toEqual([
      'schema-dialect /inputSchema/properties/a/unevaluatedProperties',
    ]);
  });

  test('stay for a client of the specification', () => {
    expect(lowerSchema(tree).steps).toEqual([]);
  });
});

describe('schemas made to exhaust their reader', () => {
  const chain = (levels: number): object => {
    const $defs: Record<string, unknown> = {};
    for (let level = 0; level < levels; level++) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      $defs[`d${level}`] = { type: 'object', properties: { l: next, r: next } };
    }
    $defs[`d${levels}`] = { type: 'string' };
    return { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs };
  };

  test('a chain that doubles twenty times withholds its tool at once', () => {
    const start = performance.now();
    const outcome = lowerTools(
      [{ name: 'bomb', inputSchema: chain(20) }, { name: 'ok' }],
      permissive,
    );
    expect(performance.now() - start).toBeLessThan(2000);
    expect(outcome.tools).toMatchObject([{ name: 'ok' }]);
    expect(outcome.withheld).toMatchObject([
      { name: 'bomb', refusal: { feature: 'schema-reference', path: '/inputSchema' } },
    ]);
  });

  test('one that doubles a few times is written out', () => {
    expect(lowerSchema(chain(5), inEditor).withheld).toEqual([]);
  });

  test('definitions that all contain each other stay as they are', () => {
    const $defs: Record<string, unknown> = {};
    for (let i = 0; i < 30; i++) {
      const properties: Record<string, unknown> = {};
      for (let j = 0; j < 30; j++) properties[`p${j}`] = { $ref: `#/$defs/m${j}` };
      $defs[`m${i}`] = { type: 'object', properties };
    }
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/m0' } }, $defs };
    const { schema: lowered, withheld } = lowerSchema(schema, permissive);
    expect(withheld).toEqual([]);
    expect(lowered).toEqual(schema);
  });

  test('a chain of a thousand references neither hangs nor throws', () => {
    const $defs: Record<string, unknown> = {};
    for (let i = 0; i < 1000; i++) $defs[`d${i}`] = { not: { $ref: `#/$defs/d${i + 1}` } };
    $defs['d1000'] = {};
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs };
    expect(lowerSchema(schema, permissive).withheld).toEqual(['schema-reference /inputSchema']);
  });

  test('a large schema without references is nobody’s business', () => {
    const schema = property({ enum: Array.from({ length: 60_000 }, (_, i) => `value ${i}`) });
    expect(lowerSchema(schema, inEditor)).toMatchObject({ steps: [], withheld: [] });
  });

  test('nesting as deep as it is read at all neither hangs nor throws', () => {
    const deep = `${'{"not":'.repeat(500)}{}${'}'.repeat(500)}`;
    const text = `{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":${deep}}}}]}`;
    expect(lowerText(text, inEditor).tools.length).toBeLessThanOrEqual(1);
  });

  test('names that no address can hold do not throw', () => {
    const text =
      '{"tools":[{"name":"t","inputSchema":{"type":"object","$defs":{"\\ud800%":{"properties":{"a":{"$ref":"#/$defs/\\ud800%25"}}}},"properties":{"a":{"$ref":"#/$defs/\\ud800%25"}}}}]}';
    for (const policy of [permissive, inEditor]) {
      expect(lowerText(text, policy).tools).toHaveLength(1);
    }
  });
});
