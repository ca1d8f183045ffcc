import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGrantStore } from '../../../../src/cli/grantFile.ts';
import type { Grant } from '../../../../src/transports/authorization/grant.ts';
import type { GrantStore } from '../../../../src/transports/authorization/signIn.ts';
import { signOut } from '../../../../src/transports/authorization/signOut.ts';

const SERVER = new URL('http://127.0.0.1:1/mcp');

function grantOf(access: string): Grant {
  // Nobody listens there, so that nothing is told of it.
  const issuer = 'http://127.0.0.1:1';
  return { issuer, client: { id: 'a', from: 'registration' }, tokens: { access } };
}

test('a sign-out is the last word, also while somebody refreshes the tokens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-sign-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = createGrantStore(folder);
  await store.write(SERVER.href, [grantOf('old')]);
  const refreshing = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const refresh = store.alone(
    SERVER.href,
    async () => {
      refreshing.resolve();
      await answered.promise;
      await store.write(SERVER.href, [grantOf('new')]);
    },
    new AbortController().signal,
  );
  await refreshing.promise;
  const queued = Promise.withResolvers<void>();
  const watched: GrantStore = {
    ...store,
    alone: (...args) => {
      queued.resolve();
      return store.alone(...args);
    },
  };
  const leaving = signOut(SERVER, {}, { store: watched });
  await Promise.race([queued.promise, leaving]);
  answered.resolve();
  await refresh;
  expect(await leaving).toEqual({ kind: 'signedOut' });
  expect(await store.read(SERVER.href)).toEqual([]);
});
