import { parse, parseTree } from 'jsonc-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insertItem } from '../../../../src/config/editors/insertItem.ts';

function insert(text: string, key?: string): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error('There is no tree.');
  return insertItem(text, root, key, { value: { a: 1 } });
}

test.each([
  ['{}', '{\n  "new": {\n    "a": 1\n  }\n}'],
  ['{ }', '{\n  "new": {\n    "a": 1\n  }\n}'],
  ['{\n}', '{\n  "new": {\n    "a": 1\n  }\n}'],
  ['{"x":1}', '{"x":1, "new": {"a":1}}'],
  ['{"x":1,}', '{"x":1, "new": {"a":1},}'],
  ['{"x":1 /* c */ }', '{"x":1, /* c */ "new": {"a":1} }'],
  ['{\n\t"x": 1\n}', '{\n\t"x": 1,\n\t"new": {\n\t\t"a": 1\n\t}\n}'],
  [
    '{\r\n    "x": 1 // c\r\n}',
    '{\r\n    "x": 1, // c\r\n    "new": {\r\n        "a": 1\r\n    }\r\n}',
  ],
  ['{\n  "x": 1, // c\n  // d\n}', '{\n  "x": 1, // c\n  "new": {\n    "a": 1\n  },\n  // d\n}'],
  ['{ // c\n  // d\n}', '{ // c\n  "new": {\n    "a": 1\n  }\n  // d\n}'],
  ['{ /* c */ }', '{ /* c */\n  "new": {\n    "a": 1\n  }\n}'],
  ['{"x": 1 // c\n}', '{"x": 1, // c\n  "new": {"a":1}\n}'],
])('%j gets a member', (text, expected) => {
  expect(insert(text, 'new')).toBe(expected);
});

test('comments cost no time, however many there are', () => {
  const comments = '/**/'.repeat(5000);
  expect(insert(`{\n  ${comments} "x": 1 ${comments}\n}`, 'new')).toContain('"new"');
});

const gap = fc
  .array(fc.constantFrom('', ' ', '\n', '\n  ', '/* , */', '// }\n'), { maxLength: 3 })
  .map((parts) => parts.join(''));

test('whatever is there is there afterwards, in its order, and the new one with it', () => {
  const items = fc.array(fc.tuple(gap, fc.constantFrom('1', '"a"', '{"b":[]}'), gap), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(items, gap, fc.boolean(), (list, inside, trails) => {
      const body = list.map(([before, value, after]) => before + value + after).join(',');
      const text = `[${body}${trails && list.length > 0 ? ',' : ''}${inside}]`;
      const merged = insert(text);
      const options = { allowTrailingComma: true };
      const errors: never[] = [];
      expect(parse(merged, errors, options)).toEqual([
        ...(parse(text, [], options) as unknown[]),
        { a: 1 },
      ]);
      expect(errors).toEqual([]);
      // Of the comments none is lost and none changes places with another.
      const comments = (of: string): string[] => of.match(/\/\* , \*\/|\/\/ \}/g) ?? [];
      expect(comments(merged)).toEqual(comments(text));
    }),
  );
});
