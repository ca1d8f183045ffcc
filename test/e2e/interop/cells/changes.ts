import { expect } from 'vitest';

import { WATCHED_URI } from '../../../fixtures/everythingModern/payloads.ts';
import { until } from '../../../support/until.ts';
import { isModernClient, isModernServer, type Lane } from '../lane.ts';
import type { Members, Peer } from '../peer.ts';
import type { WireMessage } from '../wire.ts';
import { answerOf, type Cell, type Scene } from './cell.ts';

const UPDATED = 'notifications/resources/updated';
const TOOLS_CHANGED = 'notifications/tools/list_changed';

/** What one side says without being asked. */
export function changeCells(lane: Lane): readonly Cell[] {
  return [...listCells, subscription, rootsChanged(lane)];
}

const listCells: readonly Cell[] = [
  listCell('tools', 'test_trigger_tool_change', 'test_dynamic_tool', (peer) => peer.listTools()),
  listCell('prompts', 'test_trigger_prompt_change', 'test_dynamic_prompt', (peer) =>
    peer.listPrompts(),
  ),
  listCell('resources', 'test_trigger_resource_change', 'dynamic-resource', (peer) =>
    peer.listResources(),
  ),
];

/** An entry of a list that comes and goes is announced and listed, and once more. */
function listCell(
  list: string,
  tool: string,
  entry: string,
  listOf: (peer: Peer) => Promise<readonly Members[]>,
): Cell {
  return {
    thing: `${list}/list_changed, an entry that comes and goes`,
    outcome: 'crosses',
    run: async (scene) => {
      const stop = await scene.peer.watchLists();
      const names = async (): Promise<unknown[]> =>
        (await listOf(scene.peer)).map(({ name }) => name);
      expect(await names()).not.toContain(entry);
      await trigger(scene, tool, `notifications/${list}/list_changed`);
      expect(await names()).toContain(entry);
      await trigger(scene, tool, `notifications/${list}/list_changed`);
      expect(await names()).not.toContain(entry);
      await stop();
    },
  };
}

const subscription: Cell = {
  thing: 'resources/updated, while it is subscribed to and no longer',
  outcome: 'crosses',
  run: async (scene) => {
    const { peer } = scene;
    const before = await peer.readResource(WATCHED_URI);
    const unsubscribe = await peer.watchResource(WATCHED_URI);
    const [update] = await trigger(scene, 'test_update_watched_resource', UPDATED);
    expect(update?.params).toMatchObject({ uri: WATCHED_URI });
    expect(await peer.readResource(WATCHED_URI)).not.toEqual(before);

    await unsubscribe();
    const stop = await peer.watchLists();
    const from = peer.wire.received.length;
    await peer.callTool('test_update_watched_resource');
    // What is announced later comes later: had there been an update, it would be here by then.
    await peer.listTools();
    await trigger(scene, 'test_trigger_tool_change', TOOLS_CHANGED);
    await peer.listTools();
    await trigger(scene, 'test_trigger_tool_change', TOOLS_CHANGED);
    await peer.listTools();
    expect(peer.wire.heard(UPDATED, from)).toEqual([]);
    await stop();
  },
};

/** A server of the modern era asks for roots when it needs them; a client of that era has no such notification. */
function rootsChanged(lane: Lane): Cell {
  const thing = 'roots/list_changed';
  if (isModernClient(lane)) {
    return {
      thing,
      outcome: 'unsaid',
      run: ({ peer }) =>
        expect(peer.rootsChanged()).rejects.toMatchObject({
          code: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
        }),
    };
  }
  return {
    thing,
    outcome: 'crosses',
    run: async ({ peer, station }) => {
      const line = station.log.lines.length;
      await peer.rootsChanged();
      if (!isModernServer(lane)) await station.log.waitFor('roots changed', line);
      await answerOf({ peer }, 'test_input_required_result_list_roots');
    },
  };
}

/** Calls a tool and waits for what it makes the server announce. */
async function trigger(
  { peer }: Scene,
  tool: string,
  notification: string,
): Promise<readonly WireMessage[]> {
  const from = peer.wire.received.length;
  await peer.callTool(tool);
  return until(
    () => {
      const heard = peer.wire.heard(notification, from);
      return heard.length > 0 && heard;
    },
    undefined,
    () => `${tool} was called, and no ${notification} came.`,
  );
}
