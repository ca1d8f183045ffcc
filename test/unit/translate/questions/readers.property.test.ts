import { specTypeSchemas } from '@modelcontextprotocol/client';
import {
  CreateMessageRequestSchema as sample20251125,
  CreateMessageResultWithToolsSchema as sampled20251125,
  ElicitRequestSchema as elicit20251125,
  ElicitResultSchema as elicited20251125,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import {
  CreateMessageRequestSchema as sample20241105,
  CreateMessageResultSchema as sampled20241105,
} from 'sdk-2024-11-05/types.js';
import { CreateMessageRequestSchema as sample20250326 } from 'sdk-2025-03-26/types.js';
import {
  CreateMessageRequestSchema as sample20250618,
  CreateMessageResultSchema as sampled20250618,
  ElicitRequestSchema as elicit20250618,
  ElicitResultSchema as elicited20250618,
} from 'sdk-2025-06-18/types.js';
import { describe, expect, test } from 'vitest';
import type { Revision } from '../../../../src/protocol/revision.ts';
import { lift, lower, type Setting } from './asking.ts';

const ELICIT = 'elicitation/create';
const SAMPLE = 'sampling/createMessage';

type Reader = (value: unknown) => boolean;
interface Schema {
  safeParse(value: unknown): { success: boolean };
}
const by =
  (schema: Schema): Reader =>
  (value) =>
    schema.safeParse(value).success;
/** The newest SDK reads both eras with these. */
const byNewest =
  (name: 'ElicitRequest' | 'CreateMessageRequest' | 'ElicitResult'): Reader =>
  (value) =>
    !('issues' in (specTypeSchemas[name]['~standard'].validate(value) as object));

const FORM_READERS: Readonly<Partial<Record<Revision, Reader>>> = {
  '2025-06-18': by(elicit20250618),
  '2025-11-25': by(elicit20251125),
  '2026-07-28': byNewest('ElicitRequest'),
};
const ANSWER_READERS: Readonly<Partial<Record<Revision, Reader>>> = {
  '2025-06-18': by(elicited20250618),
  '2025-11-25': by(elicited20251125),
  '2026-07-28': byNewest('ElicitResult'),
};
const SAMPLING_READERS: Readonly<Partial<Record<Revision, Reader>>> = {
  '2024-11-05': by(sample20241105),
  '2025-03-26': by(sample20250326),
  '2025-06-18': by(sample20250618),
  '2025-11-25': by(sample20251125),
  '2026-07-28': byNewest('CreateMessageRequest'),
};
const SAMPLED_READERS: Readonly<Partial<Record<Revision, Reader>>> = {
  '2024-11-05': by(sampled20241105),
  '2025-06-18': by(sampled20250618),
  '2025-11-25': by(sampled20251125),
};

const text = fc.string({ maxLength: 4, unit: 'grapheme' });
const optional = { requiredKeys: ['type'] as ['type'] };
const words = { title: text, description: text };
const values = fc.uniqueArray(text, { minLength: 1, maxLength: 3 });
const options = values.map((all) => all.map((value) => ({ const: value, title: `T ${value}` })));

/** The fields that 2025-06-18 has, in every member it gives them. */
const OLDER_FIELDS = [
  fc.record(
    {
      type: fc.constant('string'),
      ...words,
      minLength: fc.nat(2),
      maxLength: fc.nat(9),
      format: fc.constantFrom('email', 'uri', 'date', 'date-time'),
    },
    optional,
  ),
  fc.record(
    {
      type: fc.constantFrom('number', 'integer'),
      ...words,
      minimum: fc.integer(),
      maximum: fc.nat(),
    },
    optional,
  ),
  fc.record({ type: fc.constant('boolean'), ...words, default: fc.boolean() }, optional),
  values.chain((all) =>
    fc.record(
      {
        type: fc.constant('string'),
        enum: fc.constant(all),
        ...words,
        enumNames: fc.constant(all),
      },
      { requiredKeys: ['type', 'enum'] },
    ),
  ),
];

/** What 2025-11-25 has besides, but for a choice of several values. */
const NEWER_FIELDS = [
  fc.record(
    { type: fc.constant('string'), ...words, default: text },
    { requiredKeys: ['type', 'default'] },
  ),
  fc.record({ type: fc.constant('integer'), default: fc.integer() }),
  fc.record({ type: fc.constant('number'), default: fc.integer() }),
  values.map((all) => ({ type: 'string', enum: all, default: all[0] })),
  options.chain((all) =>
    fc.record(
      {
        type: fc.constant('string'),
        oneOf: fc.constant(all),
        ...words,
        default: fc.constantFrom(...all.map((option) => option.const)),
      },
      { requiredKeys: ['type', 'oneOf'] },
    ),
  ),
];

const items = fc.oneof(
  values.map((all) => ({ type: 'string', enum: all })),
  options.map((all) => ({ anyOf: all })),
);
const SEVERAL = [
  fc.record(
    {
      type: fc.constant('array'),
      items,
      ...words,
      minItems: fc.nat(1),
      maxItems: fc.nat(3),
      default: fc.constant([]),
    },
    { requiredKeys: ['type', 'items'] },
  ),
];

const name = fc.constantFrom('a', 'b', 'c/d', 'e~f', 'constructor', '__proto__', 'é');

/** A form of such fields, with spaces and member order of its own. */
function forms(fields: readonly fc.Arbitrary<object>[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, fc.oneof(...fields)), {
        maxLength: 4,
        selector: ([key]) => key,
      }),
      fc.boolean(),
      fc.constantFrom('', ' ', '  '),
    )
    .map(([entries, required, space]) => {
      const properties = entries
        .map(([key, field]) => `${space}${JSON.stringify(key)}:${space}${JSON.stringify(field)}`)
        .join(',');
      const names = required ? `,"required":${JSON.stringify(entries.map(([key]) => key))}` : '';
      return `{${space}"message":"m","mode":"form","requestedSchema":{"type":"object","properties":{${properties}}${names}}${space}}`;
    });
}

