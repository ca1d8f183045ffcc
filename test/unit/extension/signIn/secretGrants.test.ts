import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSecretGrants } from '../../../../src/extension/signIn/secretGrants.ts';
import type { Grant } from '../../../../src/transports/authorization/grant.ts';

const SERVER = 'https://example.com/mcp';
const never = new AbortController().signal;

function grant(access: string): Grant {
  return {
    issuer: 'https://auth.example.com',
    client: { id: 'a', from: 'registration', redirect: 'http://127.0.0.1:1/callback' },
    tokens: { access, refresh: `${access}-again` },
  };
}

/** The secret storage of one window; what others have stored comes to it when a test says so. */
class Window {
  readonly #shared: Map<string, string>;
  #seen: Map<string, string>;

  constructor(shared: Map<string, string>) {
    this.#shared = shared;
    this.#seen = new Map(shared);
  }

  get = async (key: string): Promise<string | undefined> => this.#seen.get(key);
  store = async (key: string, value: string): Promise<void> => {
    this.#shared.set(key, value);
    this.#seen.set(key, value);
  };
  delete = async (key: string): Promise<void> => {
    this.#shared.delete(key);
    this.#seen.delete(key);
  };

  hear(): void {
    this.#seen = new Map(this.#shared);
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-grants-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'state');
}

test('what is kept is there for its server, in the secret storage alone', async () => {
  const folder = newFolder();
  const shared = new Map<string, string>();
  const store = createSecretGrants(new Window(shared), folder);
  expect(await store.read(SERVER)).toEqual([]);
  await store.write(SERVER, [grant('token')]);
  expect(await store.read(SERVER)).toEqual([grant('token')]);
  expect(await store.read(`${SERVER}/other`)).toEqual([]);
  for (const file of readdirSync(folder)) {
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/token|example/);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
  await store.write(SERVER, []);
  expect(await store.read(SERVER)).toEqual([]);
  expect(shared.size).toBe(0);
});

test.each([['stored', [grant('new')]] as const, ['removed', []] as const])(
  'a window waits for what another one has just %s',
  async (_, grants) => {
    const folder = newFolder();
    const shared = new Map<string, string>();
    const first = createSecretGrants(new Window(shared), folder);
    await first.write(SERVER, [grant('old')]);
    const late = new Window(shared);
    const second = createSecretGrants(late, folder);
    expect(await second.read(SERVER)).toEqual([grant('old')]);
    await first.write(SERVER, grants);
    const reading = second.read(SERVER);
    setImmediate(() => late.hear());
    expect(await reading).toEqual(grants);
  },
);

test('what another machine has stored counts, though no mark of it is here', async () => {
  const shared = new Map<string, string>();
  const here = createSecretGrants(new Window(shared), newFolder());
  await here.write(SERVER, [grant('here')]);
  await createSecretGrants(new Window(shared), newFolder()).write(SERVER, [grant('there')]);
  const folder = newFolder();
  expect(await createSecretGrants(new Window(shared), folder).read(SERVER)).toEqual([
    grant('there'),
  ]);
  const again = createSecretGrants(new Window(shared), folder);
  await again.write(SERVER, [grant('newest')]);
  expect(await again.read(SERVER)).toEqual([grant('newest')]);
});

test.each([
  'no JSON',
  '{}',
  'null',
  JSON.stringify({ server: 'https://other', stamp: 'a', grants: [] }),
])('what is damaged counts as nothing: %s', async (text) => {
  const shared = new Map<string, string>();
  const folder = newFolder();
  await createSecretGrants(new Window(shared), folder).write(SERVER, [grant('a')]);
  rmSync(folder, { recursive: true });
  for (const key of shared.keys()) shared.set(key, text);
  expect(await createSecretGrants(new Window(shared), folder).read(SERVER)).toEqual([]);
});

test('a storage that cannot be read counts as empty', async () => {
  const locked = Object.assign(new Window(new Map()), {
    get: () => Promise.reject(new Error('The keyring is locked.')),
  });
  expect(await createSecretGrants(locked, newFolder()).read(SERVER)).toEqual([]);
});

test('windows work on one server one after the other', async () => {
  const folder = newFolder();
  const shared = new Map<string, string>();
  const order: string[] = [];
  const work = (name: string) => async (): Promise<void> => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${name} ends`);
  };
  const windows = ['a', 'b'].map((name) =>
    createSecretGrants(new Window(shared), folder).alone(SERVER, work(name), never),
  );
  await Promise.all(windows);
  const [first = ''] = order;
  const name = first.slice(0, 1);
  const other = name === 'a' ? 'b' : 'a';
  expect(order).toEqual([`${name} begins`, `${name} ends`, `${other} begins`, `${other} ends`]);
});
