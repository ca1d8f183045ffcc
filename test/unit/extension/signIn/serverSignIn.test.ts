import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Listener } from '../../../../src/extension/provider/listener.ts';
import type { ManagedServer } from '../../../../src/extension/servers/managedServer.ts';
import { endpointPath, ServerRegistry } from '../../../../src/extension/servers/serverRegistry.ts';
import { createSecretGrants } from '../../../../src/extension/signIn/secretGrants.ts';
import { listenForRedirect } from '../../../../src/transports/authorization/loopbackRedirect.ts';
import { startAuthorizationServer } from '../../../e2e/signIn/authorizationServer.ts';
import { startGuardedServer } from '../../../e2e/signIn/guardedServer.ts';
import { BROWSER } from '../../../fixtures/browser/command.ts';
import { until } from '../../../support/until.ts';
import { configuredEntry, SURROUNDINGS } from '../surroundings.ts';

const ADVICE = 'Choose "Sign In" for "guarded" in the view MCP Rosetta.';

interface World {
  readonly authorization: Awaited<ReturnType<typeof startAuthorizationServer>>;
  readonly guarded: Awaited<ReturnType<typeof startGuardedServer>>;
  readonly registry: ServerRegistry;
  /** The pages that the user was sent to. */
  readonly opened: URL[];
  /** What the browser does with a page. */
  browse: (page: URL) => void;
  readonly log: string[];
  readonly secrets: Map<string, string>;
  connect(): Promise<Client>;
  close(): Promise<void>;
}

let world: World;
let server: ManagedServer;

/** Goes where a page leads, as the browser of a user who agrees to everything. */
function follow(page: URL): void {
  spawn(process.execPath, [BROWSER, page.href]);
}

/** A window, or one more beside another one, with the same servers and the same secret storage. */
async function createWorld(other?: World): Promise<World> {
  const authorization = other?.authorization ?? (await startAuthorizationServer());
  const guarded = other?.guarded ?? (await startGuardedServer(authorization));
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-sign-in-'));
  const opened: URL[] = [];
  const log: string[] = [];
  const tell = (message: string): unknown => log.push(message);
  const secrets = other?.secrets ?? new Map<string, string>();
  const storage = {
    get: async (key: string) => secrets.get(key),
    store: async (key: string, value: string) => void secrets.set(key, value),
    delete: async (key: string) => void secrets.delete(key),
  };
  const { url } = guarded;
  const registry = new ServerRegistry({
    ...SURROUNDINGS,
    resolve: async ({ name }) => ({
      kind: 'resolved',
      server: { kind: 'http', name, url, headers: {}, timeouts: {} },
      warnings: [],
    }),
    signIn: {
      store: createSecretGrants(storage, folder),
      person: {
        listen: listenForRedirect,
        open: (page) => {
          opened.push(page);
          made.browse(page);
        },
        patienceMs: 30_000,
      },
      version: '0',
    },
    log: { debug: tell, info: tell, warn: tell, error: tell },
  });
  const http = { kind: 'http', url, headers: {}, disabled: false, timeouts: {} } as const;
  registry.configure({
    entries: [configuredEntry('guarded', http)],
    faulty: [],
    shadowed: [],
  });
  const listener = new Listener(registry, tell);
  const address = await listener.address();
  const made: World = {
    authorization,
    guarded,
    registry,
    opened,
    browse: follow,
    log,
    secrets,
    connect: async () => {
      const client = new Client({ name: 'editor', version: '1' });
      const headers = { Authorization: `Bearer ${address.token}` };
      const endpoint = new URL(address.url + endpointPath('guarded'));
      await client.connect(
        new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }),
      );
      return client;
    },
    close: async () => {
      await Promise.all([registry.close(), listener.close()]);
      if (other === undefined) {
        await guarded.close();
        await authorization.close();
      }
      rmSync(folder, { recursive: true });
    },
  };
  return made;
}

