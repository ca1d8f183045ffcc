import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { BROWSER } from '../../fixtures/browser/command.ts';
import { startChild } from '../../support/childProcess.ts';
import { cliCommand, createWorkspace, startServe, type Workspace } from '../../support/cli.ts';
import { startEverything } from '../../support/everything.ts';
import { fixtureCommand } from '../../support/fixture.ts';
import { LineLog } from '../../support/lineLog.ts';
import { until } from '../../support/until.ts';
import { startAuthorizationServer, type AuthorizationServer } from './authorizationServer.ts';
import { startGuardedServer, type GuardedServer } from './guardedServer.ts';

const SECRET = 'marker-of-a-secret-that-was-configured';

let authorization: AuthorizationServer;
let server: GuardedServer;

beforeAll(async () => {
  authorization = await startAuthorizationServer([
    {
      client_id: 'machine',
      client_secret: SECRET,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    },
  ]);
  server = await startGuardedServer(authorization);
});

afterAll(async () => {
  await server.close();
  await authorization.close();
});

function openWorkspace(): Workspace {
  const workspace = createWorkspace();
  onTestFinished(() => workspace.remove());
  return workspace;
}

function signIns(workspace: Workspace): string {
  return join(workspace.environment['XDG_STATE_HOME'] ?? '', 'mcp-rosetta', 'sign-ins');
}

/** A plain client behind the bridge, before which somebody sits. */
async function connect(
  workspace: Workspace,
  flags: readonly string[] = [],
  target: Parameters<typeof cliCommand>[1] = { url: server.url },
): Promise<{ client: Client; log: LineLog }> {
  const { command, args } = cliCommand('stdio', target, flags);
  const env = { ...(process.env as Record<string, string>), ...workspace.environment, BROWSER };
  const transport = new StdioClientTransport({ command, args: [...args], env, stderr: 'pipe' });
  const log = new LineLog();
  if (transport.stderr !== null) log.attach(transport.stderr as never);
  const client = new Client({ name: 'plain', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, log };
}

async function whoami(client: Client): Promise<string> {
  const { content } = await client.callTool({ name: 'whoami' });
  return (content as { text: string }[])[0]?.text.replace('Bearer ', '') ?? '';
}

/** Runs the program to its end. */
async function run(
  args: readonly string[],
  workspace: Workspace,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [cli = ''] = cliCommand('stdio', { url: 'http://h' }).args;
  const child = startChild(
    { command: process.execPath, args: [cli, ...args] },
    { ...workspace.environment, ...environment },
  );
  const stdout = new LineLog();
  stdout.attach(child.process.stdout);
  await until(() => child.process.exitCode !== null);
  return {
    code: child.process.exitCode,
    stdout: stdout.lines.join('\n'),
    stderr: child.log.lines.join('\n'),
  };
}

test('a person signs in once; the tokens are refreshed for all who wait, and asked for anew once revoked', async () => {
  const workspace = openWorkspace();
  const recording = join(signIns(workspace), '..', '..', '..', 'recording.ndjson');
  const { client, log } = await connect(workspace, [
    '--log-level',
    'debug',
    '--report',
    workspace.reportFile,
    '--record',
    recording,
  ]);
  const first = await whoami(client);
  expect(authorization.issued).toEqual(['authorization_code']);
  expect(log.lines.join('\n')).toContain(`sign in at ${authorization.issuer} in the browser`);

  await authorization.expire(first);
  server.holdRefusals(2);
  const renewed = await Promise.all([whoami(client), whoami(client)]);
  expect(renewed[0]).not.toBe(first);
  expect(renewed[1]).toBe(renewed[0]);
  expect(authorization.issued).toEqual(['authorization_code', 'refresh_token']);

  await authorization.revoke(renewed[0]);
  const last = await whoami(client);
  expect(authorization.issued).toEqual([
    'authorization_code',
    'refresh_token',
    'authorization_code',
  ]);
  // The registration of the first time served the second one, too.
  expect(authorization.registered).toHaveLength(1);

  const folder = signIns(workspace);
  const files = readdirSync(folder);
  expect(files).toHaveLength(1);
  const [file = ''] = files;
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, file), 'utf8')).toContain(last);

  // Another bridge finds them there.
  const other = await connect(workspace);
  expect(await whoami(other.client)).toBe(last);
  expect(authorization.issued).toHaveLength(3);

  await client.close();
  const seen = [log.lines.join('\n'), readFileSync(recording, 'utf8')];
  expect(seen[1]).toContain('Bearer •••');
  const told = [...seen, readFileSync(workspace.reportFile, 'utf8')].join('\n');
  expect(authorization.secrets.size).toBeGreaterThan(5);
  expect([...authorization.secrets].filter((secret) => told.includes(secret))).toEqual([]);
});

