import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  getAt,
  getMember,
  itemsOf,
  kindOf,
  membersOf,
  parseRaw,
  rawJsonFrom,
  stringOf,
} from '../../../src/protocol/rawJson.ts';
import { MAX_DEPTH } from '../../../src/protocol/jsonScanner.ts';
import { jsonText } from '../../support/arbitraryJson.ts';

const raw = (text: string): Buffer => {
  const value = rawJsonFrom(Buffer.from(text));
  if (value === undefined) throw new Error(`not JSON: ${text}`);
  return value;
};

describe('rawJsonFrom', () => {
  test('takes what JSON.parse takes, and gives its bytes without the space around it', () => {
    fc.assert(
      fc.property(jsonText, fc.constantFrom('', ' ', '\r\n', '\t'), (text, space) => {
        expect(rawJsonFrom(Buffer.from(space + text + space))?.toString('utf8')).toBe(text);
      }),
    );
  });

  test('agrees with JSON.parse on any text of JSON characters', () => {
    const letters = fc.constantFrom(...'{}[],:"0123456789.-+eEtruefalsn \\u');
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 12 }), (text) => {
        const accepted = rawJsonFrom(Buffer.from(text)) !== undefined;
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        // Inside strings the scanner is more generous: their escapes are not its business.
        if (parses) expect(accepted).toBe(true);
        else if (!text.includes('\\')) expect(accepted).toBe(false);
      }),
      { numRuns: 20_000 },
    );
  });

  test('refuses nesting beyond the limit instead of exhausting the stack', () => {
    expect(rawJsonFrom(Buffer.from('['.repeat(1_000_000)))).toBeUndefined();
    const deep = MAX_DEPTH - 1;
    expect(rawJsonFrom(Buffer.from('['.repeat(deep) + ']'.repeat(deep)))).toBeDefined();
  });

  test.each([
    '',
    ' ',
    '{',
    '{"a"}',
    '{"a":1,}',
    '[1,]',
    '01',
    '1.',
    '-',
    '+1',
    '.5',
    'nul',
    '"',
    '"\\"',
  ])('refuses %j', (text) => {
    expect(rawJsonFrom(Buffer.from(text))).toBeUndefined();
  });
});

describe('reading parts', () => {
  test('gives the members in order, duplicates and decoded keys included', () => {
    const members = membersOf(raw('{ "a":1,"\\u0061" : [2] ,"__proto__":{"x":"}"}}'));
    expect(members.map(({ key, value }) => [key, value.toString()])).toEqual([
      ['a', '1'],
      ['a', '[2]'],
      ['__proto__', '{"x":"}"}'],
    ]);
  });

  test('takes the last of duplicate members', () => {
    expect(getMember(raw('{"a":1,"b":2,"a":3}'), 'a')?.toString()).toBe('3');
  });

  test('finds what JSON.parse finds', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const value = raw(text);
        const parsed = JSON.parse(text) as unknown;
        if (Array.isArray(parsed)) expect(itemsOf(value).map(parseRaw)).toEqual(parsed);
        else if (typeof parsed === 'object' && parsed !== null) {
          for (const key of Object.keys(parsed)) {
            const found = getMember(value, key);
            const descriptor = Object.getOwnPropertyDescriptor(parsed, key);
            expect(found === undefined ? 'absent' : parseRaw(found)).toEqual(descriptor?.value);
          }
        }
      }),
    );
  });

  test('follows a path, and ends at undefined where it leads nowhere', () => {
    const value = raw('{"a":[{"b":"x"}]}');
    expect(stringOf(getAt(value, ['a', 0, 'b']))).toBe('x');
    expect(getAt(value, ['a', 1, 'b'])).toBeUndefined();
    expect(getAt(value, ['a', 'b', 'c'])).toBeUndefined();
  });

  test.each([
    ['{}', 'object'],
    ['[]', 'array'],
    ['""', 'string'],
    ['-1', 'number'],
    ['true', 'boolean'],
    ['null', 'null'],
  ])('tells that %s is of the kind %s', (text, kind) => {
    expect(kindOf(raw(text))).toBe(kind);
  });
});
