import type { SignIn, SignInSettings } from './signIn.ts';
import { SignInFetch } from './signInFetch.ts';

/** How long the authorization servers may take to hear of it. */
const FAREWELL_MS = 5_000;

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
  const grants = await store.read(server.href);
  try {
    await store.write(server.href, []);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', message: `Cannot sign out: ${reason}` };
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
