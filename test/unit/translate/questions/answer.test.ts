import { describe, expect, test } from 'vitest';
import { lift, type Setting } from './asking.ts';

const ELICIT = 'elicitation/create';
const TAGS =
  '{"type":"array","items":{"anyOf":[{"const":"x","title":"Ex"},{"const":"y","title":"Why"},{"const":"a, b","title":"Both"}]},"minItems":1,"maxItems":2}';
const form = (properties: string, required = '[]'): string =>
  `{"message":"m","requestedSchema":{"type":"object","properties":${properties},"required":${required}}}`;
const accept = (content: string): string => `{ "action":"accept","content":${content} }`;
const typing: Setting = { to: '2025-06-18', policy: 'elicitation-multi-select' };

describe('an answer to a form that the client was shown as it is', () => {
  const params = form(
    '{"n":{"type":"integer","minimum":1},"s":{"type":"string"},"o":{"anyOf":[{"type":"string"},{"type":"null"}]}}',
    '["n"]',
  );
  const shown = form('{"n":{"type":"integer","minimum":1},"s":{"type":"string"}}', '["n"]');

  test('keeps its bytes, extra values and members included', () => {
    for (const answer of [
      '{"action":"accept","content":{"n":1e0,"s":"\\u0041","extra":[1.0]},"_meta":{"k":-0}}',
      '{ "action":"decline" }',
      '{"action":"cancel","content":{"n":"wrong"}}',
      '{"action":"reject"}',
      '{}',
    ]) {
      expect(lift(ELICIT, shown, answer)).toEqual({ result: answer, steps: [] });
    }
  });

  test.each([
    ['/content/n', '{"n":0}'],
    ['/content/n', '{"n":1.5}'],
    ['/content/n', '{"n":"1"}'],
    ['/content/n', '{"s":"a"}'],
    ['/content/s', '{"n":1,"s":["a"]}'],
  ])('crosses with a warning where it does not fit (%s of %s)', (path, content) => {
    const result = accept(content);
    const steps = [`elicitation-form ${path} warning`];
    expect(lift(ELICIT, shown, result)).toEqual({ result, steps });
    expect(lift(ELICIT, shown, result, { from: '2025-06-18' })).toEqual({ result, steps });
  });

  test('without any content crosses with a warning where an answer is required', () => {
    const result = '{"action":"accept"}';
    const steps = ['elicitation-form /content/n warning'];
    expect(lift(ELICIT, shown, result)).toEqual({ result, steps });
    expect(lift(ELICIT, form('{}'), result)).toEqual({ result, steps: [] });
  });

  test('may be null where the server said so', () => {
    const result = accept('{"n":1,"o":null}');
    expect(lift(ELICIT, params, result)).toEqual({ result, steps: [] });
  });
});

describe('values typed for a choice of several', () => {
  test.each<[string, string]>([
    ['"x"', '["x"]'],
    ['" x ,y "', '["x","y"]'],
    ['"Why, Ex"', '["y","x"]'],
    ['"a, b, x"', '["a, b","x"]'],
    ['"x, x,"', '["x"]'],
    ['"Both"', '["a, b"]'],
    ['["x"]', '["x"]'],
  ])('%s become %s', (typed, values) => {
    const lifted = lift(
      ELICIT,
      form(`{"t":${TAGS},"n":{}}`),
      accept(`{"n":1.0,"t":${typed}}`),
      typing,
    );
    expect(lifted).toMatchObject({ result: accept(`{"n":1.0,"t":${values}}`) });
  });

  test('are none where nothing is typed', () => {
    const free = form('{"t":{"type":"array","items":{"type":"string"}}}');
    expect(lift(ELICIT, free, accept('{"t":""}'), typing)).toEqual({
      result: accept('{"t":[]}'),
      steps: ['elicitation-multi-select /content/t none'],
    });
    expect(lift(ELICIT, free, accept('{"t":"p,q"}'), typing)).toMatchObject({
      result: accept('{"t":["p","q"]}'),
    });
    expect(lift(ELICIT, free, accept('{}'), typing)).toEqual({ result: accept('{}'), steps: [] });
  });

  test.each([
    ['"z"', 'any of these are wanted: x (Ex), y (Why), a, b (Both)'],
    ['"X"', 'any of these are wanted: x (Ex), y (Why), a, b (Both)'],
    ['""', 'at least 1 are wanted'],
    ['"x,y,Both"', 'at most 2 are wanted'],
    ['7', 'a list of values is wanted'],
  ])('%s do not fit, and the server never sees them', (typed, why) => {
    expect(lift(ELICIT, form(`{"t":${TAGS}}`), accept(`{"t":${typed}}`), typing)).toEqual({
      unfit: `/content/t t: ${why}`,
    });
  });
});

