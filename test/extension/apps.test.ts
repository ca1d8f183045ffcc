import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { APP_TYPE, APP_URI, appContents, appServer, UI } from '../fixtures/raw/apps.ts';
import { configure, removeConfiguration } from './support/configuration.ts';
import { scripted, startAndAgree } from './support/servers.ts';
import { waitForRow } from './support/tree.ts';
import { waitForTool } from './support/workbench.ts';

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

suite('Apps', () => {
  teardown(removeConfiguration);

  test('the editor and a server of 2026-07-28 know each other’s pages for tools', async () => {
    const charts = scripted('charts', appServer('2026-07-28'));
    await configure({ charts: charts.entry });
    await startAndAgree('charts');
    await waitForRow('charts 2025-11-25 ⇄ 2026-07-28 · 2 tools');

    // That the editor reads what tools say of their page shows in the one that is for the page alone.
    await waitForTool('_chart');
    assert.ok(!vscode.lm.tools.some(({ name }) => name.endsWith('_redraw')));

    const [list] = charts.received('tools/list');
    const meta = list?.params?.['_meta'] as Record<string, Record<string, unknown>> | undefined;
    assert.deepEqual(meta?.[CLIENT_CAPABILITIES]?.['extensions'], {
      [UI]: { mimeTypes: [APP_TYPE] },
    });

    const page = await vscode.workspace.fs.readFile(resourceIn('charts'));
    assert.equal(Buffer.from(page).toString('utf8'), appContents.text);
    const [read] = charts.received('resources/read');
    assert.equal(read?.params?.['uri'], APP_URI);
  });
});

/** Where the editor keeps the resource of a server, read by its own client. */
function resourceIn(server: string): vscode.Uri {
  const { protocol, host, pathname } = new URL(APP_URI);
  return vscode.Uri.from({
    scheme: 'mcp-resource',
    authority: Buffer.from(`mcp-rosetta.mcp-rosetta/${server}`).toString('hex'),
    path: `/${protocol.slice(0, -1)}/${host}${pathname}`,
  });
}
