import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PERMISSIVE } from '../../../../../src/translate/policy.ts';
import { lowerSchema } from '../lowering.ts';

const NAMES = ['a', 'b', 'c'] as const;
const options = { strict: false, validateFormats: false, logger: false } as const;
const newer = new Ajv2020(options);
const draft07 = new Ajv(options);

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema');
  const map = fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 3 });
  const list = fc.array(inner, { minLength: 1, maxLength: 2 });
  const names = fc.subarray([...NAMES], { minLength: 1, maxLength: 2 });
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constantFrom('object', 'array', 'string', 'integer', ['array', 'null']),
    $ref: fc.constantFrom('#/$defs/a', '#/$defs/b', '#/$defs/c'),
    properties: map,
    required: names,
    additionalProperties: inner,
    unevaluatedProperties: inner,
    items: inner,
    prefixItems: list,
    unevaluatedItems: inner,
    // Ajv takes an empty array where anything is to be contained behind a tuple.
    contains: fc.constantFrom({ type: 'integer' }, { type: 'string' }),
    minContains: fc.nat(2),
    maxContains: fc.nat(2),
    dependentRequired: fc.dictionary(fc.constantFrom(...NAMES), names, { maxKeys: 2 }),
    dependentSchemas: map,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    if: inner,
    then: inner,
    else: inner,
    enum: fc.constantFrom([1, 'x'], [null]),
    minimum: fc.nat(3),
    minLength: fc.nat(2),
    minItems: fc.nat(2),
    minProperties: fc.nat(2),
    description: fc.constant('words'),
  };
  const pairs = Object.entries(keywords).map(([key, value]) => fc.tuple(fc.constant(key), value));
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc
        .array(fc.oneof(...pairs), { maxLength: 4 })
        .map((members) => Object.fromEntries(members) as unknown),
    ),
  };
});

const root = fc
  .record({
    properties: fc.dictionary(fc.constantFrom(...NAMES), schema, { minKeys: 1, maxKeys: 3 }),
    $defs: fc.record({ a: schema, b: schema, c: schema }),
  })
  .map((members): object => ({ type: 'object', ...members }));

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 1, 5, '', 'x', 'xyz'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { maxKeys: 3 }),
  ),
})).any;

const callArguments = fc.array(fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3 }), {
  minLength: 1,
  maxLength: 12,
});

/** A validator, or undefined where a reference leads only to itself and means nothing. */
function compile(ajv: Ajv | Ajv2020, from: object): ValidateFunction | undefined {
  try {
    return ajv.compile(from);
  } catch (error) {
    // Ajv looks for the end of a reference to itself.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Whether it takes the arguments; undefined where it never comes to an end. What a schema means that leads to itself in
 * place is not defined, and whether a validator gets out of it depends on the order in which it looks.
 */
function takes(validate: ValidateFunction, given: unknown): boolean | undefined {
  try {
    return validate(given);
  } catch {
    return undefined;
  }
}

test('a schema rewritten without loss takes the same arguments in the editor’s dialect', () => {
  let compared = 0;
  fc.assert(
    fc.property(root, callArguments, (before, samples) => {
      const { schema: after, steps } = lowerSchema(before, { reader: 'vscode' });
      if (after === undefined || steps.length === 0) return;
      const original = compile(newer, before);
      const rewritten = compile(draft07, after as object);
      if (original === undefined || rewritten === undefined) return;
      for (const sample of samples) {
        const expected = takes(original, sample);
        const found = takes(rewritten, sample);
        if (expected === undefined || found === undefined) continue;
        compared++;
        expect([sample, found]).toEqual([sample, expected]);
      }
    }),
    { numRuns: 1500 },
  );
  expect(compared).toBeGreaterThan(500);
});

test('one that lost something takes what it took before, but for what a "not" turns round', () => {
  fc.assert(
    fc.property(root, callArguments, (before, samples) => {
      if (/"(not|oneOf|if|contains|minContains)"/.test(JSON.stringify(before))) return;
      const setting = { reader: 'vscode', policy: PERMISSIVE } as const;
      const { schema: after } = lowerSchema(before, setting);
      const original = compile(newer, before);
      if (original === undefined || after === undefined) return;
      const rewritten = compile(draft07, after as object);
      if (rewritten === undefined) return;
      for (const sample of samples) {
        const found = takes(rewritten, sample);
        if (takes(original, sample) === true && found !== undefined) {
          expect([sample, found]).toEqual([sample, true]);
        }
      }
    }),
    { numRuns: 1500 },
  );
});
