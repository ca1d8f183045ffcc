import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Revision } from '../../../src/protocol/revision.ts';
import { changeCells } from './cells/changes.ts';
import type { Cell, Outcome, Scene } from './cells/cell.ts';
import { contentCells } from './cells/content.ts';
import { elicitationCells } from './cells/elicitation.ts';
import { notificationCells } from './cells/notifications.ts';
import { offerCells } from './cells/offers.ts';
import { promptCells } from './cells/prompts.ts';
import { questionCells } from './cells/questions.ts';
import { sessionCells } from './cells/session.ts';
import { toolCells } from './cells/tools.ts';
import { allLanes, someLanes, titleOf, type Lane, type Policy } from './lane.ts';
import { openStation, type Station } from './station.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What a cell of the interop table holds to be right. */
    outcome?: Outcome;
  }
}

/** Every cell of a lane under a policy: the same things on all lanes, in the same order. */
export function cellsOf(lane: Lane, policy: Policy): readonly Cell[] {
  return [
    ...sessionCells(lane),
    ...toolCells(lane),
    ...contentCells(lane, policy),
    ...notificationCells(lane),
    ...changeCells(lane),
    ...promptCells(lane, policy),
    ...offerCells(lane, policy),
    ...questionCells(lane, policy),
    ...elicitationCells(lane, policy),
  ];
}

/** What a policy that allows all losses decides otherwise than the strict one. */
export function cellsAtStake(lane: Lane): readonly Cell[] {
  const strict = cellsOf(lane, 'strict');
  return cellsOf(lane, 'permissive').filter(
    ({ outcome }, index) => outcome !== strict[index]?.outcome,
  );
}

export function titleOfCell({ thing, outcome, feature }: Omit<Cell, 'run'>): string {
  return `${thing}: ${outcome}${feature === undefined ? '' : ` (${feature})`}`;
}

/** The tests of one lane: each cell, done by the same client. */
export function describeCells(
  title: string,
  lane: Lane,
  open: () => Promise<Station>,
  cells: readonly Cell[],
): void {
  describe(title, () => {
    let station: Station | undefined;
    let scene: Scene;
    let line = 0;
    beforeAll(async () => {
      station = await open();
      line = station.since;
      scene = { lane, station, peer: await station.connect() };
    });
    afterAll(() => station?.close());
    afterEach(() => {
      const { peer } = scene;
      expect(peer.wire.problems.splice(0), 'what the client SDK does not take').toEqual([]);
      expect(peer.complaints.splice(0), 'what the client complained of').toEqual([]);
      const said = scene.station.log.lines.slice(line);
      line += said.length;
      expect(said.filter(isComplaint), 'what the server complained of').toEqual([]);
    });
    for (const cell of cells) {
      test(titleOfCell(cell), async ({ task }) => {
        task.meta.outcome = cell.outcome;
        await cell.run(scene);
      });
    }
  });
}

/** A line with which a fixture says that its SDK could not read or place a message; a probe is not for it to place. */
function isComplaint(line: string): boolean {
  return line.includes('fixture complains:') && !line.includes('Server not initialized');
}

/** The lanes of one client: some of them, or each that there is where the whole table is asked for. */
export function describeClient(revision: Revision): void {
  const lanes = process.env['INTEROP'] === 'all' ? allLanes() : someLanes();
  for (const lane of lanes) {
    if (lane.sdk.revision !== revision) continue;
    describePolicy(lane, 'strict', cellsOf(lane, 'strict'));
    const atStake = cellsAtStake(lane);
    if (atStake.length > 0) describePolicy(lane, 'permissive', atStake);
  }
}

function describePolicy(lane: Lane, policy: Policy, cells: readonly Cell[]): void {
  describeCells(`${titleOf(lane)}, ${policy}`, lane, () => openStation(lane, policy), cells);
}
