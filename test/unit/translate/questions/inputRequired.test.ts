import { describe, expect, test } from 'vitest';
import {
  inputRequired,
  inputResponses,
  unsafeQuestion,
} from '../../../../src/translate/questions/inputRequired.ts';
import { missingCapability } from '../../../../src/translate/questions/requiredCapability.ts';

describe('a question of a legacy server', () => {
  test('is asked in its own words, without what only its request needed', () => {
    const params = Buffer.from(
      '{ "message":"\\u0041","elicitationId":"e","_meta":{"progressToken":1} }',
    );
    const requests = new Map([
      ['a', { method: 'elicitation/create', params }],
      ['b', { method: 'roots/list', params: undefined }],
    ]);
    expect(inputRequired(requests, 's', Buffer.from('{"name":"old"}')).toString('utf8')).toBe(
      '{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{ "message":"\\u0041" }},"b":{"method":"roots/list"}},"requestState":"s","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"old"}}}',
    );
  });

  test('keeps what else its _meta says', () => {
    const params = Buffer.from('{"_meta":{"progressToken":1,"k":2}}');
    const requests = new Map([['a', { method: 'roots/list', params }]]);
    expect(inputRequired(requests, 's', undefined).toString('utf8')).toContain('{"_meta":{"k":2}}');
  });
});

test('answers are objects under the keys of their questions', () => {
  const params = Buffer.from('{"inputResponses":{"a":{"x":1.0},"b":7,"c":null}}');
  const found = [...inputResponses(params)].map(([key, raw]) => [key, raw.toString('utf8')]);
  expect(found).toEqual([['a', '{"x":1.0}']]);
  expect(inputResponses(Buffer.from('{"inputResponses":[1]}')).size).toBe(0);
  expect(inputResponses(undefined).size).toBe(0);
});

describe('a result that asks to open an address', () => {
  const asking = (url: unknown): Buffer => {
    const params = { mode: 'url', message: 'm', url };
    const inputRequests = { a: { method: 'elicitation/create', params } };
    return Buffer.from(JSON.stringify({ resultType: 'input_required', inputRequests }));
  };

  test.each(['https://a.test/', 'http://localhost:1/', 7])('%s is let through', (url) => {
    expect(unsafeQuestion(asking(url))).toBeUndefined();
  });

  test.each(['http://a.test/', 'javascript:alert(1)', 'file:///etc/passwd', 'vscode://x'])(
    '%s is refused',
    (url) => {
      expect(unsafeQuestion(asking(url))).toMatchObject({
        feature: 'unsafe-url',
        path: '/inputRequests/a/params/url',
      });
    },
  );
});

describe('the capability that a question needs', () => {
  const form = '{"message":"?"}';
  const url = '{"mode":"url"}';
  const tools = '{"tools":[]}';
  const choice = '{"toolChoice":{}}';
  test.each<[string, string, string[], unknown]>([
    ['roots/list', '{}', [], { roots: {} }],
    ['roots/list', '{}', ['roots'], undefined],
    ['sampling/createMessage', '{}', [], { sampling: {} }],
    ['sampling/createMessage', '{}', ['sampling'], undefined],
    ['sampling/createMessage', tools, ['sampling'], { sampling: { tools: {} } }],
    ['sampling/createMessage', choice, ['sampling'], { sampling: { tools: {} } }],
    ['sampling/createMessage', tools, ['sampling', 'sampling/tools'], undefined],
    ['elicitation/create', form, [], { elicitation: {} }],
    ['elicitation/create', form, ['elicitation'], undefined],
    ['elicitation/create', form, ['elicitation', 'elicitation/form'], undefined],
    ['elicitation/create', form, ['elicitation', 'elicitation/url'], { elicitation: { form: {} } }],
    ['elicitation/create', url, ['elicitation'], { elicitation: { url: {} } }],
    ['elicitation/create', url, ['elicitation', 'elicitation/url'], undefined],
  ])('%s %s of a client with %j', (method, params, declared, expected) => {
    const declares = (...path: string[]): boolean => declared.includes(path.join('/'));
    expect(missingCapability(method, Buffer.from(params), declares)).toEqual(expected);
  });
});
