import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  appendItem,
  arrayOf,
  removeMember,
  setMember,
  splice,
} from '../../../src/protocol/rawEdit.ts';
import { getAt, getMember, membersOf } from '../../../src/protocol/rawJson.ts';
import { jsonText } from '../../support/arbitraryJson.ts';

const edited = (edit: (raw: Buffer) => Buffer, text: string): string =>
  edit(Buffer.from(text)).toString('utf8');

const NEW = Buffer.from('"new"');

describe('setMember', () => {
  test.each([
    ['{}', '{"k":"new"}'],
    ['{ }', '{"k":"new" }'],
    ['{"a":1.0}', '{"a":1.0,"k":"new"}'],
    ['{"k": 1e3 , "a":-0}', '{"k": "new" , "a":-0}'],
    ['{"k":1,"a":2,"k":3}', '{"k":1,"a":2,"k":"new"}'],
  ])('%s becomes %s', (before, after) => {
    expect(edited((raw) => setMember(raw, 'k', NEW), before)).toBe(after);
  });
});

describe('removeMember', () => {
  test.each([
    ['{}', '{}'],
    ['{"k":1}', '{}'],
    ['{"k":1, "a":2}', '{"a":2}'],
    ['{"a":2 , "k":1 }', '{"a":2 }'],
    ['{"a":2,"k":1,"b":3}', '{"a":2,"b":3}'],
    ['{"k":1,"a":2,"k":3}', '{"a":2}'],
  ])('%s becomes %s', (before, after) => {
    expect(edited((raw) => removeMember(raw, 'k'), before)).toBe(after);
  });
});

test('splice replaces one value deep inside and leaves every other byte', () => {
  const before = '{"a":[1.0, {"x":12345678901234567890,"y":"\\u0041"}], "z":-0}';
  const after = '{"a":[1.0, {"x":12345678901234567890,"y":"new"}], "z":-0}';
  expect(edited((raw) => splice(raw, ['a', 1, 'y'], NEW), before)).toBe(after);
  expect(edited((raw) => splice(raw, ['a', 7, 'y'], NEW), before)).toBe(before);
});

test('appendItem and arrayOf keep the items as they are', () => {
  expect(edited((raw) => appendItem(raw, NEW), '[1.0 ]')).toBe('[1.0 ,"new"]');
  expect(edited((raw) => appendItem(raw, NEW), '[ ]')).toBe('[ "new"]');
  expect(arrayOf([Buffer.from('1.0'), NEW]).toString()).toBe('[1.0,"new"]');
});

test('setting a member changes that member alone, whatever stands around it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string(), jsonText), { maxLength: 6 }),
      jsonText,
      (members, text) => {
        const before = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(', ')}}`;
        const after = setMember(Buffer.from(before), 'k', Buffer.from(text));
        expect(getMember(after, 'k')?.toString()).toBe(text);
        const others = (raw: Buffer): string[] =>
          membersOf(raw)
            .filter(({ key }) => key !== 'k')
            .map(({ key, value }) => `${key}=${value.toString()}`);
        expect(others(after)).toEqual(others(Buffer.from(before)));
        expect(getAt(removeMember(after, 'k'), ['k'])).toBeUndefined();
        expect(others(removeMember(after, 'k'))).toEqual(others(Buffer.from(before)));
      },
    ),
  );
});
