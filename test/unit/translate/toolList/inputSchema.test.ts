import { describe, expect, test } from 'vitest';
import { PERMISSIVE } from '../../../../src/translate/policy.ts';
import { lowerSchema, lowerText, lowerTools, textOf } from './lowering.ts';

describe('a schema that forgets to say "object"', () => {
  test.each([
    [{}, { type: 'object' }, '/inputSchema/type'],
    [{ properties: {} }, { properties: {}, type: 'object' }, '/inputSchema/type'],
    [{ type: ['object', 'null'] }, { type: 'object' }, '/inputSchema/type'],
  ])('%j says it for every reader, which loses nothing', (schema, completed, path) => {
    for (const reader of ['spec', 'vscode'] as const) {
      expect(lowerSchema(schema, { reader })).toEqual({
        schema: completed,
        steps: [`tool-definition ${path} none`],
        withheld: [],
      });
    }
  });

  test('is added where it is missing altogether', () => {
    const outcome = lowerTools([{ name: 't' }]);
    expect(textOf(outcome, '')).toBe('{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}');
  });

  test('is a missing one where it is null', () => {
    expect(lowerSchema(null)).toEqual({
      schema: { type: 'object' },
      steps: ['null-member /inputSchema none', 'tool-definition /inputSchema none'],
      withheld: [],
    });
  });
});

test.each([
  [true, '/inputSchema'],
  ['object', '/inputSchema'],
  [[], '/inputSchema'],
  [{ type: 'string' }, '/inputSchema/type'],
  [{ type: ['string', 'null'] }, '/inputSchema/type'],
  [{ type: 7 }, '/inputSchema/type'],
])('%j takes no object and withholds the tool under every policy', (schema, path) => {
  expect(lowerSchema(schema, { policy: PERMISSIVE })).toMatchObject({
    schema: undefined,
    withheld: [`tool-definition ${path}`],
  });
});

describe('properties', () => {
  const text =
    '{"tools":[{"name":"t","inputSchema":{"type":"object", "properties":{"a": true,"b":false , "c":{"type":"integer","maximum":12345678901234567890}}}}]}';

  test('with boolean schemas are objects for legacy readers', () => {
    const outcome = lowerText(text);
    expect(textOf(outcome, text)).toBe(
      text.replace('"a": true', '"a": {}').replace('"b":false', '"b":{"not":{}}'),
    );
    expect(outcome.steps.map(({ path, loss }) => [path, loss])).toEqual([
      ['/inputSchema/properties/a', 'none'],
      ['/inputSchema/properties/b', 'none'],
    ]);
  });

  test('with boolean schemas are what a modern reader knows', () => {
    expect(lowerText(text, { to: '2026-07-28' }).kind).toBe('unchanged');
  });

  test('without a schema take anything', () => {
    expect(lowerSchema({ type: 'object', properties: { a: null } })).toEqual({
      schema: { type: 'object', properties: { a: {} } },
      steps: ['null-member /inputSchema/properties/a none'],
      withheld: [],
    });
  });

  test('with something that is no schema are judged by policy', () => {
    const schema = { type: 'object', properties: { a: 'string' } };
    expect(lowerSchema(schema).withheld).toEqual(['tool-definition /inputSchema/properties/a']);
    expect(lowerSchema(schema, { policy: PERMISSIVE }).schema).toEqual({
      type: 'object',
      properties: { a: {} },
    });
  });

  test.each([
    ['properties', []],
    ['required', 'a'],
    ['required', [1]],
    ['$schema', 7],
  ])('"%s" of a wrong type is judged by policy', (key, value) => {
    const schema = { type: 'object', [key]: value };
    expect(lowerSchema(schema).withheld).toEqual([`tool-definition /inputSchema/${key}`]);
    expect(lowerSchema(schema, { policy: PERMISSIVE }).schema).toEqual({ type: 'object' });
  });

  test.each(['$schema', 'properties', 'required'])('"%s" of null is absent', (key) => {
    expect(lowerSchema({ type: 'object', [key]: null })).toEqual({
      schema: { type: 'object' },
      steps: [`null-member /inputSchema/${key} none`],
      withheld: [],
    });
  });
});
