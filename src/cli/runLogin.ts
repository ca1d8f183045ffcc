import { inspect } from '../bridge/inspect.ts';
import type { Face } from './face.ts';
import { describeUnsigned, remoteServer } from './signIn.ts';

const FAILED = 1;

/** Signs in to a server: when it asks for that as it is looked at, else as it says of itself. */
export async function runLogin(face: Face): Promise<number> {
  const [bridge] = face.bridges;
  const [subject] = face.signIns;
  const server = remoteServer(subject?.server);
  if (bridge === undefined || subject === undefined || server === undefined) {
    face.log('error', describeUnsigned(subject?.server));
    return FAILED;
  }
  const { authorizer } = subject;
  if (authorizer === undefined) {
    face.log('error', `"${server.name}" is shown the Authorization header of its entry instead.`);
    return FAILED;
  }
  const { origin } = new URL(server.url);
  const before = await authorizer.authorization();
  const inspection = await inspect(bridge.accept, face.version, (message) =>
    face.log('warning', message),
  );
  if (inspection.kind === 'failed') {
    // Why is in the log already, as the server's state.
    if (!('message' in bridge.state)) face.log('error', inspection.message);
    return FAILED;
  }
  const after = await authorizer.authorization();
  const isWanting = authorizer.isWanting;
  if (after === undefined || isWanting) {
    // It lets everybody look, and may ask for more later on, or has done so.
    const verdict = await authorizer.signIn();
    if (verdict.kind === 'unwanted') {
      process.stdout.write(`${verdict.message} There is nothing to do.\n`);
      return 0;
    }
    if (verdict.kind === 'refused') {
      face.log('error', verdict.message);
      return FAILED;
    }
  }
  const isOld = after !== undefined && after === before && !isWanting;
  process.stdout.write(
    isOld ? `You are signed in to ${origin} already.\n` : `Signed in to ${origin}.\n`,
  );
  return 0;
}
