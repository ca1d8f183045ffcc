import { signOut } from '../transports/authorization/signOut.ts';
import type { Face } from './face.ts';
import { describeUnsigned, remoteServer } from './signIn.ts';

const FAILED = 1;

/** Forgets the sign-in to a server; gives the exit code. */
export async function runLogout(face: Face): Promise<number> {
  const [subject] = face.signIns;
  const server = remoteServer(subject?.server);
  if (subject === undefined || server === undefined) {
    face.log('error', describeUnsigned(subject?.server));
    return FAILED;
  }
  const url = new URL(server.url);
  const outcome = await signOut(url, server.oauth ?? {}, subject.signIn);
  switch (outcome.kind) {
    case 'failed':
      face.log('error', outcome.message);
      return FAILED;
    case 'notSignedIn':
      process.stdout.write(`You are not signed in to ${url.origin}.\n`);
      return 0;
    case 'signedOut':
      process.stdout.write(`Signed out of ${url.origin}.\n`);
      return 0;
  }
}
