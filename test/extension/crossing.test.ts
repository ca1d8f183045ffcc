import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { configure, removeConfiguration } from './support/configuration.ts';
import { page } from './support/page.ts';
import { everythingModern, startAndAgree } from './support/servers.ts';
import { modernServer } from '../fixtures/raw/scripts.ts';
import { scripted } from './support/servers.ts';
import { readRows, toggleRow, waitForRow } from './support/tree.ts';
import { callTool, waitForTool } from './support/workbench.ts';

const annotated = [
  {
    name: 'upsert',
    title: 'Top title',
    description: 'Writes a row',
    inputSchema: { type: 'object' },
    annotations: {
      title: 'Ann title',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  { name: 'bare', inputSchema: { type: 'object' } },
  { name: 'catalog.get', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'remote', inputSchema: { type: 'object', $ref: 'https://example.com/schema.json' } },
];

suite('A server of 2026-07-28 behind an editor of 2025-11-25', () => {
  teardown(removeConfiguration);

  test('its tools are the agent’s, and a call returns', async () => {
    await configure({ everything: everythingModern('everything').entry });
    await startAndAgree('everything');
    const tool = await waitForTool('_test_simple_text');
    assert.equal(await callTool(tool.name, {}), 'This is a simple text response for testing.');
    const rows = await waitForRow('everything 2025-11-25 ⇄ 2026-07-28 ·');
    assert.match(rows[1] ?? '', /^Editor 2025-11-25 \(legacy era\)/);
    assert.equal(rows[2], 'Server 2026-07-28 (modern era)');
    await page.screenshot('tree');
    await page.hover('.monaco-list-row:has-text("everything") >> .label-name');
    await page.waitFor('.monaco-hover');
    await page.screenshot('tree-hover');
  });

  test('the tree shows each hint as declared or not, aliases, and what is withheld', async () => {
    const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: annotated };
    const script = modernServer({ on: 'tools/list', steps: [{ result }] });
    await configure({ hints: scripted('hints', script).entry });
    await startAndAgree('hints');
    await waitForRow('2025-11-25 ⇄ 2026-07-28 · 4 tools');
    await toggleRow('bare');
    await toggleRow('Top title');
    assert.deepEqual((await readRows()).slice(3), [
      'Top title not destructive · upsert',
      'title "Ann title" (declared) the tool\'s own title is shown: "Top title"',
      'not read-only (declared)',
      'not destructive (declared)',
      'not idempotent (declared)',
      'closed world (declared)',
      'bare destructive (default)',
      'no title among the hints',
      'not read-only (default, not declared)',
      'destructive (default, not declared)',
      'not idempotent (default, not declared)',
      'open world (default, not declared)',
      'catalog.get read-only · as catalog_get',
      'remote withheld · destructive (default)',
    ]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await page.screenshot('tree-hints');
  });
});
