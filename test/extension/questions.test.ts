import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { configure, removeConfiguration } from './support/configuration.ts';
import { page } from './support/page.ts';
import { everythingModern, startAndAgree } from './support/servers.ts';
import {
  answerNotification,
  answerQuickInput,
  callTool,
  waitForTool,
} from './support/workbench.ts';

suite('Questions', () => {
  teardown(removeConfiguration);

  test('a tool that asks is answered through the editor, and goes on', async () => {
    await configure({ asking: everythingModern('asking').entry });
    await startAndAgree('asking');
    const tool = await waitForTool('_test_elicitation');
    const answer = callTool(tool.name, { message: 'Who are you?' });
    await answerNotification('Who are you?', 'Respond');
    await page.screenshot('question');
    await answerQuickInput('username', 'ada');
    await answerQuickInput('email', 'ada@example.com');
    assert.match(await answer, /action=accept.*ada@example\.com/);
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});