test('login signs in beforehand, and logout lets everybody forget it', async () => {
  const workspace = openWorkspace();
  const issued = authorization.issued.length;
  const signedIn = await run(['login', server.url], workspace, { BROWSER });
  expect(signedIn).toMatchObject({
    code: 0,
    stdout: `Signed in to ${new URL(server.url).origin}.`,
  });
  expect(authorization.issued.slice(issued)).toEqual(['authorization_code']);
  const again = await run(['login', server.url], workspace, { BROWSER });
  expect(again.stdout).toContain('signed in to');
  expect(again.stdout).toContain('already');

  const listed = await run(['tools', '--url', server.url], workspace);
  expect(listed).toMatchObject({ code: 0 });
  expect(listed.stdout).toContain('whoami');

  const [file = ''] = readdirSync(signIns(workspace));
  const kept = readFileSync(join(signIns(workspace), file), 'utf8');
  const refresh = /"refresh":"([^"]+)"/.exec(kept)?.[1] ?? '';
  expect(await authorization.isRefreshable(refresh)).toBe(true);
  const out = await run(['logout', server.url], workspace);
  expect(out).toMatchObject({ code: 0, stdout: `Signed out of ${new URL(server.url).origin}.` });
  expect(await authorization.isRefreshable(refresh)).toBe(false);
  expect(readdirSync(signIns(workspace))).toEqual([]);
});

test('rights that are missing where nobody can be asked are asked for by the next login', async () => {
  const workspace = openWorkspace();
  await run(['login', server.url], workspace, { BROWSER });
  const write = ['call', '--url', server.url, 'write', '{}'];
  const refused = await run(write, workspace);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    `wants you to grant it more rights. Sign in with: mcp-rosetta login "${server.url}"`,
  );
  const granted = await run(['login', server.url], workspace, { BROWSER });
  expect(granted.stdout).toMatch(/^Signed in to /);
  expect(await run(write, workspace)).toMatchObject({ code: 0 });
  const again = await run(['login', server.url], workspace, { BROWSER });
  expect(again.stdout).toContain('already');
});

test('a server of the transport of 2024-11-05 is signed in to and out of as any other', async () => {
  const workspace = openWorkspace();
  const config = join(workspace.folder, 'servers.json');
  const old = { type: 'sse', url: server.sseUrl };
  writeFileSync(config, JSON.stringify({ servers: { old } }));
  const target = ['old', '--config', config];
  const refused = await run(['tools', ...target], workspace);
  expect(refused.stderr).toContain('mcp-rosetta login "old"');
  expect((await run(['login', ...target], workspace, { BROWSER })).stdout).toContain('Signed in');
  expect((await run(['tools', ...target], workspace)).stdout).toContain('whoami');
  expect((await run(['logout', ...target], workspace)).stdout).toContain('Signed out');
  expect((await run(['tools', ...target], workspace)).code).toBe(1);
});

test('where nobody can be asked, the error names the command, and no other era is tried', async () => {
  const workspace = openWorkspace();
  const from = server.shown.length;
  const issued = authorization.issued.length;
  const refused = await run(['tools', '--url', server.url], workspace);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`mcp-rosetta login "${server.url}"`);
  expect(server.shown.slice(from)).toEqual([undefined]);
  expect(authorization.issued).toHaveLength(issued);
});

test('a configured header is shown as it is, and nothing else is tried', async () => {
  const workspace = openWorkspace();
  const from = server.shown.length;
  const args = ['tools', '--url', server.url, '--header', `Authorization: Bearer ${SECRET}`];
  const refused = await run(args, workspace, { BROWSER });
  expect(refused.code).toBe(1);
  expect(new Set(server.shown.slice(from))).toEqual(new Set([`Bearer ${SECRET}`]));
  expect(refused.stderr).not.toContain(SECRET);
});

