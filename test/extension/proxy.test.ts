import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readRun } from '../e2e/reports/support/records.ts';
import type { Script } from '../fixtures/raw/script.ts';
import { modernServer } from '../fixtures/raw/scripts.ts';
import { configure, removeConfiguration, workspaceFolder } from './support/configuration.ts';
import {
  startAndAgree,
  startHttpProgram,
  testFile,
  unique,
  type HttpProgram,
} from './support/servers.ts';
import { waitForRow } from './support/tree.ts';
import { callTool, waitForTool } from './support/workbench.ts';

suite('A proxy of the editor', () => {
  const setProxy = async (proxy: string | undefined): Promise<void> => {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration('http').update('proxy', proxy, Global);
  };

  let headers: Readonly<Record<string, string>>;
  setup(() => {
    headers = { 'X-Attempt': unique('attempt') };
  });
  teardown(async () => {
    await setProxy(undefined);
    await removeConfiguration();
  });

  test('is the way to a server of another machine', async () => {
    const record = join(workspaceFolder(), unique('proxy'));
    const { url, stop } = await startProxy(record, modernServer());
    try {
      await setProxy(new URL(url).origin);
      await configure({ far: { type: 'http', url: 'http://tools.example/mcp', headers } });
      await startAndAgree('far');
      await waitForRow('far 2025-11-25 ⇄ 2026-07-28 · 1 tool');
      const tool = await waitForTool('_echo');
      assert.equal(await callTool(tool.name, {}), 'ok');
      const places = new Set(readRun(record).requests.map(({ path }) => path));
      assert.deepEqual([...places], ['http://tools.example/mcp']);
    } finally {
      stop();
    }
  });

  test('is the way to sign in to it, too', async () => {
    const record = join(workspaceFolder(), unique('proxy'));
    const json = { 'Content-Type': 'application/json' };
    const issuer = 'http://tools.example';
    const metadata = { resource: `${issuer}/mcp`, authorization_servers: [issuer] };
    const { url, stop } = await startProxy(record, {
      rules: [
        {
          on: 'GET',
          // A proxy is asked for whole addresses.
          path: `${issuer}/.well-known/oauth-protected-resource/mcp`,
          steps: [{ head: { headers: json } }, { line: JSON.stringify(metadata) }],
        },
        { on: '*', steps: [{ head: { status: 401 } }, { line: '{}' }] },
      ],
    });
    try {
      await setProxy(new URL(url).origin);
      const oauth = { clientId: 'machine', clientSecret: 's', issuer, grant: 'client_credentials' };
      await configure({ far: { type: 'http', url: `${issuer}/mcp`, headers, oauth } });
      await startAndAgree('far');
      await waitForRow('far needs sign-in');
      const asked = readRun(record).requests.map(({ method, path }) => `${method} ${path}`);
      const known = `${issuer}/.well-known`;
      assert.ok(asked.includes(`GET ${known}/oauth-protected-resource/mcp`), asked.join('\n'));
      assert.ok(asked.includes(`GET ${known}/oauth-authorization-server`), asked.join('\n'));
    } finally {
      stop();
    }
  });
});

/** A proxy that answers by itself whatever it is asked to pass on. */
function startProxy(record: string, script: Script): Promise<HttpProgram> {
  const program = testFile('fixtures', 'raw', 'scriptedHttp.ts');
  return startHttpProgram(program, '--script', JSON.stringify(script), '--record', record);
}