beforeEach(async () => {
  world = await createWorld();
  const found = world.registry.find('guarded');
  if (found === undefined) throw new Error('It is not there.');
  server = found;
  await server.prepare('editor');
});

afterEach(() => world.close());

/** Signs in, as the command does: to what the server has demanded. */
async function signIn(): Promise<void> {
  if (server.status.kind !== 'needsSignIn') await server.look('anew');
  expect(await begin()).toEqual({ kind: 'signedIn' });
}

/** Lets the user wish to sign in. */
async function begin(): Promise<unknown> {
  return server.signIn?.signIn();
}

async function call(client: Client, name = 'whoami'): Promise<string> {
  const { content } = await client.callTool({ name });
  return (content as { text: string }[])[0]?.text.replace('Bearer ', '') ?? '';
}

describe('a server that wants a sign-in', () => {
  test('refuses the editor by saying what to do, and sends nobody anywhere', async () => {
    await expect(world.connect()).rejects.toThrow(`wants you to sign in. ${ADVICE}`);
    expect(server.status).toMatchObject({ kind: 'needsSignIn' });
    expect(server.findings).toMatchObject([{ severity: 'warning', code: 'sign-in' }]);
    expect(world.opened).toEqual([]);

    await signIn();
    expect(world.opened.map(({ origin }) => origin)).toEqual([world.authorization.issuer]);
    const client = await world.connect();
    expect(await call(client)).not.toBe('');
    expect(server.status).toMatchObject({ kind: 'running' });
    expect(server.findings).toEqual([]);
    await client.close();
  });

  test('says so also where a refresh is refused, keeps its tools, and goes on where it was', async () => {
    await signIn();
    const client = await world.connect();
    await client.listTools();
    const token = await call(client);
    await world.authorization.expire(token);
    const renewed = await call(client);
    expect(renewed).not.toBe(token);
    expect(world.opened).toHaveLength(1);

    await world.authorization.revoke(renewed);
    await expect(call(client)).rejects.toThrow(`wants you to sign in. ${ADVICE}`);
    expect(server.status).toMatchObject({ kind: 'needsSignIn' });
    expect(server.tools).toMatchObject([{ name: 'whoami' }, { name: 'write' }]);
    expect(world.opened).toHaveLength(1);

    await signIn();
    expect(server.status).toMatchObject({ kind: 'running' });
    expect(await call(client)).not.toBe(renewed);
    await client.close();
  });

  test('gets the rights that it demanded, once the user signs in for them', async () => {
    await signIn();
    const client = await world.connect();
    await expect(call(client, 'write')).rejects.toThrow(
      `wants you to grant it more rights. ${ADVICE}`,
    );
    expect(await call(client)).not.toBe('');
    await signIn();
    expect(world.opened[1]?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['mcp:basic', 'mcp:write']),
    );
    expect(await world.authorization.mayWrite(await call(client, 'write'))).toBe(true);
    await client.close();
  });

  test('goes on by itself where the user has signed in in another window', async () => {
    await expect(world.connect()).rejects.toThrow('wants you to sign in');
    expect(await server.signIn?.authorizer.lookAgain()).toBe(false);
    expect(server.status).toMatchObject({ kind: 'needsSignIn' });
    const window = await createWorld(world);
    onTestFinished(() => window.close());
    const same = window.registry.find('guarded');
    await same?.prepare('editor');
    await same?.look('anew');
    expect(await same?.signIn?.signIn()).toEqual({ kind: 'signedIn' });

    expect(await server.signIn?.authorizer.lookAgain()).toBe(true);
    const client = await world.connect();
    expect(await call(client)).not.toBe('');
    expect(world.opened).toEqual([]);
    await client.close();
  });

  test('waits for the user only as long as they want to', async () => {
    world.browse = () => undefined;
    await server.look('anew');
    const both = [begin(), begin()];
    await until(() => world.opened.length > 0);
    expect(server.status).toEqual({ kind: 'signingIn' });
    const waiting = world.connect();
    const refused = expect(waiting).rejects.toThrow('The sign-in was given up');
    server.signIn?.cancel();
    expect(await Promise.all(both)).toEqual([{ kind: 'cancelled' }, { kind: 'cancelled' }]);
    await refused;
    server.signIn?.cancel();
    expect(server.status).toMatchObject({ kind: 'needsSignIn' });
    world.browse = follow;
    await signIn();
    expect(world.opened).toHaveLength(2);
  });

  test('opens no page for a user who has given up before there is one', async () => {
    await server.look('anew');
    const outcome = begin();
    await until(() => server.status.kind === 'signingIn');
    server.signIn?.cancel();
    expect(await outcome).toEqual({ kind: 'cancelled' });
    expect(world.opened).toEqual([]);
  });

  test('ends the wait when it is stopped', async () => {
    world.browse = () => undefined;
    await server.look('anew');
    const outcome = begin();
    await until(() => world.opened.length > 0);
    await server.stop();
    expect(await outcome).toEqual({ kind: 'cancelled' });
  });

  test('forgets the sign-in, and lets the authorization server forget it', async () => {
    await signIn();
    expect(server.signIn?.authorizer.isSignedIn).toBe(true);
    const [kept = ''] = world.secrets.values();
    const refresh = /"refresh":"([^"]+)"/.exec(kept)?.[1] ?? '';
    expect(await world.authorization.isRefreshable(refresh)).toBe(true);
    expect(await server.signOut()).toEqual({ kind: 'signedOut' });
    expect(await world.authorization.isRefreshable(refresh)).toBe(false);
    expect(world.secrets.size).toBe(0);
    await server.prepare('editor');
    await expect(world.connect()).rejects.toThrow('wants you to sign in');
    expect(await server.signOut()).toEqual({ kind: 'notSignedIn' });
  });
});

