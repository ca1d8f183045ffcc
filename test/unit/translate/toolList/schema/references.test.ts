import { describe, expect, test } from 'vitest';
import { PERMISSIVE } from '../../../../../src/translate/policy.ts';
import { badReferenceIn } from '../../../../../src/translate/toolList/schema/references.ts';
import { lowerText } from '../lowering.ts';

const badIn = (schema: unknown): string | undefined =>
  badReferenceIn(Buffer.from(JSON.stringify(schema)))?.path.join('/');

describe('references that stay in their schema', () => {
  test.each([
    { $ref: '#' },
    { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: {} } },
    { properties: { a: { $ref: '#/definitions/A' } }, definitions: { A: true } },
    { properties: { a: { $ref: '#/$defs/a~1b~0c%20d' } }, $defs: { 'a/b~c d': {} } },
    { properties: { a: { $ref: '#/properties/b/prefixItems/1' }, b: { prefixItems: [{}, {}] } } },
    { properties: { a: { $ref: '#here' } }, $defs: { A: { $anchor: 'here' } } },
    { properties: { a: { $ref: '#here' } }, definitions: { A: { $id: '#here' } } },
    { properties: { a: { $dynamicRef: '#here' } }, $defs: { A: { $dynamicAnchor: 'here' } } },
    { properties: { a: { $recursiveRef: '#' } } },
    {
      $id: 'https://e.example/s',
      properties: { a: { $ref: 'https://e.example/s#/$defs/A' } },
      $defs: { A: {} },
    },
    {
      $id: 'https://e.example/s',
      properties: { a: { $ref: 'part' } },
      $defs: { A: { $id: 'part' } },
    },
    { properties: { a: { $ref: 'Node' } }, $defs: { A: { $id: 'Node' } } },
    { properties: { a: { $ref: '#/components/A' } }, components: { A: { type: 'string' } } },
    { properties: { a: { $ref: 'http://json-schema.org/draft-07/schema#' } } },
    { $defs: { A: { $id: 'x', properties: { a: { $ref: '#/$defs/A' } } } } },
  ])('%j', (schema) => {
    expect(badIn(schema)).toBeUndefined();
  });
});

describe('references that nobody may or can follow', () => {
  test.each([
    [{ properties: { z: { $ref: 'http://169.254.169.254/s.json' } } }, 'properties/z/$ref'],
    [{ properties: { z: { $ref: 'file:///etc/passwd' } } }, 'properties/z/$ref'],
    [{ properties: { z: { $ref: 'other.json#/a' } } }, 'properties/z/$ref'],
    [{ properties: { z: { $ref: '//evil.example/s' } } }, 'properties/z/$ref'],
    [{ properties: { z: { $ref: '#/$defs/None' } } }, 'properties/z/$ref'],
    [{ items: [{ $ref: '#gone' }] }, 'items/0/$ref'],
    [{ dependencies: { a: { $ref: '#/x' } } }, 'dependencies/a/$ref'],
    [{ $defs: { A: { $ref: '#/$defs/B' } } }, '$defs/A/$ref'],
    [{ $ref: '#/x', x: { $ref: '#/y' } }, 'x/$ref'],
    [{ $ref: '#/x', x: 'no schema' }, '$ref'],
    [{ $ref: '#/%E0%A4%A' }, '$ref'],
  ])('%j', (schema, path) => {
    expect(badIn(schema)).toBe(path);
  });
});

test.each([
  { properties: { $ref: { type: 'string' } } },
  { properties: { a: { const: { $ref: 'http://x' } } } },
  { properties: { a: { enum: [{ $ref: 'http://x' }], default: { $ref: '#/y' } } } },
  { properties: { a: { $ref: 7 } } },
])('what only looks like a reference is data: %j', (schema) => {
  expect(badIn(schema)).toBeUndefined();
});

test('only the tools with such references are withheld, for every reader and policy', () => {
  const text =
    '{"tools":[{"name":"n","inputSchema":{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"},"k":{"$ref":"#/$defs/Kind"}},"$defs":{"Kind":{"enum":["a","b"]},"Node":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}},{"name":"net","inputSchema":{"type":"object","properties":{"z":{"$ref":"http://169.254.169.254/s.json"}}}},{"name":"gone","inputSchema":{"type":"object","properties":{"z":{"$ref":"#/$defs/None"}}}}]}';
  for (const reader of ['spec', 'vscode'] as const) {
    for (const to of ['2024-11-05', '2025-11-25', '2026-07-28'] as const) {
      const outcome = lowerText(text, { reader, to, policy: PERMISSIVE });
      expect(outcome.tools.map(({ name }) => name)).toEqual(['n']);
      expect(
        outcome.withheld.map(({ name, refusal }) => [name, refusal.feature, refusal.path]),
      ).toEqual([
        ['net', 'schema-reference', '/inputSchema/properties/z/$ref'],
        ['gone', 'schema-reference', '/inputSchema/properties/z/$ref'],
      ]);
    }
  }
});