describe('every field of a form that the client was shown otherwise is checked', () => {
  const other = '"other":{"oneOf":[{"const":"a","title":"A"}]}';
  test.each<[string, string, string | undefined]>([
    ['{"type":"boolean"}', 'false', undefined],
    ['{"type":"boolean"}', '"false"', 'true or false is wanted'],
    ['{"type":"number","maximum":2}', '2.0', undefined],
    ['{"type":"number","maximum":2}', '2.01', 'at most 2 is wanted'],
    ['{"type":"integer"}', '1e1', undefined],
    ['{"type":"string","minLength":2}', '"é"', 'at least 2 characters are wanted'],
    ['{"type":"string","maxLength":1}', '"😀"', undefined],
    ['{"type":"string","maxLength":1}', '"ab"', 'at most 1 characters are wanted'],
    ['{"type":"string","pattern":"^(a+)+$"}', '"b"', undefined],
    ['{"type":"string","format":"email"}', '"a@b"', undefined],
    ['{"type":"string","format":"email"}', '"a b"', 'a text of the format email is wanted'],
    ['{"type":"string","format":"uri"}', '"urn:x"', undefined],
    ['{"type":"string","format":"uri"}', '"x y"', 'a text of the format uri is wanted'],
    ['{"type":"string","format":"date"}', '"2024-02-29"', undefined],
    ['{"type":"string","format":"date"}', '"2023-02-29"', 'a text of the format date is wanted'],
    ['{"type":"string","format":"date-time"}', '"2024-02-29T10:00:00.5+01:00"', undefined],
    [
      '{"type":"string","format":"date-time"}',
      '"2024-02-29"',
      'a text of the format date-time is wanted',
    ],
    ['{"type":"string","format":"uuid"}', '"anything"', undefined],
    ['{"type":"string","enum":["a","b"]}', '"b"', undefined],
    ['{"type":"string","enum":["a"],"enumNames":["A"]}', '"A"', 'one of these is wanted: a (A)'],
    ['{"type":"object"}', '7', undefined],
    ['{}', '[{}]', undefined],
  ])('%s with %s', (field, value, why) => {
    const params = form(`{"f":${field},${other}}`);
    const result = accept(`{"f":${value}}`);
    const lifted = lift(ELICIT, params, result, { to: '2025-06-18' });
    if (why === undefined) expect(lifted).toEqual({ result, steps: [] });
    else expect(lifted).toEqual({ unfit: `/content/f f: ${why}` });
  });

  test('names of fields that objects inherit are fields like all others', () => {
    const params = form(`{"constructor":{"type":"string"},${other}}`, '["__proto__","toString"]');
    expect(lift(ELICIT, params, accept('{"constructor":"a"}'))).toMatchObject({
      unfit: '/content/__proto__ __proto__: an answer is required',
    });
  });
});

test('who agrees to an address that was shown as a form says nothing besides', () => {
  const params = '{"mode":"url","message":"m","url":"https://a.test/"}';
  const answer = '{"action":"accept","content":{},"_meta":{}}';
  const setting = { to: '2025-06-18', policy: 'elicitation-url' } as const;
  expect(lift(ELICIT, params, answer, setting)).toEqual({
    result: '{"action":"accept","_meta":{}}',
    steps: ['elicitation-url /content none'],
  });
  const able = { capabilities: ['elicitation', 'elicitation/url'] };
  expect(lift(ELICIT, params, answer, able)).toEqual({ result: answer, steps: [] });
});

describe('an answer of the model', () => {
  const SAMPLE = 'sampling/createMessage';
  const QUESTION = '{"messages":[],"maxTokens":1}';
  const said = (content: string): string => `{"role":"assistant","model":"m","content":${content}}`;
  const text = (words: string): string => `{ "type":"text","text":"${words}" }`;
  const given = (content: string, setting: Setting): unknown =>
    lift(SAMPLE, QUESTION, said(content), setting);

  test.each(['2025-11-25', '2026-07-28', 'draft'] as const)('keeps its bytes for %s', (from) => {
    const content = `[${text('a')},{"type":"tool_use","id":"1","name":"t","input":{}}]`;
    expect(given(content, { from })).toEqual({ result: said(content), steps: [] });
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18'] as const)('is one block for %s', (from) => {
    expect(given(text('a'), { from })).toEqual({ result: said(text('a')), steps: [] });
    expect(given(`[ ${text('a')} ]`, { from })).toEqual({
      result: said(text('a')),
      steps: ['sampling-tools /content none'],
    });
    const two = `[${text('a')},${text('b')}]`;
    expect(given(two, { from })).toEqual({ refused: 'sampling-tools', liftable: true });
    expect(given(two, { from, policy: 'sampling-tools' })).toEqual({
      result: said('{"type":"text","text":"a\\n\\nb"}'),
      steps: ['sampling-tools /content lossy'],
    });
  });

  test.each([
    '{"type":"tool_use","id":"1","name":"t","input":{}}',
    '[{"type":"tool_use","id":"1","name":"t","input":{}}]',
    `[${text('a')},{"type":"image","data":"","mimeType":"image/png"}]`,
  ])('that an older server has no place for is refused under every policy: %s', (content) => {
    expect(given(content, { from: '2025-06-18', policy: 'permissive' })).toEqual({
      refused: 'sampling-tools',
      liftable: false,
    });
  });

  test('in sound is for servers from 2025-03-26 on', () => {
    const sound = '{"type":"audio","data":"","mimeType":"audio/wav"}';
    expect(given(sound, { from: '2025-03-26' })).toEqual({ result: said(sound), steps: [] });
    expect(given(sound, { from: '2024-11-05', policy: 'permissive' })).toMatchObject({
      refused: 'audio-in-prompt',
    });
  });
});

test('the roots cross as they are', () => {
  const answer = '{"roots":[{"uri":"file:///a","_meta":{"k":1.0}}]}';
  expect(lift('roots/list', '{}', answer, { from: '2024-11-05' })).toEqual({
    result: answer,
    steps: [],
  });
});
