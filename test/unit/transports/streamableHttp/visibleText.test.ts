import { describe, expect, test } from 'vitest';
import {
  secretsIn,
  visibleSample,
  visibleText,
} from '../../../../src/transports/streamableHttp/visibleText.ts';

describe('visibleText', () => {
  test.each([
    ['plain ä 世界 😀', 'plain ä 世界 😀'],
    ['a\nb\r\tc', 'a\\u000ab\\u000d\\u0009c'],
    ['\u001b[31mred', '\\u001b[31mred'],
    ['\u202egnp.exe\u2028', '\\u202egnp.exe\\u2028'],
  ])('%j is shown as %s', (text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });
});

describe('visibleSample', () => {
  test('is cut', () => {
    expect(visibleSample(Buffer.alloc(1000, 'x'))).toBe(`${'x'.repeat(200)}…`);
  });

  test('holds no secret and no part of one, wherever it is cut', () => {
    const secret = 'abcdefghij'.repeat(100);
    for (const before of [0, 150, 195, 4090]) {
      const body = Buffer.from(`${'x'.repeat(before)}${secret} ${secret}`);
      expect(visibleSample(body, secretsIn({ authorization: `Bearer ${secret}` }))).not.toContain(
        'abc',
      );
    }
  });

  test('shows what is no UTF-8 as well as it can', () => {
    expect(visibleSample(Buffer.from([0x61, 0xff, 0x00]))).toBe('a\ufffd\\u0000');
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