test('a server that takes nothing a sign-in brings costs one sign-in, not one for each request', async () => {
  const stubborn = await startGuardedServer(authorization);
  onTestFinished(() => stubborn.close());
  const workspace = openWorkspace();
  const { client } = await connect(workspace, [], { url: stubborn.url });
  const good = await whoami(client);
  stubborn.refuseAll();
  const issued = authorization.issued.length;
  await expect(whoami(client)).rejects.toThrow('refuses what the sign-in has just brought');
  await expect(whoami(client)).rejects.toThrow('refuses what the sign-in has just brought');
  expect(authorization.issued.slice(issued)).toEqual(['refresh_token', 'authorization_code']);
  expect(stubborn.shown).toContain(`Bearer ${good}`);
});

test('a client that is registered by hand, as the error says, is one to sign in with', async () => {
  const redirect = 'http://127.0.0.1/callback';
  const closed = await startAuthorizationServer(
    [
      {
        client_id: 'by-hand',
        redirect_uris: [redirect],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
      },
    ],
    false,
  );
  onTestFinished(() => closed.close());
  const guarded = await startGuardedServer(closed);
  onTestFinished(() => guarded.close());
  const workspace = openWorkspace();
  const refused = await run(['login', guarded.url], workspace, { BROWSER });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    `with the redirect address ${redirect}, and set "oauth.clientId"`,
  );

  const config = join(workspace.reportFile, '..', 'servers.json');
  const own = { url: guarded.url, oauth: { clientId: 'by-hand' } };
  writeFileSync(config, JSON.stringify({ servers: { own } }));
  const signedIn = await run(['login', 'own', '--config', config], workspace, { BROWSER });
  expect(signedIn).toMatchObject({ code: 0 });
  expect(closed.issued).toEqual(['authorization_code']);
});

test('a machine signs in by itself with what its entry says', async () => {
  const workspace = openWorkspace();
  const config = join(workspace.reportFile, '..', 'servers.json');
  const oauth = {
    clientId: 'machine',
    clientSecret: '${env:MACHINE_SECRET}',
    issuer: authorization.issuer,
    grant: 'client_credentials',
  };
  writeFileSync(config, JSON.stringify({ servers: { own: { url: server.url, oauth } } }));
  const listed = await run(['tools', 'own', '--config', config], workspace, {
    MACHINE_SECRET: SECRET,
  });
  expect(listed).toMatchObject({ code: 0 });
  expect(listed.stdout).toContain('whoami');
  expect(authorization.issued.at(-1)).toBe('client_credentials');
  const [file = ''] = readdirSync(signIns(workspace));
  expect(readFileSync(join(signIns(workspace), file), 'utf8')).not.toContain(SECRET);

  // The server has no say over who gets to see the secret.
  const elsewhere = { ...oauth, issuer: 'https://auth.example.com' };
  writeFileSync(
    config,
    JSON.stringify({ servers: { own: { url: server.url, oauth: elsewhere } } }),
  );
  const refused = await run(['tools', 'own', '--config', config], openWorkspace(), {
    MACHINE_SECRET: SECRET,
  });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('the configuration allows only https://auth.example.com');
});

test('a server that wants no sign-in is said to want none', async () => {
  const open = await startEverything('modern');
  onTestFinished(() => open.stop());
  const { code, stdout, stderr } = await run(['login', open.url], openWorkspace(), { BROWSER });
  expect(code).toBe(0);
  expect(stderr).not.toContain('sign');
  expect(stdout).toContain('asks nobody to sign in. There is nothing to do.');
});

test('a server that wants a token and does not say where from is heard, and what to do is said', async () => {
  const workspace = openWorkspace();
  const modern = fixtureCommand('everythingModern', 'stdio');
  const closed = await startServe(modern, ['--token', 'abc'], workspace);
  onTestFinished(() => closed.stop());
  for (const args of [
    ['login', closed.url],
    ['tools', '--url', closed.url],
  ]) {
    const refused = await run(args, workspace, { BROWSER });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'wants you to sign in, and does not say how. It says: This server',
    );
    expect(refused.stderr).toContain("Send its token with --header 'Authorization: Bearer …'.");
    expect(refused.stderr).not.toContain('mcp-rosetta login');
  }
  const config = join(workspace.folder, 'servers.json');
  writeFileSync(config, JSON.stringify({ servers: { own: { url: closed.url } } }));
  const named = await run(['tools', '--config', config], workspace);
  expect(named.stderr).toContain('Put its token into "headers" of the entry');
  const args = ['tools', '--url', closed.url, '--header', 'Authorization: Bearer abc'];
  expect((await run(args, workspace)).code).toBe(0);
});
