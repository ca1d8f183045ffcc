import assert from 'node:assert/strict';
import { configure, removeConfiguration } from '../support/configuration.ts';
import { page } from '../support/page.ts';
import { everythingModern, startAndAgree } from '../support/servers.ts';
import { waitForRow } from '../support/tree.ts';
import { callTool, waitForTool } from '../support/workbench.ts';

suite('The packaged extension', () => {
  teardown(removeConfiguration);

  test('bridges a server of 2026-07-28', async () => {
    const server = everythingModern('packaged');
    await configure({ packaged: server.entry });
    await startAndAgree('packaged');
    const tool = await waitForTool('_test_simple_text');
    assert.match(await callTool(tool.name, {}), /simple text/);
    await waitForRow('packaged 2025-11-25 ⇄ 2026-07-28 ·');
    await page.screenshot('installed');
  });
});
