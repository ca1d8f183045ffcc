import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { profileOf } from '../../../../src/protocol/profile.ts';
import { eraOf, REVISIONS, type Revision } from '../../../../src/protocol/revision.ts';
import { PERMISSIVE, STRICT, type DegradePolicy } from '../../../../src/translate/policy.ts';
import type { Outcome } from '../../../../src/translate/report.ts';
import { lowerResult } from '../../../../src/translate/results/lowerResult.ts';
import { lowerToolList } from '../../../../src/translate/toolList/lowerToolList.ts';
import { damage, damaged } from '../../../support/damage.ts';
import { SDK_SCHEMAS } from '../../../support/sdkSchemas.ts';
import { SAMPLES } from './samples.ts';

const CACHEABLE = /list$|^resources\/read$/;

/** Why a client would not take a message with this result; undefined where it does. */
function rejection(to: Revision, method: string, result: unknown): unknown {
  const { message, results, empty } = SDK_SCHEMAS[to];
  const faults = [
    message.safeParse({ jsonrpc: '2.0', id: 1, result }),
    (results.get(method) ?? empty).safeParse(result),
  ].flatMap(({ error }) => error ?? []);
  return faults[0] ?? (eraOf(to) === 'modern' ? missingIn(method, result as object) : undefined);
}

/** These schemas serve all revisions at once; on the wire of the modern era the client demands some members more. */
function missingIn(method: string, result: object): string | undefined {
  const { resultType, ttlMs, cacheScope, content } = result as Record<string, unknown>;
  if (resultType !== 'complete') return 'resultType';
  if (method === 'tools/call' && content === undefined) return 'content';
  if (!CACHEABLE.test(method)) return undefined;
  if (!Number.isInteger(ttlMs) || Number(ttlMs) < 0) return 'ttlMs';
  return cacheScope === 'public' || cacheScope === 'private' ? undefined : 'cacheScope';
}

interface Given {
  readonly method: string;
  readonly from: Revision;
  readonly to: Revision;
  readonly policy: DegradePolicy;
}

function lower(value: unknown, { method, from, to, policy }: Given): Outcome {
  const context = { from: profileOf(from), to: profileOf(to), policy };
  const raw = Buffer.from(JSON.stringify(value));
  const outcome = lowerResult(method, raw, { ...context, promisedOutput: false });
  if (method !== 'tools/list' || outcome.kind === 'refused') return outcome;
  const listed = outcome.kind === 'changed' ? outcome.raw : raw;
  const tools = lowerToolList(listed, { ...context, upstream: 'stdio', aliases: new Map() });
  return tools.kind === 'changed' ? { ...outcome, kind: 'changed', raw: tools.raw } : outcome;
}

const METHODS = Object.keys(SAMPLES);
const READERS = REVISIONS.filter((revision) => revision !== 'draft');

describe.each(READERS)('whatever a server answers, a client of %s takes what comes out', (to) => {
  const own = eraOf(to) === 'modern' ? '2025-11-25' : to;
  const methods = METHODS.filter(
    (method) => eraOf(to) === 'legacy' || SDK_SCHEMAS[to].results.has(method),
  );

  test.each(methods)('%s', (method) => {
    const sample = SAMPLES[method] ?? {};
    const owed = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    fc.assert(
      fc.property(
        damage,
        fc.constantFrom(own, '2026-07-28' as const),
        fc.constantFrom(STRICT, PERMISSIVE),
        (damage, from, policy) => {
          const value = damaged(from === '2026-07-28' ? { ...owed, ...sample } : sample, damage);
          const outcome = lower(value, { method, from, to, policy });
          if (outcome.kind === 'refused') {
            const { liftable } = outcome.refusal;
            // What no policy can lift is no result yet, or no result at all.
            if (policy === PERMISSIVE || liftable !== true) {
              expect(outcome.refusal.feature).toMatch(/^result-(type|content)$/);
              expect(outcome.refusal.path).toMatch(/^(\/resultType)?$/);
            }
            return;
          }
          const result: unknown =
            outcome.kind === 'changed' ? JSON.parse(outcome.raw.toString('utf8')) : value;
          if (
            (result as { resultType?: unknown }).resultType === 'complete' ||
            eraOf(to) === 'legacy'
          ) {
            expect(rejection(to, method, result)).toBeUndefined();
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('and one that is whole needs nothing', () => {
    for (const method of methods) {
      const outcome = lower(SAMPLES[method], { method, from: own, to: own, policy: STRICT });
      const isOlder = ['2024-11-05', '2025-03-26'].includes(own);
      if (!isOlder)
        expect([method, outcome.kind, outcome.steps]).toEqual([method, 'unchanged', []]);
    }
  });
});
