import { describe, expect, test } from 'vitest';
import { PERMISSIVE } from '../../../../../src/translate/policy.ts';
import { lowerSchema } from '../lowering.ts';

const inEditor = { reader: 'vscode' } as const;

const property = (schema: object): object => ({ type: 'object', properties: { p: schema } });

const number = { type: 'number' };
const string = { type: 'string' };

describe('keywords that draft-07 writes otherwise are rewritten, which loses nothing', () => {
  test.each<[string, object, object]>([
    ['a tuple', { prefixItems: [number] }, { items: [number] }],
    [
      'a tuple with a rest',
      { prefixItems: [number], items: string },
      { items: [number], additionalItems: string },
    ],
    [
      'a closed tuple',
      { prefixItems: [number], items: false },
      { items: [number], additionalItems: { not: {} } },
    ],
    ['an empty tuple', { prefixItems: [], items: string }, { items: string }],
    [
      'items beside additionalItems',
      { prefixItems: [number], additionalItems: false },
      { items: [number] },
    ],
    [
      'dependents',
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
    ],
    [
      'dependents of one name',
      { dependentRequired: { a: ['b'] }, dependentSchemas: { a: { minProperties: 2 } } },
      { dependencies: { a: { allOf: [{ required: ['b'] }, { minProperties: 2 }] } } },
    ],
    [
      'unevaluatedProperties with nothing composed',
      { properties: { a: {} }, unevaluatedProperties: false },
      { properties: { a: {} }, additionalProperties: false },
    ],
    [
      'unevaluatedProperties beside additionalProperties',
      { allOf: [{}], additionalProperties: string, unevaluatedProperties: false },
      { allOf: [{}], additionalProperties: string },
    ],
    [
      'unevaluatedProperties that take anything',
      { anyOf: [{}], unevaluatedProperties: true },
      { anyOf: [{}] },
    ],
    ['unevaluatedItems', { unevaluatedItems: number }, { items: number }],
    [
      'unevaluatedItems behind a tuple',
      { prefixItems: [string], unevaluatedItems: false },
      { items: [string], additionalItems: { not: {} } },
    ],
    [
      'unevaluatedItems beside items',
      { items: number, unevaluatedItems: false },
      { items: number },
    ],
    ['minContains of one', { contains: number, minContains: 1 }, { contains: number }],
    ['minContains of none', { contains: number, minContains: 0 }, {}],
    ['numbers without contains', { minContains: 2, maxContains: 3 }, {}],
  ])('%s', (_, schema, rewritten) => {
    const { schema: lowered, steps, withheld } = lowerSchema(property(schema), inEditor);
    expect(lowered).toEqual(property(rewritten));
    expect(withheld).toEqual([]);
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) expect(step).toMatch(/ none$/);
  });
});

describe('keywords that draft-07 cannot say', () => {
  test.each<[string, object, object, string]>([
    [
      'unevaluatedProperties of a composition',
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { allOf: [{ properties: { a: {} } }] },
      'unevaluatedProperties',
    ],
    [
      'unevaluatedItems beside contains',
      { contains: number, unevaluatedItems: false },
      { contains: number },
      'unevaluatedItems',
    ],
    [
      'minContains of two',
      { contains: number, minContains: 2 },
      { contains: number },
      'minContains',
    ],
    ['maxContains', { contains: number, maxContains: 2 }, { contains: number }, 'maxContains'],
  ])('%s withhold the tool or fall by policy', (_, schema, without, keyword) => {
    const path = `/inputSchema/properties/p/${keyword}`;
    expect(lowerSchema(property(schema), inEditor).withheld).toEqual([`schema-dialect ${path}`]);
    expect(lowerSchema(property(schema), { ...inEditor, policy: PERMISSIVE })).toEqual({
      schema: property(without),
      steps: [`schema-dialect ${path} lossy`],
      withheld: [],
    });
  });
});

test('in a schema that says it is draft-07 they mean nothing and stay', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...property({ prefixItems: [number], unevaluatedProperties: false, allOf: [{}] }),
  };
  expect(lowerSchema(schema, inEditor)).toMatchObject({ schema, steps: [] });
});

test('a client of the specification gets them as they are', () => {
  const schema = property({ type: 'array', prefixItems: [true], dependentRequired: { a: ['b'] } });
  expect(lowerSchema(schema)).toEqual({ schema, steps: [], withheld: [] });
});
