import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { eraOf, isAtLeast } from '../../../src/protocol/revision.ts';
import type { Answer, PeerRevision } from './clients.ts';
import { openStation, scripted, type Lane, type Station } from './lane.ts';
import type { Fate, Row } from './rows/row.ts';
import { ROWS } from './rows/rows.ts';
import { paramsOf, scriptOf } from './script.ts';

const RETIRED = /^(ping|logging\/|resources\/(un)?subscribe)/;

function isFor({ method, server }: Row, lane: Lane): boolean {
  if (server !== undefined && server !== lane.server) return false;
  return eraOf(lane.revision) === 'legacy' || !RETIRED.test(method);
}

/** What becomes of a row on this lane. */
function fateOn({ revision }: Lane, { fate, since, until, earlier }: Row): Fate {
  const untouched: Fate = { kind: 'untouched' };
  if (!isAtLeast(revision, since ?? '2024-11-05')) return earlier ?? untouched;
  return isAtLeast(until ?? 'draft', revision) ? fate : untouched;
}

/** Every row, for one client: a server of each era, under each policy, one bridge for all of them. */
export function describeFacts(revision: PeerRevision): void {
  for (const server of ['legacy', 'modern'] as const) {
    for (const policy of ['strict', 'permissive'] as const) {
      describeLane({ revision, server, policy });
    }
  }
}

function describeLane(lane: Lane): void {
  const { revision, server, policy } = lane;
  const title = `a client of ${revision}, a ${server} server, ${policy}`;
  const rows = ROWS.filter((row) => isFor(row, lane));
  describe(title, () => {
    let station: Station;

    beforeAll(async () => {
      station = await openStation(lane, scripted(scriptOf(lane.server, rows)));
    });
    afterAll(() => station.close());
    afterEach(() => {
      expect(station.peer.complaints.splice(0), 'what the SDK complained of').toEqual([]);
    });

    test.each(rows)('$name', async (row) => {
      const { events, peer } = station;
      const before = events.length;
      let progress = 0;
      // An old client puts its progress token in the place of all other `_meta`.
      const onProgress = row.progress === true ? () => progress++ : undefined;
      const answer = await peer.ask(row.method, paramsOf(row), onProgress);
      const told = events.slice(before).flatMap((event) => {
        if (event.kind === 'refusal') return [`refused ${event.refusal.feature}`];
        return event.kind === 'report'
          ? event.steps.map((step) => `${step.loss} ${step.feature}`)
          : [];
      });
      expectFate(fateOn(lane, row), lane, answer, new Set(told));
      const words = answer.kind === 'error' ? answer.error.message : JSON.stringify(answer.result);
      if (!words.includes('Refused by the bridge')) expect(words).toContain(row.keeps ?? '');
      if (row.progress === true) expect(progress).toBe(1);
    });
  });
}

function expectFate(fate: Fate, { policy }: Lane, answer: Answer, told: ReadonlySet<string>): void {
  const isStrict = policy === 'strict';
  switch (fate.kind) {
    case 'untouched':
      expectResult(answer);
      expect(told).toEqual(new Set());
      return;
    case 'mended':
      expectResult(answer);
      expect(told).toContain(`none ${fate.feature}`);
      expect([...told].filter((each) => !each.startsWith('none '))).toEqual([]);
      return;
    case 'dropped':
      expectResult(answer);
      expect(told).toContain(`lossy ${fate.feature}`);
      return;
    case 'withheld':
      expectResult(answer);
      expect(told).toContain(`${isStrict ? 'refused' : 'lossy'} ${fate.feature}`);
      return;
    case 'left out':
      expectResult(answer);
      expect(told).toContain(`refused ${fate.feature}`);
      return;
    case 'lossy':
      if (isStrict) {
        expectRefusal(answer, fate.feature);
      } else {
        expectResult(answer);
        expect(told).toContain(`lossy ${fate.feature}`);
      }
      return;
    case 'refused':
      expectRefusal(answer, fate.feature);
      return;
    case 'error':
      expect(answer).toMatchObject({ kind: 'error', error: { code: fate.code } });
  }
}

function expectResult(answer: Answer): void {
  if (answer.kind === 'error') throw answer.error;
  expect(refusedIn(answer.result['_meta'])).toBeUndefined();
}

/** A refusal reaches the client as an error, or as a tool's, with the name of the feature in its words. */
function expectRefusal(answer: Answer, feature: string): void {
  const words = `Refused by the bridge (${feature})`;
  if (answer.kind === 'error') {
    expect(answer.error.message).toContain(words);
    return;
  }
  expect(answer.result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  expect(JSON.stringify(answer.result)).toContain(words);
  expect(refusedIn(answer.result['_meta'])).toBe(feature);
}

function refusedIn(data: unknown): string | undefined {
  return (data as { bridge?: { refused?: string } } | undefined)?.bridge?.refused;
}
