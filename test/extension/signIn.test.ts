import * as vscode from 'vscode';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { configure, dataFolder, problems, removeConfiguration } from './support/configuration.ts';
import { filesWith } from './support/files.ts';
import { startGuarded, type Guarded } from './support/guarded.ts';
import { page } from './support/page.ts';
import { askEditorToStart, startAndAgree } from './support/servers.ts';
import { clickRowButton, waitForRow } from './support/tree.ts';
import {
  answerDialog,
  answerNotification,
  answerQuickInput,
  callTool,
  pickQuickInput,
  waitForTool,
  waitUntil,
} from './support/workbench.ts';

const HEADER = 'marker-of-a-header-0815';
const SECRET = 'marker-of-a-client-secret-0815';
const NOTICE = '.notification-list-item:has-text("wants you to sign in")';

suite('Sign-in', () => {
  let guarded: Guarded;
  setup(async () => {
    guarded = await startGuarded([
      {
        client_id: 'machine',
        client_secret: SECRET,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      },
    ]);
  });
  teardown(async () => {
    await removeConfiguration();
    await guarded.close();
  });

  test('the user signs in in the browser, when they want to, and the tools are there', async () => {
    const { authorization, server } = guarded;
    const entry = { type: 'http', url: server.url, headers: { 'X-Marker': HEADER } };
    await configure({ guarded: entry });
    await startAndAgree('guarded');
    await waitForRow('guarded needs sign-in');
    const [problem] = problems();
    assert.match(problem?.message ?? '', /wants you to sign in\. Choose "Sign In" for "guarded"/);
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Warning);
    await askEditorToStart('guarded');
    await vscode.commands.executeCommand('notifications.showList');
    assert.equal((await page.texts(`.notifications-center ${NOTICE}`)).length, 1);
    assert.deepEqual(authorization.registered, []);
    await page.screenshot('needs-sign-in');

    await answerNotification('wants you to sign in', 'Sign In');
    const { url, text } = await page.opened();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/callback\?/);
    assert.match(text, /You are signed in/);
    // It came back over the address by which the browser reaches the editor's machine.
    assert.match(authorization.redirects[0] ?? '', /\/port\/\d+\/callback$/);
    const tool = await waitForTool('_whoami');
    await waitForRow('guarded 2025-11-25 ⇄ 2025-11-25 · 2 tools');
    assert.deepEqual(problems(), []);
    const first = await whoami(tool.name);

    await authorization.expire(first);
    const renewed = await whoami(tool.name);
    assert.notEqual(renewed, first);
    assert.deepEqual(authorization.issued, ['authorization_code', 'refresh_token']);

    await authorization.revoke(renewed);
    await assert.rejects(callTool(tool.name, {}), /Choose "Sign In" for "guarded" in the view/);
    await waitForRow('guarded needs sign-in');
    assert.ok(vscode.lm.tools.some(({ name }) => name === tool.name));
    await clickRowButton('guarded', 'Sign In');
    await page.opened();
    await waitForRow('guarded 2025-11-25 ⇄ 2025-11-25 · 2 tools');
    const last = await whoami(tool.name);
    assert.notEqual(last, renewed);

    void vscode.commands.executeCommand('mcpRosetta.signOut');
    await pickQuickInput('Sign out of which server?', 'guarded');
    await waitForRow('guarded stopped');
    await waitUntil('the token to be revoked', async () =>
      (await authorization.isGood(last)) ? undefined : true,
    );
    await askEditorToStart('guarded');
    await waitForRow('guarded needs sign-in');

    assert.ok(authorization.secrets.size > 5);
    assertUnseen(HEADER, ...authorization.secrets);
  });

  test('a machine signs in by itself, with a secret that it is asked for once', async () => {
    const { authorization, server } = guarded;
    const oauth = {
      clientId: 'machine',
      clientSecret: '${input:secret}',
      issuer: authorization.issuer,
      grant: 'client_credentials',
    };
    await configure({ machine: { type: 'http', url: server.url, oauth } }, [
      { id: 'secret', type: 'promptString', description: 'The secret', password: true },
    ]);
    await startAndAgree('machine');
    await answerQuickInput('The secret', SECRET);
    await waitForRow('machine 2025-11-25 ⇄ 2025-11-25 · 2 tools');
    assert.equal(authorization.issued.at(-1), 'client_credentials');
    assertUnseen(SECRET, ...authorization.secrets);
  });

  test('a page is opened as its address is written, and the user can give up', async () => {
    const { url, close } = await startFar();
    try {
      await configure({ far: { type: 'http', url } });
      await startAndAgree('far');
      await waitForRow('far needs sign-in');
      await clickRowButton('far', 'Sign In');
      await answerDialog('Open');
      await waitForRow('far signing in…');
      const { url: opened } = await page.opened();
      assert.match(opened, /^https:\/\/auth\.invalid\/authorize\?tenant=a%26b%2Bc&/);
      assert.match(opened, /&scope=files\+mail&/);
      await page.screenshot('signing-in');
      await clickRowButton('far', 'Cancel Sign-In');
      await waitForRow('far needs sign-in');
    } finally {
      close();
    }
  });

  async function whoami(tool: string): Promise<string> {
    const token = (await callTool(tool, {})).replace('Bearer ', '');
    assert.ok(guarded.authorization.secrets.has(token));
    return token;
  }
});

/** Neither a problem nor a file of the editor's, its logs and states among them, holds any of these. */
function assertUnseen(...secrets: readonly string[]): void {
  const messages = problems().map(({ message }) => message);
  assert.ok(!secrets.some((secret) => messages.some((message) => message.includes(secret))));
  assert.deepEqual(filesWith(secrets, dataFolder()), []);
}

/** A server whose authorization server has its page out in the world. */
function startFar(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server: Server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const documents = new Map<string, object>([
      [
        '/.well-known/oauth-protected-resource',
        { resource: `${origin}/mcp`, authorization_servers: [origin] },
      ],
      [
        '/.well-known/oauth-authorization-server',
        {
          issuer: origin,
          authorization_endpoint: 'https://auth.invalid/authorize?tenant=a%26b%2Bc',
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        },
      ],
    ]);
    const { url = '' } = request;
    const document = documents.get(url);
    if (document !== undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(document));
    } else if (url === '/register') {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ client_id: 'own', redirect_uris: ['http://127.0.0.1'] }));
    } else if (url === '/mcp') {
      response.writeHead(401, { 'www-authenticate': 'Bearer scope="files mail"' }).end();
    } else response.writeHead(404).end();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}/mcp`,
        close: () => {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
