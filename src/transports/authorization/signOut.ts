import type { Grant } from './grant.ts';
import type { SignIn, SignInSettings } from './signIn.ts';
import { SignInFetch } from './signInFetch.ts';

/** How long the authorization servers may take to hear of it. */
const FAREWELL_MS = 5_000;

/** How long whoever is at the sign-in just now may take to be done. */
const PATIENCE_MS = 10_000;

/** What a sign-out came to. */
export type SignedOut =
  | { readonly kind: 'signedOut' }
  /** There was nothing to forget. */
  | { readonly kind: 'notSignedIn' }
  | { readonly kind: 'failed'; readonly message: string };

/** Forgets the sign-in to a server, and lets its authorization servers forget it where they take that. */
export async function signOut(
  server: URL,
  settings: SignInSettings,
  { store, network }: Pick<SignIn, 'store' | 'network'>,
): Promise<SignedOut> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const forget = async (): Promise<readonly Grant[]> => {
    const kept = await store.read(server.href);
    await store.write(server.href, []);
    return kept;
  };
  let grants: readonly Grant[];
  try {
    // Alone, or whoever is refreshing the tokens would keep the new ones afterwards.
    grants = await store.alone(server.href, forget, patience);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = patience.aborted
      ? `Cannot sign out: somebody is signing in to ${server.origin} just now. Finish that or give it up first.`
      : `Cannot sign out: ${reason}`;
    return { kind: 'failed', message };
  }
  if (!grants.some(({ tokens }) => tokens !== undefined)) return { kind: 'notSignedIn' };
  const requests = new SignInFetch({
    server,
    environment: process.env,
    network,
    signal: AbortSignal.timeout(FAREWELL_MS),
  });
  const { revoke } = await import('./oauth/oauth.ts');
  await Promise.all(grants.map((grant) => revoke(grant, settings, requests.fetch)));
  await requests.close();
  return { kind: 'signedOut' };
}
