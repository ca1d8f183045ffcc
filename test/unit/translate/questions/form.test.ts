import { describe, expect, test } from 'vitest';
import { lower, type Setting } from './asking.ts';

const FORM = '{"message":"m","requestedSchema":{"type":"object","properties":{"f":';

/** What one field comes to: its text, and the steps without the path that leads to it. */
function field(text: string, setting: Setting = {}, more = ''): unknown {
  const lowered = lower('elicitation/create', `${FORM}${text}}${more}}}`, setting);
  if ('refused' in lowered) return lowered;
  const end = `}${more}}}`;
  const params = lowered.params ?? '';
  expect(params.startsWith(FORM) && params.endsWith(end)).toBe(true);
  const steps = lowered.steps.map((step) => step.replace('/requestedSchema/properties/f', ''));
  return { field: params.slice(FORM.length, -end.length), steps };
}

const to2025 = { to: '2025-06-18' } as const;
const typing = { to: '2025-06-18', policy: 'elicitation-multi-select' } as const;

describe('a field that its reader has', () => {
  test.each([
    '{ "type":"string","minLength":1e0,"format":"date-time","pattern":"^a","x-mine":null }',
    '{"type":"integer","minimum":-0,"maximum":12345678901234567890}',
    '{"type":"boolean","default":false,"title":"\\u0041"}',
    '{"type":"string","enum":["a","b"],"enumNames":["A","B"]}',
  ])('%s keeps its bytes for every revision', (text) => {
    for (const to of ['2025-06-18', '2025-11-25', '2026-07-28', 'draft'] as const) {
      expect(field(text, { to })).toEqual({ field: text, steps: [] });
    }
  });

  test.each([
    '{"type":"string","default":"a"}',
    '{"type":"number","default":1.0}',
    '{"type":"string","oneOf":[{"const":"a","title":"A"}],"default":"a"}',
    '{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"default":["a"]}',
    '{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}',
  ])('%s keeps its bytes from 2025-11-25 on', (text) => {
    for (const to of ['2025-11-25', '2026-07-28', 'draft'] as const) {
      expect(field(text, { to })).toEqual({ field: text, steps: [] });
    }
  });
});

describe('a field for 2025-06-18', () => {
  test('has the titles of a choice in enumNames', () => {
    const text =
      '{"oneOf":[{"const":"lo","title":"Low"},{"const":"hi","title":"High"}],"title":"P"}';
    expect(field(`{"type":"string",${text.slice(1)}`, to2025)).toEqual({
      field: '{"type":"string","title":"P","enum":["lo","hi"],"enumNames":["Low","High"]}',
      steps: ['elicitation-titled-enum  none'],
    });
  });

  test.each([
    ['{"type":"string","default":"Ada"}', '{"type":"string","description":"proposed: Ada"}'],
    [
      '{"type":"number","default":1.50,"description":"How many"}',
      '{"type":"number","description":"How many (proposed: 1.50)"}',
    ],
    [
      '{"type":"string","enum":["a"],"enumNames":["A"],"default":"a"}',
      '{"type":"string","enum":["a"],"enumNames":["A"],"description":"proposed: A"}',
    ],
  ])('says in its description what it has no default for: %s', (text, after) => {
    const steps = ['elicitation-form /default none'];
    expect(field(text, to2025)).toEqual({ field: after, steps });
  });

  test('keeps a default that the server of the same revision gave it', () => {
    const text = '{"type":"string","default":"Ada"}';
    expect(field(text, { from: '2025-06-18', to: '2025-06-18' })).toEqual({
      field: text,
      steps: [],
    });
  });

  test('cannot hold several values, unless the policy lets them be typed', () => {
    const text =
      '{"type":"array","title":"T","description":"Tags","items":{"anyOf":[{"const":"x","title":"Ex"},{"const":"y","title":"y"}]},"minItems":1,"maxItems":2,"default":["x"]}';
    for (const policy of ['strict', 'elicitation-url,elicitation-titled-enum']) {
      expect(field(text, { to: '2025-06-18', policy })).toEqual({
        refused: 'elicitation-multi-select /requestedSchema/properties/f',
        liftable: true,
      });
    }
    const lowered = {
      field:
        '{"type":"string","title":"T","description":"Tags (any of: x (Ex), y; separate several by commas; at least 1; at most 2) (proposed: Ex)"}',
      steps: ['elicitation-multi-select  lossy', 'elicitation-form /default none'],
    };
    expect(field(text, typing)).toEqual(lowered);
    expect(field(text, { to: '2025-06-18', policy: 'permissive' })).toEqual(lowered);
  });

  test('cannot hold several values that are no texts, under any policy', () => {
    const text = '{"type":"array","items":{"type":"integer"}}';
    expect(field(text, { to: '2025-06-18', policy: 'permissive' })).toMatchObject({
      liftable: false,
    });
  });

  test('is refused whether or not an answer is required', () => {
    const text = '{"type":"array","items":{"type":"string","enum":["x"]}}';
    for (const more of ['', ',"required":["f"]']) {
      expect(field(text, to2025, more)).toMatchObject({ liftable: true });
    }
  });
});

