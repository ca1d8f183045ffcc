import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { codecOf } from '../../src/protocol/codecs.ts';
import { featuresOf } from '../../src/protocol/features.ts';
import { methodsOf } from '../../src/protocol/methodTable.ts';
import { REVISIONS, type Revision } from '../../src/protocol/revision.ts';

const FOLDER = new URL('../../src/protocol/revisions/', import.meta.url);

/** What the folder of each released revision comes to. A released revision does not change; a correction is made here too. */
const RELEASED: Readonly<Record<Exclude<Revision, 'draft'>, string>> = {
  '2024-11-05': 'fe552dde1e9af975',
  '2025-03-26': '39e80a4c0e2258f8',
  '2025-06-18': 'bdd4c499f6d1cafe',
  '2025-11-25': 'e4b26bc60bf22c7b',
  '2026-07-28': '04e230791cf1e4eb',
};

function digestOf(revision: Revision): string {
  const facts = [featuresOf(revision), methodsOf(revision), codecOf(revision)];
  const text = JSON.stringify(facts, (_key, value: unknown) =>
    value instanceof Set ? [...(value as Set<string>)].sort() : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

describe('the revision folders', () => {
  test('are there for each revision, and all hold the same files', () => {
    const names = readdirSync(FOLDER).sort();
    expect(names).toEqual([...REVISIONS].sort());
    for (const name of names) {
      expect(readdirSync(new URL(name, FOLDER)).sort()).toEqual([
        'codec.ts',
        'features.ts',
        'methods.ts',
      ]);
    }
  });

  test('of released revisions are frozen', () => {
    const released = REVISIONS.filter((revision) => revision !== 'draft');
    expect(Object.fromEntries(released.map((each) => [each, digestOf(each)]))).toEqual(RELEASED);
  });
});
