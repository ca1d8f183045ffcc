import { describe, expect, test } from 'vitest';
import { PERMISSIVE } from '../../../../src/translate/policy.ts';
import { lowerTools } from './lowering.ts';

const http = { upstream: 'streamableHttp', policy: PERMISSIVE } as const;

const toolWith = (inputSchema: object): unknown => ({
  name: 't',
  inputSchema: { type: 'object', ...inputSchema },
});

const string = (header: unknown): object => ({ type: 'string', 'x-mcp-header': header });

test('valid annotations become headers, nested properties included', () => {
  const tool = toolWith({
    properties: {
      region: string('Region'),
      options: {
        type: 'object',
        properties: { 'dry/run': { type: 'boolean', 'x-mcp-header': 'Dry' } },
      },
      count: { type: 'integer', 'x-mcp-header': "a!#$%&'*+-.^_`|~9" },
    },
  });
  const outcome = lowerTools([tool], http);
  expect(outcome.kind).toBe('unchanged');
  expect(outcome.tools[0]?.paramHeaders).toEqual([
    { header: 'Mcp-Param-Region', path: ['region'] },
    { header: "Mcp-Param-a!#$%&'*+-.^_`|~9", path: ['count'] },
    { header: 'Mcp-Param-Dry', path: ['options', 'dry/run'] },
  ]);
});

const invalid: [string, object, string][] = [
  ['an empty name', { properties: { a: string('') } }, '/properties/a'],
  ['a name that is no string', { properties: { a: string(5) } }, '/properties/a'],
  ['a space', { properties: { a: string('My Region') } }, '/properties/a'],
  ['a line break', { properties: { a: string('x\r\nEvil: 1') } }, '/properties/a'],
  ['a delimiter', { properties: { a: string('a:b') } }, '/properties/a'],
  [
    'a name that differs only in case',
    { properties: { a: string('Region'), b: string('region') } },
    '/properties/b',
  ],
  ['a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }, '/properties/a'],
  ['an object', { properties: { a: { type: 'object', 'x-mcp-header': 'A' } } }, '/properties/a'],
  ['no type', { properties: { a: { 'x-mcp-header': 'A' } } }, '/properties/a'],
  [
    'several types',
    { properties: { a: { type: ['string'], 'x-mcp-header': 'A' } } },
    '/properties/a',
  ],
  ['the root', { 'x-mcp-header': 'A' }, ''],
  ['items', { properties: { a: { type: 'array', items: string('A') } } }, '/properties/a/items'],
  ['a composition', { allOf: [{ properties: { a: string('A') } }] }, '/allOf/0/properties/a'],
  ['a condition', { if: { properties: { a: string('A') } } }, '/if/properties/a'],
  [
    'a definition',
    { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: string('A') } },
    '/$defs/A',
  ],
];

describe('an invalid annotation', () => {
  test.each(invalid)(
    'with %s withholds the tool over HTTP under every policy',
    (_, schema, path) => {
      const outcome = lowerTools(
        [toolWith(schema), { name: 'ok', inputSchema: { type: 'object' } }],
        http,
      );
      expect(outcome.withheld).toMatchObject([
        {
          name: 't',
          refusal: { feature: 'header-annotation', path: `/inputSchema${path}/x-mcp-header` },
        },
      ]);
      expect(outcome.tools).toMatchObject([{ name: 'ok' }]);
    },
  );

  test.each(invalid)('with %s means nothing over stdio', (_, schema) => {
    const outcome = lowerTools([toolWith(schema)], { upstream: 'stdio' });
    expect(outcome.kind).toBe('unchanged');
    expect(outcome.tools[0]?.paramHeaders).toEqual([]);
  });

  test.each(invalid)('with %s means nothing to an older server', (_, schema) => {
    const outcome = lowerTools([toolWith(schema)], { ...http, from: '2025-11-25' });
    expect(outcome.kind).toBe('unchanged');
  });
});

test('a property or a value of that name is no annotation', () => {
  const schema = {
    properties: { 'x-mcp-header': { type: 'number' }, a: { default: { 'x-mcp-header': 1 } } },
  };
  expect(lowerTools([toolWith(schema)], http)).toMatchObject({ kind: 'unchanged', withheld: [] });
});
