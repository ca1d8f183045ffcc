import { LineServer, type LineServerOptions } from '../lines/lineServer.ts';
import type { AcceptChannel, ServerTransport } from '../transport.ts';

/** The streams to serve on, by default those of this process. */
export type StdioServerOptions = Partial<LineServerOptions>;

/**
 * Serves the one client at the other end of two streams. `process.stdout` will do: on POSIX it does not block on a
 * pipe, and on Windows every socket on that descriptor does.
 */
export function serveStdio(
  accept: AcceptChannel,
  options: StdioServerOptions = {},
): ServerTransport {
  const { input = process.stdin, output = process.stdout } = options;
  const server = new LineServer(accept, { ...options, input, output });
  return { address: 'stdio', close: () => server.close() };
}