const older = forms(OLDER_FIELDS);
const single = forms([...OLDER_FIELDS, ...NEWER_FIELDS]);
const several = forms([...OLDER_FIELDS, ...NEWER_FIELDS, ...SEVERAL, ...SEVERAL]);
const FORM_REVISIONS = Object.keys(FORM_READERS) as Revision[];

const requestOf = (method: string, params: string | undefined): unknown => ({
  method,
  params: JSON.parse(params ?? 'null') as unknown,
});

test('the readers do reject what breaks their schemas', () => {
  const faulty =
    '{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/P"}}}}';
  for (const reader of Object.values(FORM_READERS)) {
    expect(reader(requestOf(ELICIT, faulty))).toBe(false);
  }
  const several = { type: 'array', items: { type: 'string', enum: ['a'] } };
  const properties = { a: several };
  const params = { message: 'm', requestedSchema: { type: 'object', properties } };
  expect(FORM_READERS['2025-06-18']?.(requestOf(ELICIT, JSON.stringify(params)))).toBe(false);
  for (const reader of Object.values(SAMPLING_READERS)) {
    expect(reader(requestOf(SAMPLE, '{"messages":[{"role":"user"}],"maxTokens":1}'))).toBe(false);
  }
  for (const reader of Object.values(SAMPLED_READERS)) expect(reader({ content: [] })).toBe(false);
  for (const reader of Object.values(ANSWER_READERS)) expect(reader({ action: 'no' })).toBe(false);
});

describe('a form', () => {
  test('keeps its bytes for every reader whose revision has all of its fields', () => {
    fc.assert(
      fc.property(older, fc.constantFrom(...FORM_REVISIONS), (params, to) => {
        expect(lower(ELICIT, params, { to })).toEqual({ params, steps: [] });
      }),
    );
    fc.assert(
      fc.property(
        several,
        fc.constantFrom('2025-11-25' as const, '2026-07-28' as const),
        (params, to) => {
          expect(lower(ELICIT, params, { from: '2025-11-25', to })).toEqual({ params, steps: [] });
        },
      ),
    );
  });

  test('without a choice of several is never refused, and loses nothing', () => {
    fc.assert(
      fc.property(single, fc.constantFrom(...FORM_REVISIONS), (params, to) => {
        const lowered = lower(ELICIT, params, { to });
        expect(
          'steps' in lowered && lowered.steps.filter((step) => !step.endsWith(' none')),
        ).toEqual([]);
      }),
    );
  });

  test('is refused under strict exactly where it has a choice of several for 2025-06-18', () => {
    fc.assert(
      fc.property(several, (params) => {
        const lowered = lower(ELICIT, params, { to: '2025-06-18' });
        expect('refused' in lowered).toBe(params.includes('"array"'));
      }),
    );
  });

  test('that crosses is one that its reader takes', () => {
    fc.assert(
      fc.property(several, fc.constantFrom(...FORM_REVISIONS), (params, to) => {
        const lowered = lower(ELICIT, params, { to, policy: 'permissive' });
        const asked = 'params' in lowered ? lowered.params : undefined;
        expect(FORM_READERS[to]?.(requestOf(ELICIT, asked))).toBe(true);
      }),
    );
  });
});

