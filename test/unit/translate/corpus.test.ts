import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';

import { REVISIONS, type Revision } from '../../../src/protocol/revision.ts';
import { loadCorpus, translate, type Came, type Example } from '../../support/corpus.ts';
import { SDK_SCHEMAS } from '../../support/sdkSchemas.ts';

const examples = [...loadCorpus()].map(([file, example]): [string, Example] => [
  basename(file, '.json'),
  example,
]);

describe('the corpus', () => {
  test.each(examples)('%s comes out as it is written down', (_name, example) => {
    expect(translate(example)).toEqual(example.came);
  });

  test.each(examples)('%s is taken by a real reader wherever it comes out', (_name, example) => {
    const rejected = example.came.flatMap((came) =>
      READERS.filter((to) => came.for.some((reader) => reader.startsWith(to)))
        // A question that crosses as it came to a reader of the writer's own revision is between the two of them.
        .filter((to) => example.kind === 'result' || came.out !== undefined || to !== example.from)
        .flatMap((to) => rejection(example, came, to) ?? []),
    );
    expect(rejected).toEqual([]);
  });
});

/** The draft's readers take what no SDK knows yet. */
const READERS = REVISIONS.filter((revision) => revision !== 'draft');

/** Why the SDK of a revision does not take what came out; undefined where it does. */
function rejection(example: Example, came: Came, to: Revision): string | undefined {
  if (came.refused !== undefined) return undefined;
  const { kind, method } = example;
  const { results, questions } = SDK_SCHEMAS[to];
  const value: unknown = JSON.parse(came.out ?? example.in);
  const verdict =
    kind === 'question'
      ? questions.get(method)?.safeParse({ method, params: value })
      : kind === 'request'
        ? undefined
        : results.get(method)?.safeParse(value);
  // A question that the bridge answers itself is shown to nobody.
  if (kind === 'question' && Object.hasOwn(value as object, 'action')) return undefined;
  return verdict?.success === false ? `${to}: ${String(verdict.error)}` : undefined;
}
