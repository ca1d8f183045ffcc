import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { legacyServer, modernServer } from '../fixtures/raw/scripts.ts';
import {
  configure,
  dataFolder,
  problems,
  removeConfiguration,
  setPolicy,
} from './support/configuration.ts';
import { filesWith } from './support/files.ts';
import { page } from './support/page.ts';
import {
  isAlive,
  pause,
  scripted,
  startAndAgree,
  startHttpProgram,
  testFile,
  unique,
  waitForEnd,
} from './support/servers.ts';
import { readRows, waitForRow } from './support/tree.ts';
import { callTool, waitForTool, waitUntil } from './support/workbench.ts';

suite('Servers', () => {
  teardown(removeConfiguration);

  test('one bad server costs only itself, and is no server without tools', async () => {
    await configure({
      modern: scripted('modern', modernServer()).entry,
      legacy: scripted('legacy', legacyServer('2025-06-18')).entry,
      broken: { command: 'no-such-program-at-all', args: [unique('broken')] },
    });
    for (const name of ['modern', 'legacy', 'broken']) await startAndAgree(name);
    await waitForRow('broken failed:');
    await waitForRow('legacy 2025-11-25 ⇄ 2025-06-18 · 1 tool');
    const rows = await readRows();
    assert.ok(rows.includes('modern 2025-11-25 ⇄ 2026-07-28 · 1 tool'));
    await waitUntil('the problem', () =>
      problems().find(({ code, message }) => code === 'server' && /no-such-program/.test(message)),
    );
    for (const prefix of ['modern', 'legacy']) {
      const tool = await waitUntil(`the tool of ${prefix}`, () =>
        vscode.lm.tools.find(({ name }) => name.endsWith('_echo')),
      );
      assert.equal(await callTool(tool.name, {}), 'ok');
    }
    await page.screenshot('one-failed');
  });

  test('a server that does not answer shows what it says, and ends when it is removed', async () => {
    const silent = scripted('silent', {
      start: [{ stderr: 'loading the model\n' }],
      rules: [],
    });
    await configure({ silent: silent.entry });
    await startAndAgree('silent');
    await waitForRow('silent starting… loading the model');
    await page.screenshot('starting');
    await configure({});
    await waitForEnd(silent.starts());
  });

  test('changes of the policy leave no process behind', async () => {
    const legacy = scripted('policies', legacyServer('2025-06-18'));
    await configure({ policies: legacy.entry });
    await startAndAgree('policies');
    for (const policy of ['permissive', 'strict', 'permissive', undefined]) {
      const tool = await waitForTool('_echo');
      assert.equal(await callTool(tool.name, {}), 'ok');
      await setPolicy(policy);
      await pause(700);
    }
    await waitUntil(
      'the superfluous processes to end',
      () => legacy.starts().filter(isAlive).length <= 1 || undefined,
    );
  });

  test('a server of 2026-07-28 over HTTP is bridged, and its secrets stay out of sight', async () => {
    const { url, stop } = await startHttpProgram(
      testFile('fixtures', 'everythingModern', 'http.ts'),
    );
    try {
      const secret = 'Bearer visible-nowhere-4711';
      await configure({ web: { type: 'http', url, headers: { Authorization: secret } } });
      await startAndAgree('web');
      const tool = await waitForTool('_test_simple_text');
      assert.match(await callTool(tool.name, {}), /simple text/);
      await waitForRow('web 2025-11-25 ⇄ 2026-07-28 ·');
      assert.ok(!problems().some(({ message }) => message.includes('4711')));
      assert.deepEqual(filesWith('visible-nowhere-4711', dataFolder()), []);
    } finally {
      stop();
    }
  });
});
