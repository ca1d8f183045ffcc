import { expect } from 'vitest';

import { WATCHED_URI } from '../../../fixtures/everythingModern/payloads.ts';
import { until } from '../../../support/until.ts';
import type { Cell, Scene } from './cell.ts';

const UPDATED = 'notifications/resources/updated';
const TOOLS_CHANGED = 'notifications/tools/list_changed';
const PROMPTS_CHANGED = 'notifications/prompts/list_changed';

/** What the server says without being asked. */
export const changeCells: readonly Cell[] = [
  {
    name: 'list_changed: a tool that comes and goes is announced and listed',
    run: async (scene) => {
      const names = async (): Promise<string[]> =>
        (await scene.peer.client.listTools()).tools.map(({ name }) => name);
      expect(await names()).not.toContain('test_dynamic_tool');
      await trigger(scene, 'test_trigger_tool_change', TOOLS_CHANGED);
      expect(await names()).toContain('test_dynamic_tool');
      await trigger(scene, 'test_trigger_tool_change', TOOLS_CHANGED);
      expect(await names()).not.toContain('test_dynamic_tool');
    },
  },
  {
    name: 'list_changed: a prompt that comes and goes is announced and listed',
    run: async (scene) => {
      const names = async (): Promise<string[]> =>
        (await scene.peer.client.listPrompts()).prompts.map(({ name }) => name);
      expect(await names()).not.toContain('test_dynamic_prompt');
      await trigger(scene, 'test_trigger_prompt_change', PROMPTS_CHANGED);
      expect(await names()).toContain('test_dynamic_prompt');
      await trigger(scene, 'test_trigger_prompt_change', PROMPTS_CHANGED);
      expect(await names()).not.toContain('test_dynamic_prompt');
    },
  },
  {
    name: 'subscribe: an update of the resource arrives; after unsubscribe none does',
    run: async (scene) => {
      const { client, wire } = scene.peer;
      const read = async (): Promise<unknown> =>
        (await client.readResource({ uri: WATCHED_URI })).contents;
      const before = await read();
      await client.subscribeResource({ uri: WATCHED_URI });
      const [update] = await trigger(scene, 'test_update_watched_resource', UPDATED);
      expect(update?.params).toEqual({ uri: WATCHED_URI });
      expect(await read()).not.toEqual(before);

      await client.unsubscribeResource({ uri: WATCHED_URI });
      const from = wire.received.length;
      await client.callTool({ name: 'test_update_watched_resource', arguments: {} });
      // What is announced later comes later: had there been an update, it would be here by then.
      await client.listTools();
      await trigger(scene, 'test_trigger_tool_change', TOOLS_CHANGED);
      await client.listTools();
      await trigger(scene, 'test_trigger_tool_change', TOOLS_CHANGED);
      await client.listTools();
      expect(wire.heard(UPDATED, from)).toEqual([]);
    },
  },
];

/** Calls a tool and waits for what it makes the server announce. */
async function trigger({ peer: { client, wire } }: Scene, tool: string, notification: string) {
  const from = wire.received.length;
  await client.callTool({ name: tool, arguments: {} });
  return until(
    () => {
      const heard = wire.heard(notification, from);
      return heard.length > 0 && heard;
    },
    undefined,
    () => `${tool} was called, and no ${notification} came.`,
  );
}
