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
    from: profileOf('2026-07-28'),
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
  '{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"n":{"type":"number","minimum":1.0},"b":{"type":"boolean","default":true}}}}';

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

  test('with a form is refused where the client only opens addresses', () => {
    const capabilities = ['elicitation', 'elicitation/url'];
    expect(lower('elicitation/create', form, { capabilities })).toEqual({
      refused: 'client-capability',
    });
    const both = [...capabilities, 'elicitation/form'];
    expect(lower('elicitation/create', form, { capabilities: both })).toBe(form);
  });

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

  test('keeps what else its request says where it becomes a question', () => {
    const params = '{"mode":"url","_meta":{"k":1.0},"url":"https://a.test/","elicitationId":"e"}';
    expect(lower('elicitation/create', params, { permissive: true })).toBe(
      '{"_meta":{"k":1.0},"message":"The server asks you to open:\\nhttps://a.test/","requestedSchema":{"type":"object","properties":{}}}',
    );
  });

  test('goes to no client that has neither addresses nor forms', () => {
    const given = { to: '2025-06-18', capabilities: able, permissive: true } as const;
    expect(lower('elicitation/create', at('https://a.test/'), given)).toEqual({
      refused: 'elicitation-url',
    });
  });

  test('has no id for a client of the modern era', () => {
    const question = at('https://a.test/');
    const given = { to: '2026-07-28', capabilities: able } as const;
    expect(lower('elicitation/create', question, given)).toBe(question);
  });

  test('is refused, or shown as a question, where the client cannot open it', () => {
    const question = at('https://a.test/');
    expect(lower('elicitation/create', question)).toEqual({ refused: 'elicitation-url' });
    expect(lower('elicitation/create', question, { permissive: true })).toBe(
      '{"message":"m\\nhttps://a.test/","requestedSchema":{"type":"object","properties":{}}}',
    );
  });
});
