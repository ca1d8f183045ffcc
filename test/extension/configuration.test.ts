import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  configurationUri,
  problems,
  removeConfiguration,
  userConfigurationUri,
  writeConfiguration,
} from './support/configuration.ts';
import { page } from './support/page.ts';
import { everythingModern } from './support/servers.ts';
import { waitForRow } from './support/tree.ts';
import { waitUntil } from './support/workbench.ts';

suite('Configuration', () => {
  teardown(removeConfiguration);

  test('a mistake is a problem on its line, and the other servers go on', async () => {
    const { entry } = everythingModern('good');
    await writeConfiguration(`{
  "servers": {
    "good": ${JSON.stringify(entry)},
    "typo": { "comand": "node" },
    "wrong": { "command": "node", "args": "x" },
    "unset": { "command": "node", "args": ["\${input:missing}"] }, // a comment
  }
}`);
    const rows = await waitForRow('configuration error');
    assert.deepEqual(rows, [
      'good needs your consent',
      'typo configuration error',
      'wrong configuration error',
      'unset configuration error',
    ]);
    const document = await vscode.workspace.openTextDocument(configurationUri());
    await vscode.window.showTextDocument(document);
    assert.equal(document.languageId, 'jsonc');
    const own = await waitUntil('the problems', () =>
      problems().length > 0 ? problems() : undefined,
    );
    assert.deepEqual(
      own.map(({ range }) => [range.start.line, document.getText(range)]),
      [
        [3, '"comand"'],
        [4, '"x"'],
        [5, '"${input:missing}"'],
      ],
    );
    await vscode.commands.executeCommand('workbench.actions.view.problems');
    await page.screenshot('configuration');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('a change applies without a reload, also while the text is broken', async () => {
    const text = (name: string): string =>
      JSON.stringify({ servers: { [name]: everythingModern('kept').entry } });
    await writeConfiguration(text('before'));
    await waitForRow('before needs your consent');
    await writeConfiguration(text('after'));
    assert.deepEqual(await waitForRow('after'), ['after needs your consent']);
    await writeConfiguration('{ "servers": {');
    await waitUntil('the problem', () => problems().length > 0 || undefined);
    assert.deepEqual(await waitForRow('after'), ['after needs your consent']);
  });

  test('the commands create a file with an example that is valid', async () => {
    await vscode.commands.executeCommand('mcpRosetta.openWorkspaceConfiguration');
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), configurationUri().toString());
    await waitUntil('the example', () => editor?.document.getText().includes('//') || undefined);
    assert.deepEqual(problems(), []);
    await page.screenshot('example');
    await vscode.commands.executeCommand('mcpRosetta.openUserConfiguration');
    const user = vscode.window.activeTextEditor?.document.uri;
    assert.equal(user?.fsPath, userConfigurationUri().fsPath);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('of two servers with one name that of the workspace counts', async () => {
    const { entry } = everythingModern('own');
    const file = userConfigurationUri().fsPath;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ servers: { shared: entry, mine: entry } }));
    await waitForRow('shared needs your consent');
    await writeConfiguration(
      JSON.stringify({ servers: { shared: { ...entry, env: { A: '1' } } } }),
    );
    const [shadowed] = await waitUntil('the problem of the user configuration', () => {
      const found = vscode.languages.getDiagnostics(vscode.Uri.file(file));
      return found.length > 0 ? found : undefined;
    });
    assert.match(shadowed?.message ?? '', /^This server is not used: \.vscode\/mcp-rosetta\.json/);
    assert.deepEqual(await waitForRow('mine'), [
      'shared needs your consent',
      'mine needs your consent',
    ]);
    await rm(file);
    await waitUntil(
      'the problem to be gone',
      () => vscode.languages.getDiagnostics(vscode.Uri.file(file)).length === 0 || undefined,
    );
  });
});
