import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { parseArguments } from '../../../src/cli/arguments.ts';
import { matrix } from '../../../src/cli/runMatrix.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

describe('the matrix', () => {
  test('stands in the README as it is printed', () => {
    expect(readme).toContain(matrix({ format: 'markdown' }, 80));
  });

  test('is printed for two revisions, one line a feature', () => {
    const pair = { from: '2026-07-28', to: '2025-06-18' } as const;
    const lines = matrix({ format: 'text', pair }, Infinity).split('\n');
    expect(lines[0]).toBe('What 2026-07-28 says and 2025-06-18 reads:');
    expect(lines).toContainEqual(
      expect.stringMatching(/^tool-structured-any +lossy +a text block/),
    );
    expect(lines.some((line) => line.startsWith('json-rpc-batch'))).toBe(false);
  });

  test('fits into the lines of a terminal', () => {
    const lines = matrix({ format: 'text' }, 60).split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBe(60);
  });

  test('is printed as JSON, all pairs or one', () => {
    const all = JSON.parse(matrix({ format: 'json' }, 80)) as { from: string; to: string }[];
    expect(new Set(all.map(({ from, to }) => `${from} ${to}`)).size).toBe(5 * 6);
    const pair = { from: '2025-03-26', to: '2024-11-05' } as const;
    const one = JSON.parse(matrix({ format: 'json', pair }, 80)) as unknown[];
    expect(one).toContainEqual({ feature: 'tool-annotations', ...pair, passage: 'untouched' });
  });
});

describe('the command line of the matrix', () => {
  const parse = (...argv: string[]): unknown => parseArguments(['matrix', ...argv], {});

  test('takes two revisions or none, and one format', () => {
    expect(parse()).toEqual({ kind: 'matrix', format: 'text' });
    expect(parse('--markdown')).toEqual({ kind: 'matrix', format: 'markdown' });
    expect(parse('draft', '2024-11-05', '--json')).toEqual({
      kind: 'matrix',
      format: 'json',
      pair: { from: 'draft', to: '2024-11-05' },
    });
  });

  test.each([
    [['2026-07-28'], 'takes two revisions'],
    [['2026-07-28', '2025-11-25', 'draft'], 'takes two revisions, or none'],
    [['2026-07-28', '2025-06'], 'unknown revision "2025-06"; there are 2024-11-05'],
    [['--json', '--markdown'], '--json and --markdown exclude each other'],
    [['draft', 'draft', '--markdown'], '--markdown prints the matrix of all revisions'],
    [['--', 'node'], 'matrix needs no server'],
    [['--url', 'http://a'], '--url is for stdio, serve, tools and call, not for matrix'],
  ])('refuses %j', (argv, message) => {
    expect(parse(...argv)).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(message) as string,
    });
  });
});
