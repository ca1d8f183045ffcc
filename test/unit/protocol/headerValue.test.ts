import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeHeaderValue,
  encodeHeaderValue,
  headersFor,
} from '../../../src/protocol/headerValue.ts';

describe('the value of a header', () => {
  // The specification's own examples (2026-07-28, Streamable HTTP, Value Encoding).
  test.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ])('%j is written as %s', (text, value) => {
    expect(encodeHeaderValue(text)).toBe(value);
    expect(decodeHeaderValue(value)).toBe(text);
  });

  test.each([
    ['', '=?base64??='],
    ['a\tb', 'a\tb'],
    ['a\t', '=?base64?YQk=?='],
    ['x\r\nEvil: 1', '=?base64?eA0KRXZpbDogMQ==?='],
    ['=?base64?=', '=?base64?='],
    ['=?BASE64?YQ==?=', '=?BASE64?YQ==?='],
    ['\u007f', '=?base64?fw==?='],
  ])('%j is written as %s, beside the examples', (text, value) => {
    expect(encodeHeaderValue(text)).toBe(value);
    expect(decodeHeaderValue(value)).toBe(text);
  });

  test.each([
    '=?base64?%%%?=',
    '=?base64?YQ?=',
    '=?base64?YQ=?=',
    '=?base64?/w==?=',
    '=?base64?YR==?=',
  ])('%s carries no text', (value) => {
    expect(decodeHeaderValue(value)).toBeUndefined();
  });

  test('of any text is safe in a header and leads back to it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const value = encodeHeaderValue(text);
        expect(value).toMatch(/^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/);
        expect(decodeHeaderValue(value)).toBe(text);
      }),
    );
  });
});

describe('the headers of a call', () => {
  const wanted = [
    { header: 'Mcp-Param-Region', path: ['region'] },
    { header: 'Mcp-Param-Deep', path: ['options', 'a/b'] },
  ];
  const of = (text: string): Record<string, string> => headersFor(wanted, Buffer.from(text));

  test.each([
    [
      '{"region":"us-west1","options":{"a/b":true}}',
      { 'Mcp-Param-Region': 'us-west1', 'Mcp-Param-Deep': 'true' },
    ],
    ['{"region":"\\u4e16"}', { 'Mcp-Param-Region': '=?base64?5LiW?=' }],
    ['{"region":""}', { 'Mcp-Param-Region': '=?base64??=' }],
    ['{"region":false}', { 'Mcp-Param-Region': 'false' }],
    ['{"region":42}', { 'Mcp-Param-Region': '42' }],
    ['{"region":-7}', { 'Mcp-Param-Region': '-7' }],
    ['{"region":42.0}', { 'Mcp-Param-Region': '42' }],
    ['{"region":1e3}', { 'Mcp-Param-Region': '1000' }],
    ['{"region":-0}', { 'Mcp-Param-Region': '0' }],
    ['{"region":9007199254740993}', { 'Mcp-Param-Region': '9007199254740993' }],
    ['{"region":1,"region":2}', { 'Mcp-Param-Region': '2' }],
    ['{"region":null}', {}],
    ['{"region":[1]}', {}],
    ['{"region":{}}', {}],
    ['{"options":"a/b"}', {}],
    ['{}', {}],
    ['[]', {}],
  ])('with %s', (text, headers) => {
    expect(of(text)).toEqual(headers);
  });

  test('without arguments are none', () => {
    expect(headersFor(wanted, undefined)).toEqual({});
  });
});
