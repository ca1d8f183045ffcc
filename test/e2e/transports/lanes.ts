import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serverTarget, type TransportName } from '../../support/everything.ts';
import { LineLog } from '../../support/lineLog.ts';
import { openBridge, type Bridge } from '../interop/bridge.ts';
import type { Lane } from '../interop/lane.ts';
import { stationAt } from '../interop/station.ts';
import { describeCells, titleOfCell } from '../interop/table.ts';
import { cellsOf } from './cells.ts';
import { expectationOf } from './expectations.ts';
import { allLanes, serverOf, someLanes, titleOf, type Side } from './lane.ts';

const POLICY = 'strict';

/** The lanes to one server, which they share, as they share the bridges before it: some, or all where all are asked for. */
export function describeServer(transport: TransportName): void {
  const lanes = process.env['TRANSPORTS'] === 'all' ? allLanes() : someLanes();
  for (const era of ['legacy', 'modern'] as const) {
    const own = lanes.filter((lane) => serverOf(lane) === (`${era} ${transport}` satisfies Side));
    if (own.length > 0) describeLanes(own);
  }
}

function describeLanes(lanes: readonly Lane[]): void {
  const [{ server, upstream }] = lanes as readonly [Lane];
  describe(serverOf(lanes[0] as Lane), () => {
    const log = new LineLog();
    const bridges = new Map<TransportName, Bridge>();
    let running: Awaited<ReturnType<typeof serverTarget>> | undefined;
    beforeAll(async () => {
      running = await serverTarget(server, upstream, log);
    });
    afterAll(async () => {
      for (const bridge of bridges.values()) await bridge.close();
      await running?.stop();
    });
    const bridgeAt = async (face: TransportName): Promise<Bridge> => {
      if (running === undefined) throw new Error('The server does not run.');
      const bridge = bridges.get(face) ?? (await openBridge(face, running.target, POLICY, log));
      bridges.set(face, bridge);
      return bridge;
    };
    const open = async (lane: Lane) => stationAt(await bridgeAt(lane.face), lane, POLICY, log);

    for (const lane of lanes) {
      const opening = expectationOf(lane, 'open');
      if (opening.outcome !== 'refused') {
        describeCells(titleOf(lane), lane, () => open(lane), cellsOf(lane));
        continue;
      }
      describe(titleOf(lane), () => {
        const cell = { thing: 'open', outcome: opening.outcome };
        test(titleOfCell(cell), async ({ task }) => {
          task.meta.outcome = cell.outcome;
          const opened = open(lane).then((station) => station.connect());
          await expect(opened).rejects.toThrow(opening.words);
        });
      });
    }
  });
}
