import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createGrantStore } from '../../../src/cli/grantFile.ts';
import type { Grant } from '../../../src/transports/authorization/grant.ts';
import { startChild } from '../../support/childProcess.ts';
import { until } from '../../support/until.ts';

const SERVER = 'https://example.com/mcp';
const GRANT: Grant = {
  issuer: 'https://auth.example.com',
  client: { id: 'a', from: 'registration', redirect: 'http://127.0.0.1:1/callback' },
  scope: 'a b',
  tokens: { access: 'token', refresh: 'again' },
};
const never = new AbortController().signal;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-grants-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'state');
}

test('what is kept is there for its server, and for its owner alone', async () => {
  const folder = newFolder();
  const store = createGrantStore(folder);
  expect(await store.read(SERVER)).toEqual([]);
  await store.write(SERVER, [GRANT]);
  expect(await store.read(SERVER)).toEqual([GRANT]);
  expect(await store.read(`${SERVER}/other`)).toEqual([]);
  const [file = ''] = readdirSync(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  await store.write(SERVER, []);
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that was open to others is closed', async () => {
  const folder = newFolder();
  mkdirSync(folder, { mode: 0o755 });
  chmodSync(folder, 0o755);
  await createGrantStore(folder).write(SERVER, [GRANT]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.each([
  'no JSON',
  '{}',
  'null',
  JSON.stringify({ server: 'https://other.example/mcp', grants: [GRANT] }),
  JSON.stringify({ server: SERVER, grants: [{ ...GRANT, tokens: { access: 1 } }] }),
  JSON.stringify({
    server: SERVER,
    grants: [{ ...GRANT, client: { id: 'a', from: 'elsewhere' } }],
  }),
])('a file that is damaged or of another server counts as absent: %s', async (text) => {
  const folder = newFolder();
  const store = createGrantStore(folder);
  await store.write(SERVER, [GRANT]);
  const [file = ''] = readdirSync(folder);
  writeFileSync(join(folder, file), text);
  expect(await store.read(SERVER)).toEqual([]);
});

test('one program at a time works on a server, and none waits for one that is gone', async () => {
  const folder = newFolder();
  const store = createGrantStore(folder);
  const fixture = fileURLToPath(new URL('../../fixtures/processes/lockHolder.ts', import.meta.url));
  const holder = startChild({ command: process.execPath, args: [fixture, folder, SERVER] });
  onTestFinished(() => holder.stop());
  await holder.log.waitFor('has it');
  const events: string[] = [];
  const waiting = store.alone(SERVER, async () => void events.push('mine'), never);
  await store.alone('https://other.example/', async () => void events.push('other'), never);
  expect(events).toEqual(['other']);
  const giveUp = new AbortController();
  const given = store.alone(SERVER, async () => void events.push('given up'), giveUp.signal);
  giveUp.abort();
  await expect(given).rejects.toThrow();
  // It cannot let go of its lock.
  holder.process.kill('SIGKILL');
  await waiting;
  expect(events).toEqual(['other', 'mine']);
  await until(() => readdirSync(folder).length === 0);
});

test('work that fails lets go', async () => {
  const store = createGrantStore(newFolder());
  const failing = store.alone(SERVER, () => Promise.reject(new Error('no')), never);
  await expect(failing).rejects.toThrow('no');
  expect(await store.alone(SERVER, async () => 'next', never)).toBe('next');
});
