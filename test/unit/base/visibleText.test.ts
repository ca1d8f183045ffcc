import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasHidden, visible, visibleLines } from '../../../src/base/visibleText.ts';

describe('hidden characters become visible', () => {
  test.each([
    ['a control character', 'a\u0007b', 'a\\u{7}b'],
    ['a terminal escape', '\u001b[31mred', '\\u{1b}[31mred'],
    ['a C1 control', '\u009b31m', '\\u{9b}31m'],
    ['a line break', 'a\r\nb', 'a\\u{d}\\u{a}b'],
    ['a right-to-left override', 'cod\u202egpj.exe', 'cod\\u{202e}gpj.exe'],
    ['a bidirectional isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['a zero-width space', 'pa\u200bss', 'pa\\u{200b}ss'],
    ['a zero-width joiner between letters', 'a\u200db', 'a\\u{200d}b'],
    ['a byte order mark', '\ufeffx', '\\u{feff}x'],
    ['tag characters', 'x\u{e0068}\u{e0069}', 'x\\u{e0068}\\u{e0069}'],
    ['a no-break space', 'a\u00a0b', 'a\\u{a0}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['a blank letter', 'a\u3164b', 'a\\u{3164}b'],
    ['a lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
    ['a private character', '\ue000', '\\u{e000}'],
    ['a variation selector without an emoji', 'a\ufe0f', 'a\\u{fe0f}'],
  ])('%s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(hasHidden(text)).toBe(true);
  });
});

test.each(['plain text, with (marks)!', 'naïve 世界 שלום', 'e\u0301', '❤\ufe0f 👩\u200d💻 🇩🇪', ''])(
  'what can be seen stays: %s',
  (text) => {
    expect(visible(text)).toBe(text);
    expect(hasHidden(text)).toBe(false);
  },
);

test('where lines are shown, line feeds alone stay', () => {
  expect(visibleLines('a\nb\r\u200b')).toBe('a\nb\\u{d}\\u{200b}');
});

test('what is visible stays so, whatever it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = visible(text);
      expect(hasHidden(shown)).toBe(false);
      expect(visible(shown)).toBe(shown);
    }),
  );
});