test('a recording goes over a restart, holds no token, and answers another client', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'guarded.ndjson');
  await signIn();
  const first = await world.connect();
  expect(server.recorder.start(path)).toBeUndefined();
  await server.look('anew');
  const token = await call(first);
  await server.stop();
  await server.prepare('editor');
  const second = await world.connect();
  await call(second);
  await second.close();
  const { messages = 0 } = server.recorder.stop() ?? {};
  expect(server.recorder.recorded).toBeUndefined();
  await call(await world.connect());

  const text = readFileSync(path, 'utf8');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const lines = text.trim().split('\n');
  expect(lines.filter((line) => line.includes('"kind":"message"'))).toHaveLength(messages);
  expect(text).toContain('Bearer •••');
  expect(text).not.toContain(token);
  const conversations = lines.flatMap((line) => {
    const { leg, conversation, message } = JSON.parse(line) as Record<string, unknown>;
    const { method } = (message ?? {}) as { method?: string };
    return leg === 'downstream' && method === 'initialize' ? [conversation] : [];
  });
  // The look at the running server, and the client after the restart.
  expect(new Set(conversations).size).toBe(2);

  const args = ['src/cli/main.ts', 'replay', path];
  const replayed = new Client({ name: 'other', version: '1' });
  await replayed.connect(new StdioClientTransport({ command: process.execPath, args }));
  expect((await replayed.listTools()).tools.map(({ name }) => name)).toEqual(['whoami', 'write']);
  expect(await call(replayed)).toBe('•••');
  await replayed.close();
});

test('a recording that cannot be written says why, and the one before it goes on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.ndjson');
  expect(server.recorder.start(path)).toBeUndefined();
  expect(server.recorder.start('/no-such-folder/a')).toMatch(
    /^Cannot write the recording .*: its folder/,
  );
  expect(server.recorder.recorded).toMatchObject({ path, messages: 0 });
});

test('a recording ends with the window, complete to its last line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.ndjson');
  server.recorder.start(path);
  await expect(world.connect()).rejects.toThrow('wants you to sign in');
  await world.registry.close();
  expect(server.recorder.recorded).toBeUndefined();
  const lines = readFileSync(path, 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
});
