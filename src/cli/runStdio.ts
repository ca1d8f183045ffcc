import { serveStdio } from '../transports/stdio/stdioServerTransport.ts';
import type { Face } from './face.ts';

const FAILED = 1;

/** Serves one bridged server on stdin and stdout until the client closes either; gives the exit code. */
export async function runStdio(face: Face): Promise<number> {
  const [bridge] = face.bridges;
  if (bridge === undefined) return FAILED;
  if (process.stdin.isTTY) {
    face.log(
      'warning',
      'Waiting for a client on standard input; an editor starts this by itself. Ctrl-C ends it.',
    );
  }
  return new Promise((resolve) => {
    let opened = false;
    let leaving = false;
    let failed = false;
    const finish = (): void => void transport.close().then(() => resolve(failed ? FAILED : 0));
    bridge.onEvent((event) => {
      if (event.kind !== 'state' || event.state.kind === 'starting') return;
      const { kind } = event.state;
      if (kind === 'running') opened = true;
      if ((kind === 'failed' || kind === 'needsSignIn') && !opened) {
        // As the server itself would have: the client gets its answer, and the program ends.
        failed = true;
        setImmediate(finish);
      } else if (leaving) finish();
    });
    const transport = serveStdio(bridge.accept, {
      report: (message) => face.log('warning', message),
      onClose: (unanswered) => {
        if (unanswered > 0) {
          const what = unanswered === 1 ? 'request was' : 'requests were';
          face.log('warning', `The client left; ${unanswered} ${what} not answered.`);
        }
        // A server that is still starting may have something to say of why it does not.
        leaving = true;
        if (bridge.state.kind !== 'starting') finish();
      },
    });
    face.onSignal(() => {
      bridge.endStreams();
      finish();
    });
  });
}
