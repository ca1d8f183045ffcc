import { expect, test } from 'vitest';
import { fit, pad, textWidth } from '../../../src/cli/textWidth.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['ünïcödé', 7],
  ['u\u0308n', 2],
  ['漢字', 4],
  ['한글', 4],
  ['ｶﾅ', 2],
  ['😀', 2],
  ['👍🏽', 2],
  ['🇩🇪', 2],
  ['é→…', 3],
])('%s takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['漢字漢字', 7, '漢字漢…'],
  ['漢字漢字', 6, '漢字…'],
  ['漢字漢字', 8, '漢字漢字'],
  ['au\u0308o\u0308x', 3, 'au\u0308…'],
  ['abc', 1, '…'],
])('%s in %i columns is %s', (text, width, expected) => {
  expect(fit(text, width)).toBe(expected);
});

test('a padded text takes the width that it was given', () => {
  expect(pad('漢a', 5)).toBe('漢a  ');
  expect(pad('abc', 2)).toBe('abc');
});
