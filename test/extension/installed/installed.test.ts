import assert from 'node:assert/strict';
import { configure, removeConfiguration } from '../support/configuration.ts';
import { startGuarded } from '../support/guarded.ts';
import { page } from '../support/page.ts';
import { everythingModern, startAndAgree } from '../support/servers.ts';
import { clickRowButton, waitForRow } from '../support/tree.ts';
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

  test('signs in, with the part of it that is for that alone', async () => {
    const guarded = await startGuarded();
    try {
      await configure({ guarded: { type: 'http', url: guarded.server.url } });
      await startAndAgree('guarded');
      await waitForRow('guarded needs sign-in');
      await clickRowButton('guarded', 'Sign In');
      assert.match((await page.opened()).text, /You are signed in/);
      await waitForRow('guarded 2025-11-25 ⇄ 2025-11-25 · 2 tools');
    } finally {
      await guarded.close();
    }
  });
});
