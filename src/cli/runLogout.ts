import { isSocketUrl } from '../config/socketUrl.ts';
import { SignInFetch } from '../transports/authorization/signInFetch.ts';
import type { Face } from './face.ts';

const FAILED = 1;
/** How long the authorization servers may take to hear of it. */
const FAREWELL_MS = 5_000;

/** Forgets the sign-in to a server, and lets its authorization servers forget it where they take that. */
export async function runLogout(face: Face): Promise<number> {
  const [subject] = face.signIns;
  if (subject?.server.kind !== 'http' || isSocketUrl(subject.server.url)) {
    face.log('error', 'Only servers with an address are signed in to.');
    return FAILED;
  }
  const url = new URL(subject.server.url);
  const { store } = subject.signIn;
  const grants = await store.read(url.href);
  try {
    await store.write(url.href, []);
  } catch (error) {
    face.log('error', `Cannot sign out: ${error instanceof Error ? error.message : String(error)}`);
    return FAILED;
  }
  if (grants.length === 0) {
    process.stdout.write(`You are not signed in to ${url.origin}.\n`);
    return 0;
  }
  const signal = AbortSignal.timeout(FAREWELL_MS);
  const requests = new SignInFetch(url, process.env, signal);
  const settings = subject.server.oauth ?? {};
  const { revoke } = await import('../transports/authorization/oauth/oauth.ts');
  await Promise.all(grants.map((grant) => revoke(grant, settings, requests.fetch)));
  await requests.close();
  process.stdout.write(`Signed out of ${url.origin}.\n`);
  return 0;
}
