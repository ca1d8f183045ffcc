import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { changeCells } from './cells/changes.ts';
import type { Cell, Scene } from './cells/cell.ts';
import { contentCells } from './cells/content.ts';
import { notificationCells } from './cells/notifications.ts';
import { offerCells } from './cells/offers.ts';
import { questionCells } from './cells/questions.ts';
import { sessionCells } from './cells/session.ts';
import { toolCells } from './cells/tools.ts';
import type { ClientSdk } from './sdks.ts';
import { openStation, type Lane, type Station } from './station.ts';

function describeLane(lane: Lane, cells: readonly Cell[]): void {
  const { sdk, face, server, upstream, policy } = lane;
  const title = `${sdk.version} (${sdk.revision}) -> mcp-rosetta ${face} --degrade ${policy} -> ${server} server over ${upstream}`;
  describe(title, () => {
    let station: Station | undefined;
    let scene: Scene;
    beforeAll(async () => {
      station = await openStation(lane);
      scene = { lane, station, peer: await station.connect() };
    });
    afterAll(() => station?.close());
    afterEach(() => {
      expect(scene.peer.wire.problems.splice(0), 'what the SDK does not take').toEqual([]);
      expect(scene.peer.complaints.splice(0), 'what the client complained of').toEqual([]);
    });
    for (const { name, run } of cells) test(name, () => run(scene));
  });
}

const FACES = ['stdio', 'serve'] as const;
const UPSTREAMS = ['stdio', 'http'] as const;

/** The faces of the bridge that clients of an SDK can speak with. */
export function facesOf(sdk: ClientSdk): readonly Lane['face'][] {
  return sdk.Http === undefined ? ['stdio'] : FACES;
}

/** Every cell for clients of one SDK and a server of the modern era; what a policy decides, under both. */
export function describeModern(sdk: ClientSdk): void {
  for (const face of facesOf(sdk)) {
    for (const upstream of UPSTREAMS) describeStrict(sdk, face, 'modern', upstream);
    describePermissive(sdk, face, 'modern', 'stdio');
  }
}

/** The same for a server of the client's own era, where less can go wrong: each face and each upstream once. */
export function describeLegacy(sdk: ClientSdk): void {
  describeStrict(sdk, 'stdio', 'legacy', 'stdio');
  describeStrict(sdk, facesOf(sdk).at(-1) ?? 'stdio', 'legacy', 'http');
  describePermissive(sdk, 'stdio', 'legacy', 'stdio');
}

type Ends = [ClientSdk, Lane['face'], Lane['server'], Lane['upstream']];

function describeStrict(...[sdk, face, server, upstream]: Ends): void {
  const lane: Lane = { sdk, face, server, upstream, policy: 'strict' };
  describeLane(lane, [
    ...sessionCells(lane),
    ...toolCells(lane),
    ...contentCells(lane),
    ...notificationCells(lane),
    ...changeCells,
    ...offerCells,
    ...questionCells(lane),
  ]);
}

function describePermissive(...[sdk, face, server, upstream]: Ends): void {
  const lane: Lane = { sdk, face, server, upstream, policy: 'permissive' };
  describeLane(lane, contentCells(lane));
}
