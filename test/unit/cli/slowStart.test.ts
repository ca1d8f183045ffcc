import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { tellSlowStart } from '../../../src/cli/slowStart.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a slow start is told of once, with its limit, and again where the server says something new', () => {
  const said: string[] = [];
  const clock = { afterMs: 1000, limitMs: 180_000, hasStderr: true };
  const tell = tellSlowStart(clock, (message) => said.push(message));
  tell({ kind: 'state', state: { kind: 'starting' } });
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(['still starting ("startMs" gives it 180 s); it wrote nothing to stderr']);
  tell({ kind: 'stderr', line: 'fetching' });
  vi.advanceTimersByTime(100_000);
  expect(said.slice(1)).toEqual(['still starting; its last line on stderr: fetching']);
  tell({ kind: 'state', state: { kind: 'stopped' } });
  vi.advanceTimersByTime(1_000_000);
  expect(said).toHaveLength(2);
});

test('a server that is no program of ours has no stderr that could be told of', () => {
  const said: string[] = [];
  const clock = { afterMs: 1000, limitMs: 180_000, hasStderr: false };
  const tell = tellSlowStart(clock, (message) => said.push(message));
  tell({ kind: 'state', state: { kind: 'starting' } });
  vi.advanceTimersByTime(100_000);
  expect(said).toEqual(['still starting ("startMs" gives it 180 s)']);
});
