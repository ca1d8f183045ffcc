import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quote } from '../../../src/config/quote.ts';

test.each([
  ['a b', '"a b"'],
  ['', '""'],
  ['"\\', '"\\"\\\\"'],
  ['\n\u202e', '"\\u{a}\\u{202e}"'],
])('%j in quotes', (text, expected) => {
  expect(quote(text)).toBe(expected);
});

test('two different texts never look the same in quotes', () => {
  const unit = fc.constantFrom('\\', '"', 'u', '{', '}', 'n', 'a', '0', '\n', '\u000b');
  const text = fc.string({ unit, maxLength: 8 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(quote(a) === quote(b)).toBe(a === b);
    }),
  );
});