describe('a field that no reader has is spelled so that it has', () => {
  const titled = 'elicitation-titled-enum';
  test.each<[string, string, string[]]>([
    [
      '{"oneOf":[{"const":"lo","title":"Low"},{"const":"hi"}]}',
      '{"oneOf":[{"const":"lo","title":"Low"},{"const":"hi","title":"hi"}],"type":"string"}',
      [`${titled}  none`],
    ],
    [
      '{"type":"string","anyOf":[{"const":"a","title":"A"}]}',
      '{"type":"string","oneOf":[{"const":"a","title":"A"}]}',
      [`${titled}  none`],
    ],
    ['{"enum":["a"]}', '{"enum":["a"],"type":"string"}', [`${titled}  none`]],
    [
      '{"type":"array","items":{"oneOf":[{"const":"a"}]}}',
      '{"type":"array","items":{"anyOf":[{"const":"a","title":"a"}]}}',
      [`${titled} /items none`],
    ],
    [
      '{"type":"array","items":{"enum":["a"]}}',
      '{"type":"array","items":{"enum":["a"],"type":"string"}}',
      [`${titled} /items none`],
    ],
    [
      '{"anyOf":[{"type":"integer","minimum":1.0},{"type":"null"}],"default":null,"title":"N"}',
      '{"type":"integer","minimum":1.0,"title":"N"}',
      ['null-member  none', 'null-member /default none'],
    ],
    [
      '{"type":["null","string"],"format":null}',
      '{"type":"string"}',
      ['null-member  none', 'null-member /format none'],
    ],
    [
      '{"type":"string","format":"uuid"}',
      '{"type":"string","description":"format: uuid"}',
      ['elicitation-form /format none'],
    ],
    [
      '{"type":"integer","default":"5"}',
      '{"type":"integer","description":"proposed: 5"}',
      ['elicitation-form /default none'],
    ],
  ])('%s', (text, after, steps) => {
    expect(field(text)).toEqual({ field: after, steps });
  });

  const defs =
    ',"$defs":{"P":{"type":"string","enum":["lo","hi"],"title":"P"},"Q":{"$ref":"#/$defs/P"}}';
  test.each([
    ['{"$ref":"#/$defs/P"}', '{"type":"string","enum":["lo","hi"],"title":"P"}'],
    ['{"$ref":"#/$defs/Q","title":"Mine"}', '{"type":"string","enum":["lo","hi"],"title":"Mine"}'],
    [
      '{"allOf":[{"$ref":"#/$defs/P"}],"description":"d"}',
      '{"type":"string","enum":["lo","hi"],"title":"P","description":"d"}',
    ],
    [
      '{"type":"array","items":{"$ref":"#/$defs/P"}}',
      '{"type":"array","items":{"type":"string","enum":["lo","hi"],"title":"P"}}',
    ],
  ])('%s is written out', (text, after) => {
    expect(field(text, {}, defs)).toMatchObject({
      field: after,
      steps: [expect.stringMatching(/^schema-reference (\/items)? none$/) as string],
    });
  });

  test.each(['"#/$defs/Gone"', '"https://a.test/schema"', '"#/properties/f"', '7', '"#/$defs/L"'])(
    'but a reference to %s is passed on with a warning',
    (target) => {
      const text = `{"$ref":${target}}`;
      const loop = ',"$defs":{"L":{"$ref":"#/$defs/M"},"M":{"$ref":"#/$defs/L"}}';
      const { field: after, steps } = field(text, {}, loop) as { field: string; steps: string[] };
      expect(after).toContain('"$ref"');
      expect(steps).toContain('schema-reference  warning');
    },
  );
});

test('nulls of a form mean absent, and a form without fields is completed', () => {
  const params =
    '{"mode":null,"message":"m","task":null,"requestedSchema":{"required":null,"properties":null}}';
  expect(lower('elicitation/create', params)).toEqual({
    params: '{"message":"m","requestedSchema":{"properties":{},"type":"object"}}',
    steps: [
      'null-member /mode none',
      'null-member /task none',
      'null-member /requestedSchema/required none',
      'elicitation-form /requestedSchema/type none',
      'elicitation-form /requestedSchema/properties none',
    ],
  });
  expect(lower('elicitation/create', '{"message":"m"}')).toMatchObject({
    params: '{"message":"m","requestedSchema":{"type":"object","properties":{}}}',
  });
});

test('a form that is written to cost much costs little', () => {
  const big = `{"type":"string","description":"${'x'.repeat(500_000)}"}`;
  const fields = Array.from({ length: 5000 }, (_, i) => `"f${i}":{"$ref":"#/$defs/big"}`);
  const params = `{"message":"m","requestedSchema":{"type":"object","properties":{${fields.join(',')}},"$defs":{"big":${big}}}}`;
  const lowered = lower('elicitation/create', params);
  expect('params' in lowered && (lowered.params?.length ?? 0)).toBeLessThan(64 * 1024 * 1024);
});
