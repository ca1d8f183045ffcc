import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { modernServer } from '../fixtures/raw/scripts.ts';
import { configure, dataFolder, problems, removeConfiguration } from './support/configuration.ts';
import { filesWith } from './support/files.ts';
import { page } from './support/page.ts';
import { pause, scripted, startAndAgree } from './support/servers.ts';
import { clickRowButton, waitForRow } from './support/tree.ts';
import { answerQuickInput, callTool, waitForTool, waitUntil } from './support/workbench.ts';

const SECRET = 'seen-by-nobody-0815';

suite('Inputs', () => {
  teardown(removeConfiguration);

  test('a secret is asked for once, reaches the server, and is written nowhere else', async () => {
    const steps = [{ stderr: `the key is ${SECRET}\n` }, { exit: 1 }];
    const { entry } = scripted('loud', modernServer({ on: 'tools/call', nth: 1, steps }));
    await configure({ loud: { ...entry, env: { API_KEY: '${input:key}' } } }, [
      { id: 'key', type: 'promptString', description: 'The key', password: true },
    ]);
    await startAndAgree('loud');
    await page.waitFor('.quick-input-widget:has-text("The key")');
    await pause(500);
    await page.screenshot('input');
    await answerQuickInput('The key', SECRET);
    const tool = await waitForTool('_echo');
    await callTool(tool.name, {}).catch(() => undefined);
    await waitUntil('the failure', () => problems().find(({ code }) => code === 'server'));
    assert.ok(problems().some(({ message }) => message.includes('the key is •••')));
    await waitForRow('loud failed');
    await clickRowButton('loud', 'Start Server');
    await waitForRow('loud 2025-11-25 ⇄ 2026-07-28');
    assert.deepEqual(filesWith(SECRET, dataFolder()), []);
    const log = filesWith('the key is •••', dataFolder());
    assert.equal(log.length, 1);
    assert.ok(!(await readFile(log[0] ?? '', 'utf8')).includes('Bearer'));
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});