describe('a form that breaks its schema', () => {
  const nulls = fc.record(
    { type: fc.constant('string'), default: fc.constant(null), title: fc.constant(null) },
    optional,
  );
  const faulty = forms([
    nulls,
    fc.record({ $ref: fc.constantFrom('#/$defs/P', '#/$defs/Q') }),
    fc.record({ allOf: fc.constant([{ $ref: '#/$defs/P' }]), title: text }),
    fc.record({
      anyOf: fc.constant([{ type: 'integer' }, { type: 'null' }]),
      default: fc.constant(null),
    }),
    fc.record({ oneOf: fc.constant([{ const: 'a', title: 'A' }, { const: 'b' }]) }),
    fc.record({ type: fc.constant('array'), items: fc.constant({ enum: ['a'] }) }),
    fc.record({ type: fc.constant('array'), items: fc.constant({ $ref: '#/$defs/P' }) }),
    fc.record({ type: fc.constant('string'), format: text }),
    fc.record({ type: fc.constant('boolean'), default: fc.constantFrom('true', 1, null) }),
  ]).map((params) => {
    const defs = ',"$defs":{"P":{"type":"string","enum":["lo"]},"Q":{"$ref":"#/$defs/P"}}}';
    return params.replace(/\}(\s*\})$/, `${defs}$1`);
  });

  test('crosses as one that its reader takes', () => {
    fc.assert(
      fc.property(faulty, fc.constantFrom(...FORM_REVISIONS), (params, to) => {
        const lowered = lower(ELICIT, params, { to, policy: 'permissive' });
        const asked = 'params' in lowered ? lowered.params : undefined;
        expect(FORM_READERS[to]?.(requestOf(ELICIT, asked)), asked).toBe(true);
      }),
    );
  });
});

test('an answer that crosses is one that its server takes, or the client’s very own', () => {
  const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 2 }));
  const answers = fc
    .dictionary(name, value)
    .map((content) => JSON.stringify({ action: 'accept', content }));
  fc.assert(
    fc.property(several, answers, fc.constantFrom(...FORM_REVISIONS), (params, answer, to) => {
      const lifted = lift(ELICIT, params, answer, { to, policy: 'permissive' });
      if (lifted.result === undefined || lifted.result === answer) return;
      expect(ANSWER_READERS['2026-07-28']?.(JSON.parse(lifted.result))).toBe(true);
      expect(to).toBe('2025-06-18');
    }),
  );
});

describe('a conversation with a model', () => {
  const basic = fc.oneof(
    fc.record({ type: fc.constant('text'), text }),
    fc.constant({ type: 'image', data: 'AA==', mimeType: 'image/png' }),
  );
  const audio = fc.constant({ type: 'audio', data: 'AA==', mimeType: 'audio/wav' });
  const tools = fc.constantFrom(
    { type: 'tool_use', id: '1', name: 't', input: {} },
    { type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text: 'a' }] },
  );
  const block = fc.oneof({ weight: 6, arbitrary: basic }, audio, tools);
  const content = fc.oneof(block, fc.array(block, { maxLength: 3 }));
  const params = fc
    .array(fc.record({ role: fc.constantFrom('user', 'assistant'), content }), { maxLength: 3 })
    .map((messages) => JSON.stringify({ maxTokens: 1, messages }));
  const revisions = Object.keys(SAMPLING_READERS) as Revision[];

  test('that crosses is one that its reader takes, under every policy', () => {
    fc.assert(
      fc.property(
        params,
        fc.constantFrom(...revisions),
        fc.constantFrom('strict', 'permissive'),
        (asked, to, policy) => {
          const lowered = lower(SAMPLE, asked, { to, policy });
          if ('refused' in lowered) return;
          const request = requestOf(SAMPLE, lowered.params);
          expect(SAMPLING_READERS[to]?.(request), lowered.params).toBe(true);
        },
      ),
    );
  });

  test('keeps its bytes from 2025-11-25 on', () => {
    const to = fc.constantFrom('2025-11-25' as const, '2026-07-28' as const);
    fc.assert(
      fc.property(params, to, (asked, revision) => {
        const setting: Setting = { from: '2025-11-25', to: revision };
        expect(lower(SAMPLE, asked, setting)).toEqual({ params: asked, steps: [] });
      }),
    );
  });

  test('is answered in what its server takes', () => {
    const answer = content.map((given) =>
      JSON.stringify({ role: 'assistant', model: 'm', content: given }),
    );
    const servers = Object.keys(SAMPLED_READERS) as Revision[];
    fc.assert(
      fc.property(
        answer,
        fc.constantFrom(...servers),
        fc.constantFrom('strict', 'permissive'),
        (given, from, policy) => {
          const question = '{"messages":[],"maxTokens":1}';
          const lifted = lift(SAMPLE, question, given, { from, to: '2026-07-28', policy });
          if (lifted.result === undefined) return;
          const read = SAMPLED_READERS[from]?.(JSON.parse(lifted.result));
          expect(read, lifted.result).toBe(true);
        },
      ),
    );
  });
});
