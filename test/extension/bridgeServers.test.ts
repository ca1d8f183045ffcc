import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import {
  configurationUri,
  removeConfiguration,
  workspaceFolder,
  writeConfiguration,
} from './support/configuration.ts';
import { page } from './support/page.ts';
import { everythingModern, startAndAgree, testFile, unique } from './support/servers.ts';
import { readRows, waitForRow } from './support/tree.ts';
import { startServersUntil, waitForTool, waitUntil } from './support/workbench.ts';

const NOTICE = '.notification-list-item';

function editorFile(): vscode.Uri {
  return vscode.Uri.file(join(workspaceFolder(), '.vscode', 'mcp.json'));
}

/** Opens the editor's own file with this text, and puts the cursor where `at` begins. */
async function open(text: string, at: string): Promise<vscode.TextEditor> {
  await mkdir(join(workspaceFolder(), '.vscode'), { recursive: true });
  await writeFile(editorFile().fsPath, text);
  const document = await vscode.workspace.openTextDocument(editorFile());
  await waitUntil('the text', () => document.getText() === text || undefined);
  const cursor = document.positionAt(text.indexOf(at));
  return vscode.window.showTextDocument(document, { selection: new vscode.Range(cursor, cursor) });
}

/** Writes the bridge's file, and waits until the editor knows. */
async function writeTarget(text: string): Promise<void> {
  await writeConfiguration(text);
  const document = await vscode.workspace.openTextDocument(configurationUri());
  await waitUntil('the text', () => document.getText() === text || undefined);
}

/** The actions of the bridge at the cursor. */
async function actions({ document, selection }: vscode.TextEditor): Promise<vscode.CodeAction[]> {
  const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    selection,
  );
  return all.filter(({ title }) => title.includes('MCP Rosetta'));
}

async function run({ command }: vscode.CodeAction): Promise<void> {
  if (command === undefined) throw new Error('The action does nothing.');
  await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
}

suite("The editor's own servers", () => {
  let entry: string;
  const text = (): string => `{
  "servers": {
    "own": ${entry}, // to move
    // Stays where it is.
    "other": { "url": "https://example.com/\${input:key}" }
  },
  "inputs": [{ "id": "key", "type": "promptString" }]
}
`;

  setup(() => {
    entry = JSON.stringify(everythingModern('own').entry);
  });
  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(editorFile().fsPath, { force: true });
    await removeConfiguration();
  });

  test('one moves by its action, runs there, and comes back by undoing it', async () => {
    const editor = await open(text(), '"own"');
    const [action, ...others] = await actions(editor);
    assert.equal(action?.title, 'Bridge this server ("own") with MCP Rosetta');
    assert.deepEqual(others, []);
    await vscode.commands.executeCommand('editor.action.quickFix');
    await page.waitFor('.action-widget:has-text("Bridge this server")');
    await page.screenshot('bridge-action');
    await page.press('Escape');
    await run(action);
    await waitForRow('own needs your consent');
    assert.equal(await readFile(editorFile().fsPath, 'utf8'), text().replace(/ {4}"own".*\n/, ''));
    const target = await readFile(configurationUri().fsPath, 'utf8');
    assert.equal(target, `{\n  "servers": {\n    "own": ${entry}\n  }\n}\n`);
    await startAndAgree('own');
    await waitForRow('own 2025-11-25 ⇄ 2026-07-28');
    await page.screenshot('bridged');

    await vscode.window.showTextDocument(editorFile());
    await vscode.commands.executeCommand('undo');
    await waitUntil(
      'the entry to be back',
      () => editor.document.getText() === text() || undefined,
    );
    await waitUntil(
      'the new file to be gone',
      () => !existsSync(configurationUri().fsPath) || undefined,
    );
    await editor.document.save();
  });

  test('the command asks which, and adds to what is there', async () => {
    await open(text(), '{');
    const before = '{\n\t// mine\n\t"servers": {\n\t\t"mine": { "command": "x" } // x\n\t}\n}\n';
    await writeTarget(before);
    await waitForRow('mine needs your consent');
    const done = vscode.commands.executeCommand('mcpRosetta.bridgeServers');
    const widget = '.quick-input-widget:has-text("Bridge which servers?")';
    await page.click(`${widget} >> .monaco-list-row:has-text("other")`);
    await page.screenshot('bridge-choice');
    await page.press('Enter');
    await done;
    await waitForRow('other needs your consent');
    assert.deepEqual((await readRows()).slice(0, 2), [
      'mine needs your consent',
      'other needs your consent',
    ]);
    const after = await readFile(configurationUri().fsPath, 'utf8');
    assert.match(
      after,
      /^\{\n\t\/\/ mine\n\t"servers": \{\n\t\t"mine": \{ "command": "x" \}, \/\/ x\n\t\t"other": /,
    );
    assert.match(after, /"inputs": \[\n\t\t\{\n\t\t\t"id": "key"/);
    const rest = await readFile(editorFile().fsPath, 'utf8');
    assert.match(rest, /"own": [^\n]*\} \/\/ to move\n {4}\/\/ Stays where it is\.\n {2}\}/);
    assert.match(rest, /"inputs": \[\]/);
  });

  test('a server of the same name with another content keeps it where it is', async () => {
    const editor = await open(text(), '"own"');
    const before = '{ "servers": { "own": { "command": "x" } } }';
    await writeTarget(before);
    const [action] = await actions(editor);
    assert.ok(action !== undefined);
    await run(action);
    await page.waitFor(`${NOTICE}:has-text("there is another server of this name")`);
    await page.screenshot('bridge-conflict');
    assert.equal(editor.document.getText(), text());
    assert.equal(await readFile(configurationUri().fsPath, 'utf8'), before);
  });

  test('nothing is offered outside of an entry, and a broken file is left alone', async () => {
    assert.deepEqual(await actions(await open(text(), '"inputs"')), []);
    assert.deepEqual(await actions(await open('{ "servers": {', '"servers"')), []);
  });

  test('of a server that was wrapped, the editor still replaces the variables', async () => {
    let header: string | string[] | undefined;
    const server = createServer((request, response) => {
      header ??= request.headers['x-folder'];
      response.writeHead(404).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const remote = {
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { 'X-Folder': '${workspaceFolder}!' },
    };
    const local = everythingModern('wrapped');
    const args = [...local.entry.args, '${workspaceFolder}'];
    const servers = { remote, local: { ...local.entry, args } };
    // Where the editor does not see it before it is wrapped.
    const file = join(workspaceFolder(), unique('elsewhere'), '.vscode', 'mcp.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ servers }, null, 2));
    const cli = testFile('..', 'dist', 'cli.cjs');
    const env = { ...process.env, XDG_STATE_HOME: workspaceFolder() };
    execFileSync(process.execPath, [cli, 'wrap', file], { env });
    await open(await readFile(file, 'utf8'), '{');
    await startServersUntil(() => local.starts().length > 0);
    await waitForTool('_test_simple_text');
    await waitUntil('the request', () => header);
    assert.equal(header, `${workspaceFolder()}!`);
    server.close();
    execFileSync(process.execPath, [cli, 'unwrap', file], { env });
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { servers });
  });
});
