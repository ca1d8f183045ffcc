import fc from 'fast-check';

const numberText = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '1e3',
    '1E-400',
    '1e400',
    '12345678901234567890',
    '9007199254740993',
  ),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

const stringText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '"\\u0041"',
    '"\\ud800"',
    '"\\/"',
    '"\u2028"',
    '"😀"',
    '"{\\"id\\":1}"',
    '"\\\\"',
    `"${'x'.repeat(200)}\\""`,
  ),
);

const keyText = fc.oneof(
  stringText,
  fc.constantFrom('"__proto__"', '"id"', '"method"', '"result"', '"a"', '"constructor"', '"1"'),
);

/** JSON text in every spelling that parsers differ on: big and odd numbers, escapes, duplicates, white space. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    numberText,
    stringText,
    fc.array(tie('value'), { maxLength: 4 }).chain((items) => joined('[', items, ']')),
    fc.array(fc.tuple(keyText, tie('value')), { maxLength: 4 }).chain((members) =>
      joined(
        '{',
        members.map(([key, value]) => `${key}: ${value}`),
        '}',
      ),
    ),
  ),
})).value;

function joined(open: string, parts: readonly string[], close: string): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom('', ' ', '\t', '  '), {
      minLength: parts.length + 1,
      maxLength: parts.length + 1,
    })
    .map((spaces) => {
      const body = parts.map((part, i) => `${spaces[i] ?? ''}${part}`).join(',');
      return `${open}${body}${spaces.at(-1) ?? ''}${close}`;
    });
}

/** An object in any spelling. */
export const objectText: fc.Arbitrary<string> = fc
  .array(fc.tuple(keyText, jsonText), { maxLength: 3 })
  .chain((members) =>
    joined(
      '{',
      members.map(([key, value]) => `${key}:${value}`),
      '}',
    ),
  );

/** A string that every reader of JSON takes for text. */
export const plainText: fc.Arbitrary<string> = fc
  .string({ unit: 'binary' })
  .map((text) => JSON.stringify(text));

/** A `_meta` with keys of somebody's own. */
export const metaText: fc.Arbitrary<string> = fc
  .array(jsonText, { maxLength: 3 })
  .map((values) => `{${values.map((value, i) => `"example.com/${i}": ${value}`).join(', ')}}`);

/** What a peer may use as an id or a progress token: any string, any number. */
export const idText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('1', '"1"', '0', '""', '12345678901234567890', '"\\u0041"', '"a\\"b"', '-7'),
  fc.integer().map(String),
  plainText,
);
