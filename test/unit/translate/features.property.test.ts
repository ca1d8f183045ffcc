import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Feature } from '../../../src/protocol/concern.ts';
import { profileOf } from '../../../src/protocol/profile.ts';
import { REVISIONS, type Revision } from '../../../src/protocol/revision.ts';
import { STRICT, type DegradePolicy } from '../../../src/translate/policy.ts';
import type { Outcome } from '../../../src/translate/report.ts';
import { lowerResult } from '../../../src/translate/results/lowerResult.ts';
import { SDK_SCHEMAS } from '../../support/sdkSchemas.ts';

/** A message that is right at its writer's revision, and what it takes to read it. */
interface Sample {
  readonly value: object;
  readonly needs: readonly Feature[];
}

type Part = readonly [value: unknown, ...needs: Feature[]];

const text = fc.string({ maxLength: 8 }).map((words): Part => [{ type: 'text', text: words }]);
const image: Part = [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }];
const resource: Part = [{ type: 'resource', resource: { uri: 'a:b', text: 'c' } }];
const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', _meta: { 'a/b': 1 } };
const link = { type: 'resource_link', uri: 'file:///a', name: 'a', title: 'A' };

const toolBlock: fc.Arbitrary<Part> = fc.oneof(
  text,
  fc.constantFrom<Part>(
    image,
    resource,
    [audio, 'tool-audio-content'],
    [link, 'tool-resource-link'],
  ),
);
const promptBlock: fc.Arbitrary<Part> = fc.oneof(
  text,
  fc.constantFrom<Part>(
    image,
    resource,
    [audio, 'audio-in-prompt'],
    [link, 'resource-link-in-prompt'],
  ),
);
const structured: fc.Arbitrary<Part | undefined> = fc.option(
  fc.oneof(
    fc
      .dictionary(fc.string(), fc.integer())
      .map((value): Part => [value, 'tool-structured-output']),
    fc
      .oneof(fc.integer(), fc.string(), fc.boolean(), fc.array(fc.integer()), fc.constant(null))
      .map((value): Part => [value, 'tool-structured-any']),
  ),
  { nil: undefined },
);

const toolResult: fc.Arbitrary<Sample> = fc
  .tuple(fc.array(toolBlock, { maxLength: 4 }), structured)
  .map(([blocks, output]) => {
    const content = blocks.map(([value]) => value);
    const [value, ...needs] = output ?? [];
    return {
      value: {
        resultType: 'complete',
        content,
        ...(output !== undefined && { structuredContent: value }),
      },
      needs: [...blocks.flatMap(([, ...features]) => features), ...needs],
    };
  });

const promptResult: fc.Arbitrary<Sample> = fc
  .array(promptBlock, { maxLength: 4 })
  .map((blocks) => ({
    value: {
      resultType: 'complete',
      messages: blocks.map(([content]) => ({ role: 'user', content })),
    },
    needs: blocks.flatMap(([, ...features]) => features),
  }));

/** What becomes something else of the same worth, so that no policy has to allow it. */
const LOSSLESS: ReadonlySet<Feature> = new Set(['tool-audio-content', 'audio-in-prompt']);

function lower(method: string, sample: Sample, to: Revision, policy: DegradePolicy): Outcome {
  const bytes = Buffer.from(JSON.stringify(sample.value));
  const from = profileOf('2026-07-28');
  return lowerResult(method, bytes, { from, to: profileOf(to), policy, promisedOutput: false });
}

const missing = ({ needs }: Sample, to: Revision): Feature[] =>
  needs.filter((feature) => !profileOf(to).features.has(feature));

describe.each([
  ['tools/call', toolResult],
  ['prompts/get', promptResult],
] as const)('a result of %s', (method, samples) => {
  const target = fc.constantFrom(...REVISIONS);

  test('crosses as it is where its reader can read all of it', () => {
    fc.assert(
      fc.property(samples, target, (sample, to) => {
        const outcome = lower(method, sample, to, STRICT);
        if (missing(sample, to).length === 0) {
          expect(outcome).toEqual({ kind: 'unchanged', steps: [] });
        } else expect(outcome.kind === 'unchanged' && outcome.steps.length === 0).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test('is refused under strict exactly where something would be lost, and named rightly', () => {
    fc.assert(
      fc.property(samples, target, (sample, to) => {
        const lossy = missing(sample, to).filter((feature) => !LOSSLESS.has(feature));
        const outcome = lower(method, sample, to, STRICT);
        // A text that says the same already leaves nothing to be lost.
        const isTold = outcome.kind !== 'refused' && lossy.every((each) => isStructured(each));
        if (lossy.length === 0 || isTold) expect(outcome.kind).not.toBe('refused');
        else {
          expect(outcome).toMatchObject({ kind: 'refused', refusal: { liftable: true } });
          if (outcome.kind === 'refused') expect(lossy).toContain(outcome.refusal.feature);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('passes where the policy allows what is missing, as something its reader takes', () => {
    fc.assert(
      fc.property(samples, target, (sample, to) => {
        const allowed = new Set(missing(sample, to));
        const outcome = lower(method, sample, to, { kind: 'features', features: allowed });
        expect(outcome.kind).not.toBe('refused');
        for (const { feature } of outcome.steps) expect(allowed).toContain(feature);
        const raw = outcome.kind === 'changed' ? outcome.raw.toString('utf8') : undefined;
        const read: unknown = raw === undefined ? sample.value : JSON.parse(raw);
        const parsed = SDK_SCHEMAS[to].results.get(method)?.safeParse(read);
        expect({ success: parsed?.success, error: String(parsed?.error) }).toEqual({
          success: true,
          error: 'undefined',
        });
      }),
      { numRuns: 400 },
    );
  });
});

function isStructured(feature: Feature): boolean {
  return feature === 'tool-structured-output' || feature === 'tool-structured-any';
}
