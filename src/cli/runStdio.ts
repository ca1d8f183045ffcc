import { serveStdio } from '../transports/stdio/stdioServerTransport.ts';
import type { ServerChannelListener } from '../transports/transport.ts';
import type { Face } from './face.ts';

const FAILED = 1;

/** Serves one bridged server on stdin and stdout until the client closes them; gives the exit code. */
export async function runStdio(face: Face): Promise<number> {
  const [bridge] = face.bridges;
  if (bridge === undefined) return FAILED;
  return new Promise((resolve) => {
    let opened = false;
    let leaving = false;
    let failed = false;
    const finish = (): void => resolve(failed ? FAILED : 0);
    bridge.onEvent((event) => {
      if (event.kind !== 'state' || event.state.kind === 'starting') return;
      if (event.state.kind === 'running') opened = true;
      if (event.state.kind === 'failed' && !opened) {
        // As the server itself would have: the client gets its answer, and the program ends.
        failed = true;
        setImmediate(() => void transport.close().then(finish));
      } else if (leaving) finish();
    });
    const leave = (): void => {
      // A server that is still starting may have something to say of why it does not.
      leaving = true;
      if (bridge.state.kind !== 'starting') finish();
    };
    const transport = serveStdio((channel, first) =>
      endingWith(bridge.accept(channel, first), leave),
    );
    process.stdin.once('end', leave);
    face.onSignal(() => {
      bridge.endStreams();
      void transport.close().then(finish);
    });
  });
}

/** The same listener, with one more thing to do at the end. */
function endingWith(listener: ServerChannelListener, onEnd: () => void): ServerChannelListener {
  return {
    onFrame: (frame) => listener.onFrame(frame),
    onBatch: (frames, reply) => listener.onBatch(frames, reply),
    onAbandoned: (id) => listener.onAbandoned(id),
    onNoise: (noise) => listener.onNoise(noise),
    onClose: () => {
      listener.onClose();
      onEnd();
    },
  };
}
