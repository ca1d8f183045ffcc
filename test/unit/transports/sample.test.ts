import { describe, expect, test } from 'vitest';
import { secretsIn, sampleOf, safeText } from '../../../src/transports/sample.ts';

describe('safeText', () => {
  test.each([
    ['plain ä 世界 😀', 'plain ä 世界 😀'],
    ['a\nb\r\tc', 'a\\u{a}b\\u{d}  c'],
    [
      '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 a\u0007',
      'red link a\\u{7}',
    ],
    ['\u202egnp.exe\u2028', '\\u{202e}gnp.exe\\u{2028}'],
  ])('%j is shown as %s', (text, expected) => {
    expect(safeText(text)).toBe(expected);
  });
});

describe('sampleOf', () => {
  test('is cut', () => {
    expect(sampleOf(Buffer.alloc(1000, 'x'))).toBe(`${'x'.repeat(200)}…`);
  });

  test('holds no secret and no part of one, wherever it is cut', () => {
    const secret = 'abcdefghij'.repeat(100);
    for (const before of [0, 150, 195, 4090]) {
      const body = Buffer.from(`${'x'.repeat(before)}${secret} ${secret}`);
      expect(sampleOf(body, 200, secretsIn({ authorization: `Bearer ${secret}` }))).not.toContain(
        'abc',
      );
    }
  });

  test('shows what is no UTF-8 as well as it can', () => {
    expect(sampleOf(Buffer.from([0x61, 0xff, 0x00]))).toBe('a\ufffd\\u{0}');
  });
});

describe('secretsIn', () => {
  test('takes a value and what follows its scheme, but nothing short', () => {
    expect(secretsIn({ authorization: 'Bearer 0123456789', 'x-env': 'test' })).toEqual([
      'Bearer 0123456789',
      '0123456789',
    ]);
  });
});
