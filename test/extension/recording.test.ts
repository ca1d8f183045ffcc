import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { modernServer } from '../fixtures/raw/scripts.ts';
import { configure, removeConfiguration, workspaceFolder } from './support/configuration.ts';
import { page } from './support/page.ts';
import { scripted, startAndAgree, testFile } from './support/servers.ts';
import { clickRowButton, waitForRow } from './support/tree.ts';
import {
  acceptQuickInput,
  answerNotification,
  answerQuickInput,
  callTool,
  pickQuickInput,
  waitForTool,
  waitUntil,
} from './support/workbench.ts';

const SECRET = 'marker-of-an-input-4711';
const STATUS = '[id="mcp-rosetta.mcp-rosetta.mcpRosetta.recording"]';

suite('Recordings', () => {
  teardown(removeConfiguration);

  test('what passes is recorded over a restart, without secrets, and can be replayed', async () => {
    const content = [{ type: 'text', text: `the key is ${SECRET}` }];
    const result = { resultType: 'complete', content };
    const { entry } = scripted('spoken', modernServer({ on: 'tools/call', steps: [{ result }] }));
    const inputs = [{ id: 'key', type: 'promptString', description: 'The key', password: true }];
    await configure({ spoken: { ...entry, env: { OTHER: '${input:key}' } } }, inputs);
    await startAndAgree('spoken');
    await answerQuickInput('The key', SECRET);
    const tool = await waitForTool('_echo');
    await waitForRow('spoken 2025-11-25 ⇄ 2026-07-28 · 1 tool');

    void vscode.commands.executeCommand('mcpRosetta.recordTraffic');
    await pickQuickInput('Record the traffic of which server?', 'spoken');
    const path = join(workspaceFolder(), 'spoken.ndjson');
    await rm(path, { force: true });
    await acceptQuickInput('Record the traffic of "spoken"', path);
    await waitForRow('spoken ● recording · 2025-11-25 ⇄ 2026-07-28');
    await page.screenshot('recording');
    assert.match(await callTool(tool.name, {}), new RegExp(SECRET));
    await clickRowButton('spoken', 'Restart Server');
    await waitForRow('spoken ● recording · 2025-11-25 ⇄ 2026-07-28 · 1 tool');
    await callTool(tool.name, { again: true });

    await page.click(STATUS);
    await answerNotification('messages of "spoken"', 'Show');
    await waitUntil('the recording to be shown', () =>
      vscode.window.activeTextEditor?.document.uri.fsPath === path ? true : undefined,
    );
    await waitForRow('spoken 2025-11-25 ⇄ 2026-07-28 · 1 tool');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const text = await readFile(path, 'utf8');
    assert.ok(!text.includes(SECRET));
    assert.equal(statSync(path).mode & 0o777, 0o600);

    const client = new Client({ name: 'another', version: '1' });
    const args = [testFile('..', 'dist', 'cli.cjs'), 'replay', path];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['echo'],
    );
    for (const parameters of [{}, { again: true }]) {
      assert.deepEqual((await client.callTool({ name: 'echo', arguments: parameters })).content, [
        { type: 'text', text: 'the key is •••' },
      ]);
    }
    await client.close();
  });
});
