import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { configurationUri, configure, removeConfiguration } from './support/configuration.ts';
import { page } from './support/page.ts';
import {
  askEditorToStart,
  everythingModern,
  isAlive,
  pause,
  startUntilAsked,
  waitForEnd,
} from './support/servers.ts';
import { clickRow, clickRowButton, waitForRow } from './support/tree.ts';
import { answerDialog, answerNotification, readDialog, waitForTool } from './support/workbench.ts';

suite('Consent', () => {
  teardown(removeConfiguration);

  test('nothing starts before the user has seen the whole command line and agreed', async () => {
    const server = everythingModern('asked');
    const { command, args } = server.entry;
    const long = 'x'.repeat(20_000);
    const entry = { command, args: [...args, `--${long}`, 'a b', '\u202e'] };
    await configure({ asked: entry });
    await startUntilAsked('asked');
    const text = await readDialog();
    for (const argument of [command, ...args, `--${long}`, 'a b']) {
      assert.ok(text.includes(`"${argument}"`), `the dialog shows ${argument}`);
    }
    assert.ok(text.includes('\\u{202e}'), 'a hidden character is shown');
    await page.screenshot('consent-long');
    assert.deepEqual(server.starts(), []);

    await answerDialog("Don't Start");
    await askEditorToStart('asked');
    await waitForRow('not allowed to run');
    assert.deepEqual(server.starts(), []);

    await clickRow('asked');
    await answerDialog('Start');
    await waitForTool('_test_simple_text');
    await waitForRow('asked 2025-11-25 ⇄ 2026-07-28');
    assert.equal(server.starts().length, 1);
  });

  test('a change of the command ends the server and asks again; a change back does not', async () => {
    const server = everythingModern('changed');
    await configure({ changed: server.entry });
    await startUntilAsked('changed');
    await page.screenshot('consent');
    await answerDialog('Start');
    await waitForRow('2026-07-28 ·');
    const first = server.starts();
    assert.equal(first.length, 1);

    const args = [...server.entry.args, '--other'];
    await configure({ changed: { ...server.entry, args } });
    await waitForRow('needs your consent');
    await waitForEnd(first);
    await startUntilAsked('changed');
    assert.ok((await readDialog()).includes('"--other"'));
    await answerDialog("Don't Start");
    assert.deepEqual(server.starts(), first);

    await configure({ changed: server.entry });
    await waitForRow('stopped');
    await askEditorToStart('changed');
    await waitForRow('2026-07-28 ·');
    assert.equal(server.starts().length, 2);
  });

  test('consent does not follow a name', async () => {
    const one = everythingModern('one');
    const other = everythingModern('other');
    await configure({ one: one.entry });
    await startUntilAsked('one');
    await answerDialog('Start');
    await waitForRow('2026-07-28 ·');
    await configure({ one: other.entry, two: one.entry });
    const rows = await waitForRow('needs your consent');
    assert.deepEqual(
      rows.filter((row) => /^(one|two) /.test(row)),
      ['one needs your consent', 'two stopped'],
    );
    await pause(1000);
    assert.deepEqual(other.starts(), []);
  });

  test('an entry that an agent writes through the editor does not start by itself', async () => {
    const server = everythingModern('written');
    await vscode.commands.executeCommand('notifications.clearAll');
    const edit = new vscode.WorkspaceEdit();
    const text = JSON.stringify({ servers: { written: server.entry } });
    edit.createFile(configurationUri(), { contents: Buffer.from(text) });
    assert.ok(await vscode.workspace.applyEdit(edit));
    await waitForRow('needs your consent');
    await answerNotification('wants to start 1 new MCP server', 'Review');
    assert.ok((await readDialog()).includes('"written"'));
    await answerDialog("Don't Start");
    assert.deepEqual(server.starts(), []);
  });

  test('consent that is forgotten ends the server and is asked for again', async () => {
    const server = everythingModern('forgotten');
    await configure({ forgotten: server.entry });
    await startUntilAsked('forgotten');
    await answerDialog('Start');
    await waitForRow('2026-07-28 ·');
    void vscode.commands.executeCommand('mcpRosetta.forgetConsent');
    await page.click('.quick-input-widget .monaco-list-row:has-text("forgotten")');
    await waitForRow('needs your consent');
    await waitForEnd(server.starts());
  });

  test('a server is stopped and started from its row', async () => {
    const server = everythingModern('halted');
    await configure({ halted: server.entry });
    await startUntilAsked('halted');
    await answerDialog('Start');
    await waitForRow('2026-07-28 ·');
    await clickRowButton('halted', 'Stop Server');
    await waitForRow('halted stopped');
    await waitForEnd(server.starts());
    await clickRowButton('halted', 'Start Server');
    await waitForRow('2025-11-25 ⇄ 2026-07-28 ·');
    assert.equal(server.starts().length, 2);
    const [, second] = server.starts();
    assert.ok(second !== undefined && isAlive(second));
  });
});
