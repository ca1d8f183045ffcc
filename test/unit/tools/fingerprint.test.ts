import { describe, expect, test } from 'vitest';
import { listFingerprint, toolFingerprint } from '../../../src/tools/fingerprint.ts';

const TOOL =
  '{"name":"t","title":"T","description":"d","inputSchema":{"type":"object","properties":{"a":{"enum":["x",1.0]}}},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}}';

const of = (text: string): string => toolFingerprint(Buffer.from(text));

describe('the fingerprint of a tool', () => {
  test('is a SHA-256 in hexadecimal digits', () => {
    expect(of(TOOL)).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['white space', TOOL.replaceAll(':', ' : ')],
    ['the order of members', TOOL.replace('"name":"t","title":"T"', '"title":"T","name":"t"')],
    ['the spelling of a string', TOOL.replace('"d"', '"\\u0064"')],
    ['icons and metadata', TOOL.replace('{', '{"icons":[],"_meta":{"n":1},')],
    ['a null that means absent', TOOL.replace('"title":"T"', '"title":"T","x":null')],
  ])('does not see %s', (_, text) => {
    expect(of(text)).toBe(of(TOOL));
  });

  test.each([
    ['the name', TOOL.replace('"t"', '"u"')],
    ['the title', TOOL.replace('"T"', '"U"')],
    ['one byte of the description', TOOL.replace('"d"', '"D"')],
    ['one value of an enum', TOOL.replace('"x"', '"y"')],
    ['the digits of a number', TOOL.replace('1.0', '1.00')],
    ['a large number that rounds to the same', TOOL.replace('1.0', '9007199254740993')],
    ['the output schema', TOOL.replace('"outputSchema":{"type":"object"},', '')],
    ['a hint', TOOL.replace('false', 'true')],
    ['a hint that is no longer declared', TOOL.replace('"readOnlyHint":false', '')],
  ])('sees %s', (_, text) => {
    expect(of(text)).not.toBe(of(TOOL));
  });
});

describe('the fingerprint of a list', () => {
  const list = (...tools: string[]): string =>
    listFingerprint(tools.map((tool) => Buffer.from(tool)));
  const other = TOOL.replace('"t"', '"other"');

  test('does not see the order of the tools', () => {
    expect(list(TOOL, other)).toBe(list(other, TOOL));
  });

  test('does not see metadata, which may change each time', () => {
    expect(list(TOOL.replace('{', '{"_meta":{"n":1},'))).toBe(list(TOOL));
  });

  test.each([
    ['a tool less', [TOOL]],
    ['a tool twice', [TOOL, other, other]],
    ['an icon', [TOOL, other.replace('{', '{"icons":[{"src":"a:"}],')]],
    ['a renamed tool', [TOOL, other.replace('other', 'another')]],
  ])('sees %s', (_, tools) => {
    expect(list(...tools)).not.toBe(list(TOOL, other));
  });

  test('of no tools is one too', () => {
    expect(list()).toMatch(/^[0-9a-f]{64}$/);
  });
});

test.each(['7', 'null', '[]', '{}'])(
  'what is no tool has a fingerprint all the same: %s',
  (text) => {
    expect(of(text)).toMatch(/^[0-9a-f]{64}$/);
  },
);
