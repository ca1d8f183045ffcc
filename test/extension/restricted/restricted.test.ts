import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { configure, problems, setPolicy } from '../support/configuration.ts';
import { page } from '../support/page.ts';
import { askEditorToStart, everythingModern, pause } from '../support/servers.ts';
import { readRows, waitForRow } from '../support/tree.ts';
import { answerNotification, grantTrust, readDialog, waitForTool } from '../support/workbench.ts';
import { answerDialog, callTool } from '../support/workbench.ts';

suite('Restricted Mode', () => {
  test('nothing starts and the policy of the workspace does not count, until it is trusted', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const server = everythingModern('held');
    await setPolicy('permissive');
    await configure({ held: server.entry });
    assert.deepEqual(await waitForRow('held'), ['held not started: Restricted Mode']);
    await askEditorToStart('held');
    void vscode.commands.executeCommand('mcpRosetta.refreshTools');
    await pause(1500);
    assert.deepEqual(server.starts(), []);
    assert.equal(vscode.workspace.getConfiguration().get('mcpRosetta.degradePolicy'), 'strict');
    assert.ok((await page.texts('.statusbar')).some((text) => text.includes('Rosetta: strict')));
    await page.screenshot('restricted');

    await grantTrust();
    await waitForRow('needs your consent');
    assert.deepEqual(server.starts(), []);
    await answerNotification('wants to start 1 new MCP server', 'Review');
    assert.ok((await readDialog()).includes('"held"'));
    await answerDialog('Start');
    const tool = await waitForTool('_test_simple_text');
    assert.match(await callTool(tool.name, {}), /simple text/);
    assert.equal(server.starts().length, 1);
    assert.match((await readRows())[0] ?? '', /^held 2025-11-25 ⇄ 2026-07-28/);
    assert.deepEqual(
      problems().filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error),
      [],
    );
    await page.screenshot('trusted');
  });
});
