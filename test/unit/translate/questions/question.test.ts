import { describe, expect, test } from 'vitest';
import { profileOf } from '../../../../src/protocol/profile.ts';
import type { Revision } from '../../../../src/protocol/revision.ts';
import { PERMISSIVE, STRICT } from '../../../../src/translate/policy.ts';
import { lowerQuestion } from '../../../../src/translate/questions/question.ts';

interface Given {
  readonly to?: Revision;
  readonly capabilities?: readonly string[];
  readonly permissive?: boolean;
}

function lower(method: string, params: string | undefined, given: Given = {}): unknown {
  const declared = new Set(given.capabilities ?? ['elicitation', 'sampling', 'roots']);
  const question = lowerQuestion(method, params === undefined ? undefined : Buffer.from(params), {
    to: profileOf(given.to ?? '2025-11-25'),
    policy: given.permissive === true ? PERMISSIVE : STRICT,
    declares: (...path) => declared.has(path.join('/')),
    elicitationId: 'made-up',
  });
  switch (question.kind) {
    case 'ask':
      return question.params?.toString('utf8');
    case 'answered':
      return { answered: question.result.toString('utf8') };
    case 'refused':
      return { refused: question.refusal.feature };
  }
}

const form =
  '{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"n":{"type":"number","default":1.0}}}}';

describe('a question', () => {
  test('the client can be asked as it stands keeps its bytes', () => {
    for (const to of ['2025-06-18', '2025-11-25'] as const) {
      expect(lower('elicitation/create', form, { to })).toBe(form);
    }
    expect(lower('roots/list', undefined)).toBeUndefined();
    const sampling =
      '{"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"maxTokens":1e2}';
    expect(lower('sampling/createMessage', sampling)).toBe(sampling);
  });

  test.each(['elicitation/create', 'sampling/createMessage', 'roots/list'])(
    '%s is refused where the client cannot answer it',
    (method) => {
      expect(lower(method, '{}', { capabilities: [] })).toEqual({ refused: 'client-capability' });
    },
  );

  test('of a method that no revision knows is refused', () => {
    expect(lower('x/y', '{}')).toEqual({ refused: 'result-type' });
  });
});

describe('an address to open', () => {
  const at = (url: string): string => JSON.stringify({ mode: 'url', message: 'm', url });
  const able = ['elicitation', 'elicitation/url'];

  test('goes to a client that can open it, with the id its revision demands', () => {
    expect(lower('elicitation/create', at('https://a.test/'), { capabilities: able })).toBe(
      '{"mode":"url","message":"m","url":"https://a.test/","elicitationId":"made-up"}',
    );
  });

  test.each(['file:///etc/passwd', 'javascript:alert(1)', 'command:x', 'http://a.test/'])(
    '%s is declined, and nobody is shown it',
    (url) => {
      expect(
        lower('elicitation/create', at(url), { capabilities: able, permissive: true }),
      ).toEqual({
        answered: '{"action":"decline"}',
      });
    },
  );

  test('is refused, or shown as a question, where the client cannot open it', () => {
    const question = at('https://a.test/');
    expect(lower('elicitation/create', question)).toEqual({ refused: 'elicitation-url' });
    expect(lower('elicitation/create', question, { permissive: true })).toBe(
      '{"message":"m\\nhttps://a.test/","requestedSchema":{"type":"object","properties":{}}}',
    );
  });
});

describe('a form for 2025-06-18', () => {
  test('has the titles of an enum in enumNames', () => {
    const titled =
      '{"message":"m","requestedSchema":{"type":"object","properties":{"p":{"oneOf":[{"const":"lo","title":"Low"},{"const":"hi"}]}},"required":["p"]}}';
    expect(lower('elicitation/create', titled, { to: '2025-06-18' })).toBe(
      '{"message":"m","requestedSchema":{"type":"object","properties":{"p":{"type":"string","enum":["lo","hi"],"enumNames":["Low","hi"]}},"required":["p"]}}',
    );
    expect(lower('elicitation/create', titled)).toBe(titled);
  });

  test('cannot have a field with several values', () => {
    const several =
      '{"message":"m","requestedSchema":{"type":"object","properties":{"t":{"type":"array","items":{"enum":["x"]}}}}}';
    expect(lower('elicitation/create', several, { to: '2025-06-18' })).toEqual({
      refused: 'elicitation-multi-select',
    });
    expect(lower('elicitation/create', several)).toBe(several);
  });
});

test('tools while sampling need a client that declares them', () => {
  const withTools = '{"messages":[],"maxTokens":1,"tools":[]}';
  expect(lower('sampling/createMessage', withTools)).toEqual({ refused: 'sampling-tools' });
  const capabilities = ['sampling', 'sampling/tools'];
  expect(lower('sampling/createMessage', withTools, { capabilities })).toBe(withTools);
});
