import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { modernServer } from '../fixtures/raw/scripts.ts';
import {
  configurationUri,
  configure,
  problems,
  removeConfiguration,
  setPolicy,
} from './support/configuration.ts';
import { page } from './support/page.ts';
import { pause, scripted, startAndAgree } from './support/servers.ts';
import { callTool, pickQuickInput, waitForTool, waitUntil } from './support/workbench.ts';

const structured = {
  resultType: 'complete',
  content: [],
  structuredContent: ['red', 'green'],
};
const script = modernServer({ on: 'tools/call', steps: [{ result: structured }] });
const STATUS = '[id="mcp-rosetta.mcp-rosetta.mcpRosetta.policy"]';

function refusals(): readonly vscode.Diagnostic[] {
  return problems().filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
}

suite('Policy', () => {
  setup(async () => {
    await setPolicy(undefined);
    await configure({ palette: scripted('palette', script).entry });
    await startAndAgree('palette');
  });
  teardown(async () => {
    await setPolicy(undefined);
    await removeConfiguration();
  });

  test('a refused result is a problem, until the policy lets it through', async () => {
    const tool = await waitForTool('_echo');
    assert.match(await callTool(tool.name, {}), /tool-structured-any/);
    const [refusal] = await waitUntil('the refusal', () =>
      refusals().length > 0 ? refusals() : undefined,
    );
    assert.equal(refusal?.code, 'tool-structured-any');
    assert.match(refusal.message, /^"echo" result refused: .*\(2026-07-28 → 2025-11-25\)$/);
    const editor = await vscode.window.showTextDocument(configurationUri());
    assert.equal(editor.document.getText(refusal.range), '"palette"');
    await callTool(tool.name, {});
    await waitUntil('the count', () => refusals()[0]?.message.endsWith('(2×)') || undefined);

    await vscode.commands.executeCommand('workbench.actions.view.problems');
    await page.waitFor(`${STATUS}:has-text("2")`);
    await page.screenshot('refused');
    await page.click(STATUS);
    await page.waitFor('.quick-input-widget:has-text("Per feature")');
    await pause(500);
    await page.screenshot('policy');
    await pickQuickInput('What may be lost', 'Permissive');
    await waitUntil('the refusal to be gone', () => refusals().length === 0 || undefined);
    assert.equal(await callTool(tool.name, {}), '["red","green"]');
    await waitUntil('the report of the loss', () =>
      problems().find(
        ({ code, severity }) =>
          code === 'tool-structured-any' && severity === vscode.DiagnosticSeverity.Warning,
      ),
    );
    await page.screenshot('permissive');
    const { workspaceValue } = vscode.workspace
      .getConfiguration()
      .inspect<string>('mcpRosetta.degradePolicy') ?? { workspaceValue: undefined };
    assert.equal(workspaceValue, 'permissive');
  });

  test('a quick fix lets go of the one feature', async () => {
    const tool = await waitForTool('_echo');
    assert.match(await callTool(tool.name, {}), /tool-structured-any/);
    const [refusal] = await waitUntil('the refusal', () =>
      refusals().length > 0 ? refusals() : undefined,
    );
    assert.ok(refusal !== undefined);
    const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      configurationUri(),
      refusal.range,
    );
    const action = actions.find(({ title }) => title.startsWith('Allow "tool-structured-any"'));
    assert.ok(action?.command !== undefined);
    const { command, arguments: parameters = [] } = action.command;
    await vscode.commands.executeCommand(command, ...(parameters as unknown[]));
    await waitUntil('the refusal to be gone', () => refusals().length === 0 || undefined);
    assert.equal(await callTool(tool.name, {}), '["red","green"]');
    const settings = vscode.workspace.getConfiguration('mcpRosetta');
    assert.equal(settings.get('degradePolicy'), 'perFeature');
    assert.deepEqual(settings.get('allowedDowngrades'), ['tool-structured-any']);
  });
});
