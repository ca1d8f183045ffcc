import { expect, test } from 'vitest';
import { locate } from '../../../src/config/locate.ts';
import { unmark } from './markedText.ts';

test.each<[string, (string | number)[]]>([
  ['{"servers": {‹"x"›: {"command": "n"}}}', []],
  ['{"servers": {‹"x"›: {"command": "n"}}}', ['cwd']],
  ['{"servers": {"x": {"command": ‹"n"›}}}', ['command']],
  ['{"servers": {"x": {"args": ["a", ‹"b"›]}}}', ['args', 1]],
  ['{"servers": {"x": {}, "x": {"env": {"A": ‹null›}}}}', ['env', 'A']],
])('%s %j', (marked, path) => {
  const { text, ranges } = unmark(marked);
  expect(locate(text, 'x', path)).toEqual(ranges[0]);
});

test.each(['', '[]', '{}', '{"servers": {"y": {}}}'])('%j has no such server', (text) => {
  expect(locate(text, 'x', [])).toBeUndefined();
});
