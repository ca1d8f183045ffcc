import { describe, expect, test } from 'vitest';

import { FEATURES, type Feature } from '../../../../src/protocol/concern.ts';
import { featuresOf } from '../../../../src/protocol/features.ts';
import { REVISIONS } from '../../../../src/protocol/revision.ts';
import {
  allCrossings,
  crossing,
  crossingsBetween,
  newestWith,
} from '../../../../src/translate/matrix/matrix.ts';

/** What a reader that does not know it passes over, so that the bytes may cross. */
const PASSED_OVER: ReadonlySet<Feature> = new Set(['tool-annotations', 'result-type']);

describe('the matrix', () => {
  test('leaves untouched what the reader knows, and nothing else that it would trip over', () => {
    for (const { feature, to, passage } of allCrossings()) {
      const known = featuresOf(to).has(feature) || PASSED_OVER.has(feature);
      expect({ feature, to, untouched: passage === 'untouched' }).toEqual({
        feature,
        to,
        untouched: known,
      });
    }
  });

  test('says what stands in the place of each thing that is written otherwise', () => {
    const changed = allCrossings().filter(({ passage }) => ['lossless', 'lossy'].includes(passage));
    expect(changed.length).toBeGreaterThan(20);
    expect(changed.filter(({ instead }) => instead === undefined || instead === '')).toEqual([]);
  });

  test('has every feature in some revision, and all that a revision has between any two', () => {
    for (const feature of FEATURES) expect(featuresOf(newestWith(feature)).has(feature)).toBe(true);
    for (const from of REVISIONS) {
      const named = crossingsBetween(from, '2024-11-05').map(({ feature }) => feature);
      expect(new Set(named)).toEqual(featuresOf(from));
    }
  });

  test('knows what the writer’s revision cannot say', () => {
    expect(crossing('tool-structured-any', '2025-11-25', '2024-11-05').passage).toBe('absent');
  });

  test.each([
    ['tool-audio-content', '2024-11-05', 'lossless'],
    ['tool-resource-link', '2025-03-26', 'lossy'],
    ['tool-structured-any', '2025-11-25', 'lossy'],
    ['completion-context', '2025-03-26', 'lossy'],
    ['elicitation-titled-enum', '2025-06-18', 'lossless'],
    ['elicitation-multi-select', '2025-06-18', 'lossy'],
    ['sampling-tools', '2025-06-18', 'lossy'],
    ['elicitation-form', '2025-03-26', 'refused'],
  ] as const)('has %s before a reader of %s as %s', (feature, to, passage) => {
    expect(crossing(feature, '2026-07-28', to).passage).toBe(passage);
  });
});
