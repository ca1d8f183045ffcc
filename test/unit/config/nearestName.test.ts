import { expect, test } from 'vitest';
import { didYouMean, nearestName } from '../../../src/config/nearestName.ts';

const NAMES = ['command', 'args', 'env', 'envFile', 'cwd', 'permissive'];

test.each([
  ['comand', 'command'],
  ['commnad', 'command'],
  ['Command', 'command'],
  ['arg', 'args'],
  ['envfile', 'envFile'],
  ['enb', 'env'],
  ['perm', 'permissive'],
  ['xyz', undefined],
  ['', undefined],
  ['command'.repeat(100), undefined],
])('%j is nearest to %j', (name, expected) => {
  expect(nearestName(name, NAMES)).toBe(expected);
});

test('the words are empty where nothing is near', () => {
  expect(didYouMean('comand', NAMES)).toBe('; did you mean "command"?');
  expect(didYouMean('xyz', NAMES)).toBe('');
});
