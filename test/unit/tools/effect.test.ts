import { expect, test } from 'vitest';
import { effectOf } from '../../../src/tools/effect.ts';
import { readHints } from '../../../src/tools/hints.ts';

test.each([
  [{}, 'write'],
  [{ readOnlyHint: true }, 'read'],
  [{ readOnlyHint: true, destructiveHint: false, idempotentHint: true }, 'read'],
  [{ idempotentHint: true }, 'idempotent'],
  [{ destructiveHint: false }, 'write'],
  [{ readOnlyHint: true, destructiveHint: true }, 'write'],
  [{ readOnlyHint: 'yes' }, 'write'],
] as const)('the effect of %j is %s', (annotations, effect) => {
  const tool = Buffer.from(JSON.stringify({ name: 't', annotations }));
  expect(effectOf(readHints(tool))).toBe(effect);
});

test('the user’s word wins over the hints, as an effect and as a hint', () => {
  const tool = Buffer.from('{"annotations":{"readOnlyHint":true,"destructiveHint":true}}');
  expect(effectOf(readHints(tool), 'idempotent')).toBe('idempotent');
  expect(effectOf(readHints(tool, { readOnlyHint: true }))).toBe('read');
});
