import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGrantStore } from '../../../../src/cli/grantFile.ts';
import { OAuthAuthorizer } from '../../../../src/transports/authorization/oauthAuthorizer.ts';
import type { GrantStore } from '../../../../src/transports/authorization/signIn.ts';

// Nobody listens there.
const SERVER = new URL('http://127.0.0.1:1/mcp');

test('while another program is at the sign-in, no time is counted against the server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-authorizer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = createGrantStore(folder);
  const [begun, over, queued] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const other = store.alone(
    SERVER.href,
    async () => {
      begun?.resolve();
      await over?.promise;
    },
    new AbortController().signal,
  );
  await begun?.promise;
  const watched: GrantStore = {
    ...store,
    alone: (...args) => {
      queued?.resolve();
      return store.alone(...args);
    },
  };
  const program = { name: 'test', version: '1' };
  const signIn = { store: watched, person: undefined, advice: '', tokenAdvice: '', program };
  const authorizer = new OAuthAuthorizer({ server: SERVER, settings: {}, signIn });
  onTestFinished(() => authorizer.close());
  expect(authorizer.isAsking).toBe(false);
  const demand = { status: 401, challenge: 'Bearer', used: undefined, words: '', retries: 0 };
  const verdict = authorizer.meet(demand);
  await queued?.promise;
  expect(authorizer.isAsking).toBe(true);
  over?.resolve();
  await other;
  expect(await verdict).toMatchObject({ kind: 'refused' });
  expect(authorizer.isAsking).toBe(false);
});
